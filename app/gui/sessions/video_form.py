"""What can be chosen of a video besides its tracks: words and a stopwatch burnt in, contrast, pace, crop, and what
stays still."""

from __future__ import annotations

from pyqtgraph.Qt import QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.services.regions import LEAST, region
from app.exports.video_look import CLOCKS, Note, VideoLook, parse_note
from app.gui.video.view import VideoView
from pipelines.frontend import Roi

WHOLE, REGION, SEEN = "whole", "region", "seen"


class VideoForm(QtWidgets.QWidget):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        video: whose brightness and part can be taken over.

    Attributes:
        text, events, stopwatch, zero, bright, slower, follow, crop, marks: its fields.
    """

    def __init__(self, bench: Workbench, video: VideoView) -> None:
        super().__init__()
        self._bench, self._video = bench, video
        self.text = QtWidgets.QLineEdit()
        self.text.setPlaceholderText("words at the upper left")
        self.text.setClearButtonEnabled(True)
        self.events = QtWidgets.QCheckBox("names of events")
        self.stopwatch, self.zero, self.follow, self.crop = (QtWidgets.QComboBox() for _ in range(4))
        self.stopwatch.addItem("no stopwatch", "")
        for unit in CLOCKS:
            self.stopwatch.addItem(f"stopwatch in {unit.replace('u', 'µ')}", unit)
        self.bright = QtWidgets.QCheckBox("as bright as in the window")
        self.bright.setChecked(not video.auto)
        self.slower = QtWidgets.QDoubleSpinBox()
        self.slower.setRange(0.0, 1e6)
        self.slower.setDecimals(1)
        self.slower.setSpecialValueText("a pace that can be watched")
        self.slower.setSuffix(" times slower than life")
        self.slower.setKeyboardTracking(False)
        self.marks = QtWidgets.QCheckBox("tracks drawn in")
        self.marks.setChecked(True)
        self.crop.addItem("the whole picture", WHOLE)
        self.crop.addItem("the region", REGION)
        self.crop.addItem("the part that the window shows", SEEN)
        for widget, tip in (
            (self.text, "Burnt into the picture; \"20:60 impact\" is seen in frames 20 to 59 alone, lines are parted "
                        "by |"),
            (self.events, "The name of each event (H marks one), from its frame until the next one"),
            (self.stopwatch, "The time of each frame, burnt in at the upper right"),
            (self.zero, "From where the stopwatch counts"),
            (self.bright, "Black, white and gamma of the panel Levels; else they are found in the first frames"),
            (self.slower, "How fast it plays"),
            (self.follow, "The picture stays still beside a track, or beside the body of several: select them, in the "
                          "table or by Ctrl and clicks"),
            (self.crop, "How much of the picture; the tool R draws a region, the wheel zooms"),
            (self.marks, "Markers, trails and numbers of tracks"),
        ):  # fmt: skip
            widget.setToolTip(tip)
        grid = QtWidgets.QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for row, pair in enumerate(((self.text, self.events), (self.stopwatch, self.zero), (self.follow, self.crop),
                                    (self.slower, self.bright), (self.marks, None))):  # fmt: skip
            for column, widget in enumerate(pair):
                if widget is not None:
                    grid.addWidget(widget, row, column)
        self.stopwatch.currentIndexChanged.connect(lambda _: self._enabled())
        self.refresh()

    def refresh(self) -> None:
        """Follow what is open, selected and seen; what was chosen stays."""
        bench, info = self._bench, self._bench.info
        trigger = info is not None and info.first_number != 0
        zeros: list[tuple[str, object]] = [("from the trigger" if trigger else "from the first frame", None)]
        if info is not None and not bench.live and bench.range != (0, info.frames):
            zeros.append((f"from the in mark, frame {bench.number(bench.range[0])}", bench.range[0]))
        zeros += [(f"from {event.name}, frame {bench.number(event.frame)}", event.frame) for event in bench.events]
        _fill(self.zero, zeros)
        stays: list[tuple[str, object]] = [("the camera stays still", ())]
        if len(bench.selected) == 1:
            stays.append((f"track {bench.tracks.name(bench.selected[0])} stays still", tuple(bench.selected)))
        elif bench.selected:
            stays.append((f"the body of {len(bench.selected)} selected tracks stays still", tuple(bench.selected)))
        _fill(self.follow, stays)
        model = self.crop.model()
        model.item(1).setEnabled(region(bench) is not None)
        model.item(2).setEnabled(self.seen is not None)
        if not model.item(self.crop.currentIndex()).isEnabled():
            self.crop.setCurrentIndex(0)
        self._enabled()

    def _enabled(self) -> None:
        self.events.setEnabled(bool(self._bench.events))
        timed = self._bench.info is not None and self._bench.info.time.fps > 0
        self.stopwatch.setEnabled(timed)
        self.slower.setEnabled(timed)
        self.zero.setEnabled(timed and bool(self.stopwatch.currentData()))
        self.bright.setEnabled(self._bench.shown is not None and not self._bench.shown.output)
        self.follow.setEnabled(self.follow.count() > 1)

    @property
    def seen(self) -> Roi | None:
        """The part of the picture that the window shows, whole pixels; None for all of it, or hardly any."""
        info = self._bench.info
        if info is None or self._video.all_seen:
            return None
        view = self._video.box.viewRect()
        left, top = max(0, round(view.left() + 0.5)), max(0, round(view.top() + 0.5))
        right, bottom = min(info.width, round(view.right() + 0.5)), min(info.height, round(view.bottom() + 0.5))
        return (left, top, right - left, bottom - top) if right - left >= LEAST <= bottom - top else None

    @property
    def roi(self) -> Roi | None:
        """The part that is written; None for all."""
        match self.crop.currentData():
            case "region":
                return region(self._bench)
            case "seen":
                return self.seen
        return None

    @property
    def look(self) -> VideoLook:
        """What is chosen.

        Raises:
            InputError: words that are none.
        """
        bench, shown = self._bench, self._bench.shown
        shift = bench.number(0)
        notes = [parse_note(line) for line in self.text.text().split("|") if line.strip()]
        notes = [Note(one.words, None if one.first is None else one.first - shift,
                      None if one.end is None else one.end - shift) for one in notes]  # fmt: skip
        if self.events.isChecked() and self.events.isEnabled():
            frames = sorted({event.frame for event in bench.events})
            until = dict(zip(frames, [*frames[1:], None], strict=True))
            notes += [Note(event.name, event.frame, until[event.frame]) for event in bench.events]
        levels, gamma = None, 1.0
        if self.bright.isChecked() and self.bright.isEnabled() and shown is not None:
            white = float((1 << shown.bits) - 1) if shown.bits else 1.0
            now = self._video.levels
            levels, gamma = (now.low / white, now.high / white), now.gamma
        clock = str(self.stopwatch.currentData()) if self.stopwatch.isEnabled() else ""
        return VideoLook(tuple(notes), clock, self.zero.currentData() if clock else None, levels, gamma,
                         (self.slower.value() or None) if self.slower.isEnabled() else None,
                         self.follow.currentData(), self.marks.isChecked())  # fmt: skip


def _fill(combo: QtWidgets.QComboBox, entries: list[tuple[str, object]]) -> None:
    before = combo.currentData() if combo.count() else None
    combo.blockSignals(True)
    combo.clear()
    for words, data in entries:
        combo.addItem(words, data)
    datas = [data for _, data in entries]
    combo.setCurrentIndex(datas.index(before) if before in datas else 0)
    combo.blockSignals(False)
