"""What a live run computes: the pipeline that it begins with, compiled, and as it changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from kernels.param import Value
from pipelines.frame import Camera, Pixels
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange, Changes, Structure
from pipelines.streaming.common.states import RunState
from pipelines.streaming.common.watched import Watched
from pipelines.streaming.engine.building import Built, Order
from pipelines.streaming.engine.restructuring import Restructuring, build_checked
from pipelines.streaming.engine.settings import resolved
from pipelines.streaming.engine.warming import warm
from pipelines.streaming.live import taps
from pipelines.streaming.live.batching import START
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.ledger import LiveLedger
from pipelines.streaming.live.options import LiveOptions
from pipelines.streaming.live.taps import FrameTap
from pipelines.writing import dumps

MOST_CHANGES = 10_000
"""Changes that a report keeps."""


class LivePipeline(Watched):
    """The part of a `LiveRunner` that knows of pipelines; see there for what it is given."""

    def __init__(
        self, camera: Camera, pipeline: Pipeline, options: LiveOptions, recorder: FrameTap | None,
        changes: Iterable[AnyChange], sample: Pixels | None,
        on_state: Callable[[RunState], None] | None, on_change: Callable[[AnyChange], None] | None,
    ) -> None:  # fmt: skip
        super().__init__(on_state)
        self.camera, self.options = camera, options
        self._episodes = [Episode(recorder)]
        self._computing = self._episodes[0]
        """What the engine is at; the others that have not ended are before it or behind it."""
        self._begin_with, self._scheduled, self._on_change = pipeline, tuple(changes), on_change
        self._sample = sample
        self._changed: deque[AnyChange] = deque(maxlen=MOST_CHANGES)
        self._built: Built | None = None
        self._restructuring: Restructuring | None = None

    def prepare(self) -> Built:
        """Compile; `start` does so too where it was not done. What a recorder's manifest tells is known then.

        Raises:
            InputError: the pipeline or a scheduled change does not fit the camera.
        """
        if self._built is None:
            order = Order.of(self.camera.info, self.options, self.options.batch or START, self._sample)
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
        if isinstance(change, Structure):
            self._computing.event(taps.STRUCTURE, change.frame, pipeline=dumps(change.pipeline))
        else:
            self._computing.event(taps.PARAMETER, change.frame, node=change.node, param=change.param,
                                  value=change.value)  # fmt: skip
        if self._on_change is not None:
            self._on_change(change)

    @property
    def episode(self) -> Episode:
        """The newest one, though the frames of the one before may still be on their way."""
        return self._episodes[-1]

    @property
    def ledger(self) -> LiveLedger:
        """That of the newest episode."""
        return self.episode.ledger

    @property
    def recorder(self) -> FrameTap | None:
        """That of the newest episode; may be set until `start`."""
        return self.episode.recorder

    @recorder.setter
    def recorder(self, recorder: FrameTap | None) -> None:
        self.episode.recorder = recorder

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
