"""What is asked of somebody who calibrates cameras: by what, of which clips, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pyqtgraph.Qt import QtWidgets

from app.commands.arguments import parse_frames
from app.commands.calibrate import parse_ends, parse_pair
from app.desk.jobs.orders import CalibrateOrder, Frames, GivenRows, SeeBoardOrder, Wand
from app.gui.stereo.camera_rows import CameraRows, Choice, track_rows
from app.gui.stereo.choice_form import Ask, ChoiceForm, browse
from app.stereo.calibrating import BoardSeen
from app.stereo.rig import parse_length
from kernels.errors import InputError
from pipelines.stereo.board import Board
from pipelines.stereo.bundle import Lens

BOARD, WAND, PLACES = "board", "wand", "places"
WAYS = ((BOARD, "a chessboard"), (WAND, "a wand"), (PLACES, "known places (DLT)"))
LENSES = ((Lens.NONE, "focal length"), (Lens.RADIAL, "focal length, centre, k1"),
          (Lens.FULL, "focal length, centre, k1, k2, p1, p2"))  # fmt: skip
TABLES = "Tables (*.csv *.parquet);;All files (*)"
TRACKS = "Tables of tracks and sessions (*.csv *.parquet *.mcap);;All files (*)"


class CalibrationForm(ChoiceForm):
    """See the module.

    Args:
        ask: asks for a path. kinds: of clips, for that.

    Attributes:
        columns, rows, square, length, ends, size, table, lens, frames, origin: the fields. clips, tracks: the cameras.
    """

    def __init__(self, ask: Ask, kinds: str) -> None:
        super().__init__(WAYS, "What the cameras saw: a chessboard in many tilted poses; a wand with two ends, waved "
                               "through the whole volume, whose ends were followed; or a table of places that are "
                               "known in space and in the pictures")  # fmt: skip
        self.clips = CameraRows(("Choose a clip", "Choose a folder of pictures"), "its clip",
                                lambda folder: ask("A camera's clip of the calibration", kinds, folder))  # fmt: skip
        self.tracks = track_rows(partial(ask, "Tracks of the wand's ends", TRACKS))
        self.columns, self.rows = QtWidgets.QSpinBox(), QtWidgets.QSpinBox()
        for spin, value, words in ((self.columns, 9, "along"), (self.rows, 6, "across")):
            spin.setRange(3, 99)
            spin.setValue(value)
            spin.setToolTip(f"Inner corners {words} it: where four squares meet, one fewer than squares")
        self.square, self.length = QtWidgets.QLineEdit("5 mm"), QtWidgets.QLineEdit("120 mm")
        self.square.setToolTip("Side of a square, with its unit: space is in it")
        self.length.setToolTip("From end to end of the wand, with its unit: space is in it")
        self.ends, self.size, self.table, self.frames = (QtWidgets.QLineEdit() for _ in range(4))
        self.ends.setPlaceholderText("found by themselves")
        self.ends.setToolTip("Which tracks are the wand's ends, such as 0,3; of each camera where they differ, such as "
                             "0,3; 1,2; 0+7,3 where one was lost and found again")  # fmt: skip
        self.size.setPlaceholderText("as the runs say")
        self.size.setToolTip("Width and height in px, such as 1024x1024, where tables of tracks do not say it")
        self.table.setToolTip("A table with columns x_mm, y_mm, z_mm (or another unit) and u1_px, v1_px of camera 1, "
                              "u2_px, v2_px of camera 2 ...: six places or more, not in one plane")  # fmt: skip
        self.browse = browse(self.table.setText, partial(ask, "A table of known places", TABLES, False))
        self.lens = QtWidgets.QComboBox()
        for lens, words in LENSES:
            self.lens.addItem(words, lens.value)
        self.lens.setCurrentIndex(1)
        self.lens.setToolTip("What is found of each lens. The last wants a board or wand that reached the corners of "
                             "the pictures")  # fmt: skip
        self.frames.setPlaceholderText("all")
        self.frames.setToolTip("Only these frames of camera 1, such as 100:400")
        self.origin = QtWidgets.QSpinBox()
        self.origin.setRange(-1, 10_000_000)
        self.origin.setValue(-1)
        self.origin.setSpecialValueText("camera 1")
        self.origin.setPrefix("the board in frame ")
        self.origin.setToolTip("Where space begins: at camera 1 (x right, y down, z away from it), or at the board as "
                               "it is in a frame")  # fmt: skip
        self.add("Calibrate by", by=self.way)
        self.add("Clips", BOARD, PLACES, clips=self.clips)
        self.add("Tracks", WAND, tracks=self.tracks)
        self.add("Inner corners", BOARD, columns=self.columns, between=QtWidgets.QLabel("x"), rows=self.rows)
        self.add("Side of a square", BOARD, square=self.square)
        self.add("Length", WAND, length=self.length)
        self.add("Tracks of the ends", WAND, ends=self.ends)
        self.add("Size of pictures", WAND, size=self.size)
        self.add("Table", PLACES, table=self.table, browse=self.browse)
        self.add("Lens", BOARD, WAND, lens=self.lens)
        self.add("Frames", BOARD, frames=self.frames)
        self.add("Origin", BOARD, origin=self.origin)
        self.arrange()

    def arrange(self) -> None:
        """Have the rows there that belong to what is chosen; known places are in pictures of one moment."""
        self.clips.show_offsets(self.asked == BOARD)
        super().arrange()

    def offer(self, clips: Sequence[Choice], tracks: Sequence[Choice]) -> None:
        """What is open can be chosen."""
        self.clips.offer(clips)
        self.tracks.offer(tracks)

    def board_order(self, paths: Callable[[str], str]) -> SeeBoardOrder:
        """What is to be looked for.

        Args:
            paths: of what is chosen the clip's path.

        Raises:
            InputError: a field says nothing that makes sense.
        """
        clips = tuple(paths(value) for value in self.filled(self.clips, "clip"))
        length, unit = parse_length(self.square.text(), "--square")
        frames: Frames | None = parse_frames(self.frames.text().strip() or None)
        return SeeBoardOrder(clips, Board(self.columns.value(), self.rows.value(), length), unit, self.clips.offsets,
                             frames)  # fmt: skip

    def order(
        self, seen: BoardSeen | None, without: tuple[int, ...], paths: Callable[[str], str],
        tracks: Callable[[str], GivenRows],
    ) -> CalibrateOrder:  # fmt: skip
        """How cameras are to be calibrated.

        Args:
            seen: the board, where it is one.
            without: what does not count.
            paths, tracks: of what is chosen the clip's path and its tracks.

        Raises:
            InputError: a field says nothing that makes sense.
        """
        lens = Lens(self.lens.currentData())
        if self.asked == BOARD:
            assert seen is not None
            return CalibrateOrder(seen, lens, None if self.origin.value() < 0 else self.origin.value(), without)
        if self.asked == WAND:
            given = tuple(tracks(value) for value in self.filled(self.tracks, "tracks"))
            length, unit = parse_length(self.length.text(), "--wand")
            ends = tuple(parse_ends(part) for part in self.ends.text().split(";") if part.strip())
            if len(ends) not in (0, 1, len(given)):
                raise InputError(f"--ends are given once for all cameras or for each of the {len(given)}, not "
                                 f"{len(ends)} times")  # fmt: skip
            size = parse_pair(self.size.text(), "--size") if self.size.text().strip() else None
            return CalibrateOrder(Wand(length, unit, ends, size=size), lens, without=without, tracks=given,
                                  offsets=self.tracks.offsets)  # fmt: skip
        if not self.table.text().strip():
            raise InputError("choose the table of known places")
        clips = tuple(paths(value) for value in self.filled(self.clips, "clip"))
        return CalibrateOrder(str(Path(self.table.text().strip()).expanduser()), lens, without=without, clips=clips)
