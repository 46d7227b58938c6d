"""Tools that measure: a scale by two points, and an angle."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.pipeline.detecting import Point
from app.desk.tracks.calibration import UNITS, angle_at, apart, by_length
from app.desk.tracks.signals import Quantity
from app.gui.video.lines import LineTool
from app.gui.video.tools import Box, Brush
from kernels.errors import InputError

ON_TRACK = 10
"""Pixels of the screen within which a point is put on a track."""
HOW = ("between points", "between tracks", "of a pixel")
POINTS, TRACKS, PIXEL = range(3)


class Length(QtWidgets.QDoubleSpinBox):  # type: ignore[misc]
    """A field for a length that is not known yet: it is empty, and so is its value (0), until one is typed."""

    def __init__(self) -> None:
        super().__init__()
        self.setRange(0.0, 1e6)
        self.setDecimals(4)
        self.lineEdit().setPlaceholderText("length")

    def textFromValue(self, value: float) -> str:  # noqa: N802
        """Nothing for nothing."""
        return str(super().textFromValue(value)) if value else ""

    def valueFromText(self, text: str) -> float:  # noqa: N802
        """0 for nothing."""
        return float(super().valueFromText(text)) if text.strip() else 0.0

    def validate(self, text: str, at: int) -> tuple[QtGui.QValidator.State, str, int]:
        """It may be empty."""
        if not text.strip():
            return QtGui.QValidator.State.Acceptable, text, at
        found: tuple[QtGui.QValidator.State, str, int] = super().validate(text, at)
        return found

    def ask(self) -> None:
        """Have the user type; what is there is replaced."""
        self.setFocus()
        self.selectAll()


class ScaleTool(LineTool):
    """How long a pixel is: by two points or two tracks of known distance, or as a number."""

    name, text, key, icon = "scale", "&Scale by a known length…", "K", "ruler"
    tip = "Two points or tracks whose distance you know say how long a pixel is; or type it in"
    finishing = "Set the scale"
    most = 2

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        row = self.row()
        self.how = QtWidgets.QComboBox()
        self.how.addItems(HOW)
        self.how.setToolTip("What is known: the distance of two points of the picture, that of two tracks (the median "
                            "over all frames), or the length of a pixel itself")  # fmt: skip
        self.length = Length()
        self.length.setToolTip("How long it is; Enter sets the scale")
        self.length.lineEdit().returnPressed.connect(self._entered)
        self.unit = QtWidgets.QComboBox()
        self.unit.setToolTip("The unit of this length, and of all that is shown then")
        self.unit.addItems(UNITS)
        self.unit.setCurrentText("mm")
        for widget in (self.how, self.length, self.unit):
            row.addWidget(widget)
        self.how.currentIndexChanged.connect(self._switched)
        self.length.valueChanged.connect(lambda _: box.refresh())
        self.unit.currentTextChanged.connect(lambda _: box.refresh())
        self._known: tuple[object, tuple[float, float, int] | None] = (None, None)

    @property
    def _mode(self) -> int:
        return int(self.how.currentIndex())

    def _switched(self, mode: int) -> None:
        self.points, self.held = [], -1
        self.length.setDecimals(6 if mode == PIXEL else 4)
        now = self.bench.calibration
        known = mode == PIXEL and now.physical
        if known:
            self.unit.setCurrentText(now.unit)
        self.length.setValue(now.per_px if known else 0.0)
        self._ask()
        self.box.refresh()

    def _ask(self) -> None:
        """What is still to be said is how long it is."""
        if self.px > 0 and self.box.tool is self:
            self.length.ask()

    def _entered(self) -> None:
        """Enter in the field."""
        if self.ready:
            self.box.finish()

    @property
    def pair(self) -> tuple[int, ...]:
        """The tracks that are chosen, two at most."""
        return tuple(self.bench.selected[:2])

    def _apart(self) -> tuple[float, float, int] | None:
        """Of the two tracks; looked up once for what is known of them."""
        if len(self.pair) < 2:
            return None
        store = self.bench.store
        if self._known[0] != (self.pair, store.version):
            try:
                found = apart(*(store.track(track) for track in self.pair))
            except InputError:
                found = None
            self._known = (self.pair, store.version), found
        return self._known[1]

    @property
    def px(self) -> float:
        """The pixels whose length is known."""
        if self._mode == PIXEL:
            return 1.0
        if self._mode == TRACKS:
            found = self._apart()
            return found[0] if found is not None else 0.0
        return math.dist(*self.points) if len(self.points) == 2 else 0.0

    @property
    def hint(self) -> str:
        """What to do next."""
        unit = self.unit.currentText()
        known = self.length.value() > 0
        if self._mode == PIXEL:
            what = f"a pixel is {self.length.value():.6g} {unit}" if known else "type how long a pixel is"
            return f"{what}, as a data sheet or another clip says"
        per_px = f": a pixel is {self.length.value() / self.px:.5g} {unit}" if known and self.px else (
            " · type how long that is")  # fmt: skip
        if self._mode == TRACKS:
            if len(self.pair) < 2:
                return f"click the {'second' if self.pair else 'first'} of two tracks whose distance you know"
            found = self._apart()
            if found is None:
                return "these two were never seen in the same frame; Esc, and choose others"
            return f"{found[0]:.2f} ± {found[1]:.2f} px apart in {found[2]} frames{per_px}"
        if len(self.points) < 2:
            begun = f"  ·  {self.words_of(*self.ends[:2])}" if self.open_end is not None else ""
            which = "click the second point" if self.points else "pull a line over a known length, or click its ends"
            return f"{which}{begun} · Shift keeps it straight"
        return f"{self.px:.1f} px apart{per_px}"

    @property
    def ready(self) -> bool:
        """Whether all is known."""
        return self.px > 0 and self.length.value() > 0

    def enter(self) -> None:
        """Begin with the two tracks that are selected, if two are; no length is known."""
        super().enter()
        if len(self.bench.selected) == 2:
            self.how.setCurrentIndex(TRACKS)
        self._switched(self._mode)

    def add(self, point: Point) -> None:
        """Behind the second point the length is asked for."""
        super().add(point)
        self._ask()

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """Where a line was pulled its length is asked for."""
        super().drag(point, begun, done)
        if done:
            self._ask()

    def click(self, point: Point, button: QtCore.Qt.MouseButton, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """A point, or a track."""
        if self._mode == PIXEL:
            return False
        if self._mode == POINTS:
            return super().click(point, button, modifiers)
        found = self.box.video.overlay.nearest(*point, 20 / self.box.video.screen_scale)
        if found is not None:
            chosen = [] if len(self.pair) == 2 else list(self.pair)
            self.bench.tracks.select([track for track in chosen if track != found] + [found])
            self._ask()
        self.box.refresh()
        return True

    def grab(self, point: Point) -> bool:
        """Lines are pulled where two points are asked for."""
        return self._mode == POINTS and super().grab(point)

    def finish(self) -> None:
        """Set it."""
        if self._mode == POINTS and len(self.points) < 2:
            raise InputError("click two points of known distance first")
        if self._mode == TRACKS and self._apart() is None:
            raise InputError("click two tracks that were seen in the same frames first")
        if not self.length.value():
            raise InputError("type how long that is first")
        made = by_length(self.px, self.length.value(), self.unit.currentText(), self.bench.calibration)
        self.bench.tracks.set_calibration(made)
        self.box.take("pick")

    def paint(self, brush: Brush) -> None:
        """A line with its length, in pixels and as it is known."""
        length = self.length.value()
        known = f"{length:g} {self.unit.currentText()}" if length else f"{self.px:.1f} px"
        if self._mode == TRACKS:
            rows = self.box.video.overlay.rows
            here = [rows[rows["track"] == track][:1] for track in self.pair]
            ends = [(float(row["x"][0]), float(row["y"][0])) for row in here if len(row)]
            brush.line(ends)
            if len(ends) == 2:
                self.middle(brush, ends, known)
            return
        self.line(brush)
        if len(self.points) == 2:
            self.middle(brush, self.points, f"{self.px:.1f} px = {known}" if length else known)
        elif self.open_end is not None:
            self.middle(brush, self.ends, self.words_of(*self.ends[:2]))
        super().paint(brush)


class AngleTool(LineTool):
    """An angle between three points."""

    name, text, key, icon = "angle", "Measure &angle and length", "J", "angle"
    tip = "Two points are a length, three an angle; the second one is its corner. On tracks also over time"
    finishing = "Over time"
    finishing_tip = ("Plot the distance of two tracks, or the angle of three, over all frames (in Traces); put every "
                     "point on a track first")  # fmt: skip
    most = 3
    pauses = False

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._of: dict[Point, int] = {}  # the tracks on which points were put

    def add(self, point: Point) -> None:
        """A point beside a track is that track's."""
        overlay = self.box.video.overlay
        # With Shift a line keeps its direction, which a track beside its end would turn.
        track = None if self.straight else overlay.nearest(*point, ON_TRACK / self.box.video.screen_scale)
        if track is not None:
            (row,) = overlay.rows[overlay.rows["track"] == track][:1]
            point = float(row["x"]), float(row["y"])
            self._of[point] = track
        super().add(point)

    @property
    def tracks(self) -> list[int]:
        """Those that the points were put on; none where a point is on none."""
        found = [self._of[point] for point in self.points if point in self._of]
        return found if len(set(found)) == len(self.points) > 1 else []

    @property
    def ready(self) -> bool:
        """Whether there is something to plot."""
        return bool(self.tracks)

    def finish(self) -> None:
        """What was measured, over time."""
        tracks = self.tracks
        if not tracks:
            raise InputError("put the points on two or three tracks, to see their distance or angle over time")
        self.bench.tracks.select(tracks)
        self.box.plot(Quantity.ANGLE if len(tracks) == 3 else Quantity.DISTANCE)
        self.box.take("pick")

    @property
    def words(self) -> str:
        """What was measured, "" for nothing yet."""
        ends = self.ends
        if len(ends) < 2:
            return ""
        first = self.words_of(*ends[:2])
        if len(self.points) < 3:
            return first
        try:
            return f"{angle_at(*self.points):.2f}°"
        except InputError:
            return first

    @property
    def hint(self) -> str:
        """What to do next."""
        if not self.words:
            return "pull a line or click its ends for a length; a third click makes an angle · Shift keeps it straight"
        ends = self.ends
        parts = [self.words_of(a, b) for a, b in pairwise(ends)]
        going = "" if len(self.points) < 2 else "  (drag the points)"
        return "  ·  ".join([*([self.words] if len(self.points) == 3 else []), *parts]) + going

    def click(self, point: Point, button: QtCore.Qt.MouseButton, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """A fourth point begins anew."""
        if len(self.points) == self.most and self.near(point) < 0:
            self.points = []
        return super().click(point, button, modifiers)

    def paint(self, brush: Brush) -> None:
        """The legs, an arc, and the words."""
        self.line(brush)
        if len(self.points) == 3:
            corner = self.points[1]
            a, b = (math.atan2(p[1] - corner[1], p[0] - corner[0]) for p in (self.points[0], self.points[2]))
            # The shorter way round, -180 to 180 degrees.
            turn = (b - a + math.pi) % (2 * math.pi) - math.pi
            radius = 26.0 / brush.scale
            arc = [(corner[0] + radius * math.cos(a + turn * t), corner[1] + radius * math.sin(a + turn * t))
                   for t in np.linspace(0, 1, 24).tolist()]  # fmt: skip
            brush.line(arc)
            middle = arc[12]
            away = (corner[0] + 1.7 * (middle[0] - corner[0]), corner[1] + 1.7 * (middle[1] - corner[1]))
            brush.words(away, self.words, -14.0, 4.0)
        elif self.words:
            self.middle(brush, self.ends, self.words)
        super().paint(brush)
