"""What a live run computes: the pipeline that it begins with, compiled, and as it changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial

from kernels.param import Value
from pipelines.frame import Camera, Pixels
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming import taps
from pipelines.streaming.batching import START
from pipelines.streaming.building import Built, Order
from pipelines.streaming.changes import AnyChange, Changes, Structure
from pipelines.streaming.restructuring import Restructuring, build_checked
from pipelines.streaming.settings import resolved
from pipelines.streaming.states import RunState
from pipelines.streaming.taps import FrameTap
from pipelines.streaming.warming import warm
from pipelines.streaming.watched import Watched
from pipelines.writing import dumps

MOST_CHANGES = 10_000
"""Changes that a report keeps."""


class LivePipeline(Watched):
    """The part of a `LiveRunner` that knows of pipelines; see there for what it is given."""

    def __init__(
        self, camera: Camera, pipeline: Pipeline, recorder: FrameTap | None, device: str, roi: Roi | None,
        batch: int | None, pictures: bool, exact: bool, changes: Iterable[AnyChange], sample: Pixels | None,
        on_state: Callable[[RunState], None] | None, on_change: Callable[[AnyChange], None] | None,
    ) -> None:  # fmt: skip
        super().__init__(on_state)
        self.camera, self.recorder = camera, recorder
        self._begin_with, self._scheduled, self._on_change = pipeline, tuple(changes), on_change
        self._order_of = partial(Order, device=device, roi=roi, batch=batch or START, pictures=pictures, exact=exact,
                                 sample=sample)  # fmt: skip
        self._changed: deque[AnyChange] = deque(maxlen=MOST_CHANGES)
        self._built: Built | None = None
        self._restructuring: Restructuring | None = None

    def prepare(self) -> Built:
        """Compile; `start` does so too where it was not done. What a recorder's manifest tells is known then.

        Raises:
            InputError: the pipeline or a scheduled change does not fit the camera.
        """
        if self._built is None:
            order = self._order_of(self.camera.info)
            scheduled = resolved(self._begin_with, self._scheduled)
            self._built = warm(build_checked(self._begin_with, order), order)
            self._changes = Changes(scheduled, self._said)
            self._restructuring = Restructuring(order, self._begin_with, self._changes, self._note)
            self._restructuring.compile_scheduled(scheduled)
            self._note(self._built.note)
        return self._built

    def _said(self, change: AnyChange) -> None:
        """A change takes effect (engine thread)."""
        self._changed.append(change)
        if self.recorder is not None and isinstance(change, Structure):
            self.recorder.event(taps.STRUCTURE, change.frame, pipeline=dumps(change.pipeline))
        elif self.recorder is not None and not isinstance(change, Structure):
            self.recorder.event(taps.PARAMETER, change.frame, node=change.node, param=change.param, value=change.value)
        if self._on_change is not None:
            self._on_change(change)

    @property
    def pipeline(self) -> Pipeline:
        """What frames are processed with now, every live parameter included."""
        return self._begin_with if self._restructuring is None else self._restructuring.pipeline

    @property
    def target(self) -> Pipeline:
        """What frames are processed with once all that was asked for holds; another one than `pipeline` while that is
        compiled."""
        return self._begin_with if self._restructuring is None else self._restructuring.target

    def set_param(self, node: str, param: str, value: Value) -> None:
        """Change a parameter at the next boundary of batches; a structural one of a stage goes through
        `change_pipeline`.

        Raises:
            DefinitionError: no such node or parameter, or a bad value.
        """
        self.prepare()
        assert self._restructuring is not None
        self._restructuring.set_param(node, param, value)

    def change_pipeline(self, pipeline: Pipeline) -> None:
        """Compile another pipeline in the background and go over to it at a boundary (see `changes`); frames are
        processed with the old one until then, and on if it cannot be compiled (`notes`).

        Raises:
            InputError: it does not fit the camera.
        """
        self.prepare()
        assert self._restructuring is not None
        self._restructuring.ask(pipeline)
