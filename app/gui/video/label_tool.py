"""The tool that labels key points by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import dist, isfinite

from pyqtgraph.Qt import QtCore, QtGui

from app.desk.labelling.labeller import NUDGE
from app.desk.pipeline.detecting import Point
from app.gui import theme
from app.gui.video.tools import GRAB, HANDLE, Box, Brush, Button, Tool
from kernels.errors import InputError

OTHER = 0.55
"""How much is seen of other animals than the one in hand."""
MOST_NAMES = 60
"""Points of a frame up to which all names are written; beyond, that of the one in hand alone."""
_KEYS = QtCore.Qt.Key
_ARROWS = {_KEYS.Key_Left: (-1, 0), _KEYS.Key_Right: (1, 0), _KEYS.Key_Up: (0, -1), _KEYS.Key_Down: (0, 1)}
Which = tuple[int, int]
"""Animal and point."""


class LabelTool(Tool):
    """Sets one named point after the other; what it does is in `app.desk.labelling.labeller`."""

    name, text, key, icon, menu = "label", "&Label key points", "W", "label", "Labels"
    tip = "Set named points by hand in some frames, for a network to learn from"
    finishing, finishing_tip = "Take drafts", "The dashed points of this animal become labels where they are"
    numbers = follows = alone = True

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._model = box.labeller
        self._dragged: Which | None = None
        self._at: Point | None = None

    @property
    def hint(self) -> str:
        """What to do next."""
        model = self._model
        if why := model.why_not:
            return why
        if not model.sheet.points:
            return "say in the panel Labels what the points are called"
        animal = f" of animal {model.animal + 1}" if model.animals > 1 else ""
        if model.point >= 0:
            begin = f"click: {model.sheet.points[model.point]}{animal} · Tab: another · right click: not seen"
        else:
            begin = f"all points{animal} are set"
        return f"{begin}{' · arrows: .1 px, with Shift 1' if model.held is not None else ''}"

    @property
    def about(self) -> list[Point]:
        """Points and drafts."""
        return [place for _, place, _ in self._seen()]

    @property
    def ready(self) -> bool:
        """Whether there are drafts."""
        return bool(self._model.drafts.size) and any(isfinite(x) for x in self._model.drafts[..., 0].ravel().tolist())

    def finish(self) -> None:
        """Drafts become labels."""
        self._model.accept()

    def enter(self) -> None:
        """Nothing is dragged yet."""
        super().enter()
        self._dragged = self._at = None
        self._model.let_go()

    # --------------------------------------------------------------------------------------------------------- mouse

    def _seen(self) -> Iterator[tuple[Which, Point, bool]]:
        """Points of the frame that is shown, and whether they are drafts only."""
        for draft, places in ((False, self._model.marks.places), (True, self._model.drafts)):
            for animal, row in enumerate(places.tolist()):
                for point, (x, y) in enumerate(row):
                    if isfinite(x):
                        yield (animal, point), (x, y), draft

    def _under(self, at: Point) -> tuple[Which, Point, bool] | None:
        """What is under a point: the nearest one, of the animal in hand first."""
        reach = GRAB / self.box.video.screen_scale
        # Of two at the same distance the earlier one: `k` decides, so that what follows it is never compared.
        near = [(which[0] != self._model.animal, dist(place, at), k, (which, place, draft))
                for k, (which, place, draft) in enumerate(self._seen())
                if dist(place, at) <= reach]  # fmt: skip
        return min(near)[3] if near else None

    def near(self, point: Point) -> int:
        """0 where something can be taken, -1 elsewhere."""
        return -1 if self._under(point) is None else 0

    def click(self, point: Point, button: QtCore.Qt.MouseButton, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """Set, take up, take away or hide a point; a clip that plays stops."""
        self.box.hold()
        self._check()
        model, found = self._model, self._under(point)
        away = button == Button.RightButton or bool(modifiers & QtCore.Qt.KeyboardModifier.AltModifier)
        if away and found is not None:
            (animal, which), _, draft = found
            (model.hide if draft else model.remove)(animal, which)
        elif away:
            if model.point >= 0 and model.sheet.points:
                model.hide(model.animal, model.point)
        elif button != Button.LeftButton:
            return False
        elif found is None:
            model.place(point)
        else:
            (animal, which), place, draft = found
            if draft:
                model.move(animal, which, place)
            else:
                model.hold(animal, which)
        return True

    def _check(self) -> None:
        if not self.box.video.on_frame_grid:
            raise InputError("this picture is of another size than the clip's; show the clip's own to label it")

    def grab(self, point: Point) -> bool:
        """A point is moved; drags elsewhere move the picture."""
        found = self._under(point)
        if found is None or not self.box.video.on_frame_grid:
            return False
        self._dragged, self._at, _ = found
        self._begun = found[1]
        return True

    def drag(self, point: Point, begun: Point, done: bool) -> None:
        """It goes with the cursor, and is where it is let go."""
        if self._dragged is None:
            return
        self._at = self._begun[0] + point[0] - begun[0], self._begun[1] + point[1] - begun[1]
        if done:
            (animal, which), there = self._dragged, self._at
            self._dragged = self._at = None
            self._model.move(animal, which, there, f"move {self._model.sheet.points[which]}")
        self.box.refresh()

    def remember(self) -> Callable[[], None]:
        """A drag that is broken off moves nothing."""

        def back() -> None:
            self._dragged = self._at = None
            self.box.refresh()

        return back

    # ---------------------------------------------------------------------------------------------------------- keys

    def back(self) -> None:
        """Without the point that is held."""
        if self._model.held is not None:
            self._model.put_away()

    def takes(self, key: int, modifiers: QtCore.Qt.KeyboardModifiers) -> bool:
        """Tab and Delete, and the arrows while a point is held."""
        flags = QtCore.Qt.KeyboardModifier
        if modifiers & ~(flags.ShiftModifier | flags.KeypadModifier) or not self._model.sheet.points:
            return False
        if key in _ARROWS:
            return self._model.held is not None
        return key in (_KEYS.Key_Tab, _KEYS.Key_Backtab, _KEYS.Key_Delete)

    def press(self, key: int, modifiers: QtCore.Qt.KeyboardModifiers) -> None:
        """One of them."""
        if key in _ARROWS:
            far = NUDGE * (10 if modifiers & QtCore.Qt.KeyboardModifier.ShiftModifier else 1)
            dx, dy = _ARROWS[_KEYS(key)]
            self._model.nudge(far * dx, far * dy)
        elif key == _KEYS.Key_Delete:
            self._model.put_away()
        else:
            self._model.turn(1 if key == _KEYS.Key_Tab else -1)

    def escape(self) -> bool:
        """Let the held point go first: then the arrows show other frames again."""
        return self._model.let_go()

    # -------------------------------------------------------------------------------------------------------- drawing

    def paint(self, brush: Brush) -> None:
        """Skeletons, points with their names, drafts dashed; what the next click sets beside the cursor."""
        model = self._model
        at: dict[Which, tuple[Point, bool]] = {which: (place, draft) for which, place, draft in self._seen()}
        if self._dragged is not None and self._at is not None:
            at[self._dragged] = self._at, False
        named = len(at) <= MOST_NAMES
        for animal in sorted({which[0] for which in at}):
            own = animal == model.animal
            brush.painter.setOpacity(1.0 if own else OTHER)
            for a, b in model.sheet.edges:
                ends = [at[animal, p] for p in (a, b) if (animal, p) in at]
                if len(ends) == 2:
                    brush.line([place for place, _ in ends], dashed=any(draft for _, draft in ends))
            for (of, point), (place, draft) in at.items():
                if of != animal:
                    continue
                held = (of, point) in (model.held, self._dragged)
                if draft:
                    _ring(brush, place)
                else:
                    brush.handle(place, held)
                if held or (own and named):
                    brush.words(place, model.sheet.points[point])
        brush.painter.setOpacity(1.0)
        free = self.cursor is not None and self._dragged is None and self._under(self.cursor) is None
        if free and self.cursor is not None and model.point >= 0 and model.sheet.points:
            brush.words(self.cursor, model.sheet.points[model.point], 12.0, 20.0)


def _ring(brush: Brush, place: Point) -> None:
    """A place that is not confirmed."""
    brush.painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
    for ink, width in ((QtGui.QColor(0, 0, 0, 150), 3.2), (QtGui.QColor(theme.DARK.warn), 1.5)):
        pen = QtGui.QPen(ink, width)
        # Qt measures dashes in widths of the pen.
        pen.setDashPattern([5.0 / width, 4.0 / width])
        brush.painter.setPen(pen)
        brush.painter.drawEllipse(brush.at(place), HANDLE + 2.0, HANDLE + 2.0)
