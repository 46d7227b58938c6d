"""Fields of displacement and strain over the video, of the frame that is shown: worked out in a thread, the newest
frame first, so that nothing waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pyqtgraph.Qt import QtCore

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.pipeline.detecting import taker
from app.desk.tracks.field_map import FieldAsk, FieldMaker, FieldMap
from app.exports.scale import Scale
from app.gui.beside import Beside
from app.gui.video.field_item import FieldItem
from app.gui.video.view import VideoView
from kernels.errors import InputError
from pipelines.analysis.strain import Measure


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """What the user wants to see.

    Args:
        quantity: of `app.analysis.strain.QUANTITIES`.
        window, measure: as of `app.analysis.strain.StrainOptions`.
        ends: values of the first and the last colour; None for what is seen.
        kept: whether that is in all frames that were shown, not in one.
    """

    quantity: str
    window: int
    measure: Measure
    ends: tuple[float, float] | None = None
    kept: bool = False


class FieldView(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        video: over whose picture.

    Attributes:
        item: what is drawn. explained: a signal: why there is no field, "" where there is one.
    """

    explained = QtCore.pyqtSignal(str)

    def __init__(self, bench: Workbench, video: VideoView) -> None:
        super().__init__(video)
        self._bench, self._video = bench, video
        self.item = FieldItem(video.box, bench.number)
        self._choice: FieldChoice | None = None
        self._maker = FieldMaker()
        self._beside = Beside(self, "field")
        self._beside.came.connect(self._came)
        self._number, self._busy, self._again = 0, False, False
        self._before: tuple[float, float] | None = None
        self.wrong = ""
        for topic in (Topic.PICTURE, Topic.VIEW, Topic.ROWS):
            bench.on(topic, self._look)
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.PIPELINE, self._opened)

    def show(self, choice: FieldChoice | None) -> None:
        """Show a field; None for none."""
        before, self._choice = self._choice, choice
        if choice is None:
            self._number += 1
            self.item.show_map(None)
            self._video.overlay.cover(False)
            self._say("")
        elif before is None or (choice.quantity, choice.kept) != (before.quantity, before.kept):
            self._before = None
        self._look()

    def _opened(self) -> None:
        self._number += 1
        self._before = None
        self.item.show_map(None)
        self._video.overlay.cover(False)

    def _say(self, why: str) -> None:
        if why != self.wrong:
            self.wrong = why
            self.explained.emit(why)

    def _look(self) -> None:
        """Ask for the field of the frame that is shown."""
        if self._choice is None:
            return
        if self._busy:
            self._again = True
            return
        ask = self._ask(self._choice)
        if ask is None:
            self.item.show_map(None)
            self._video.overlay.cover(False)
            return
        self._busy = True
        self._number += 1
        self._beside.begin(self._number, partial(self._maker.make, ask))

    def _ask(self, choice: FieldChoice) -> FieldAsk | None:
        bench, store = self._bench, self._bench.store
        shown, info, ranges = bench.shown, bench.info, store.ranges
        if shown is None or info is None or not ranges or not store.known(shown.frame):
            return None
        found, now = taker(bench.pipeline), bench.calibration
        return FieldAsk(
            store.at(ranges[0][0]), store.at(shown.frame), choice.quantity, choice.window, choice.measure,
            float(found.window) if found is not None and found.window > 1 else None,
            Scale(now.per_px, now.unit) if now.physical else None, (info.width, info.height), choice.ends,
            self._before if choice.kept else None,
        )  # fmt: skip

    def _came(self, number: int, found: object) -> None:
        self._busy = False
        if number == self._number and self._choice is not None:
            if isinstance(found, FieldMap):
                if self._choice.kept and found.quantity == self._choice.quantity:
                    self._before = found.ends
                self.item.show_map(found)
                self._video.overlay.cover(True)
                self._say("")
            else:
                self.item.show_map(None)
                self._video.overlay.cover(False)
                self._say(str(found) if isinstance(found, InputError) else f"{type(found).__name__}: {found}")
        if self._again:
            self._again = False
            self._look()
