"""What a live run is to compute, as it changes: parameters at once, other pipelines once they are compiled."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from kernels.errors import FusetrackError
from kernels.param import Value
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import AnyChange, Change, Changes, Structure
from pipelines.streaming.common.latest_slot import LatestSlot
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.common.still import check_unforeseen
from pipelines.streaming.engine.building import Built, Order, build
from pipelines.streaming.engine.settings import after, check_tracker, checked, is_tracker
from pipelines.streaming.engine.tracking import make_bound_tracker
from pipelines.streaming.engine.warming import warm


def build_checked(pipeline: Pipeline, order: Order) -> Built:
    """As `build`, and every tracker can be made.

    Raises:
        InputError: the pipeline does not fit the source, or nothing can run it.
    """
    built = build(pipeline, order)
    for node in built.bound.trackers:
        make_bound_tracker(node, built.bound, order.info.time.fps)
    return built


class Restructuring:
    """The pipelines of one live run.

    A pipeline that is asked for is compiled by `work`, in a thread of its own; of several that are asked for meanwhile
    the newest counts. Parameters that change while it is compiled change in both.

    Args:
        order: how to build.
        pipeline: what the run begins with.
        changes: where changes are put for the engine.
        note: called with a sentence where a pipeline cannot be compiled.
    """

    def __init__(self, order: Order, pipeline: Pipeline, changes: Changes, note: Callable[[str], None]) -> None:
        self.order, self._changes, self._note = order, changes, note
        self._lock = threading.RLock()
        self._base = self._target = pipeline
        self._settings: dict[str, Value] = {}
        self._ready: dict[int, deque[Built]] = {}
        self._asked: LatestSlot[Pipeline] = LatestSlot()
        self._pending: Pipeline | None = None
        self._later: list[Change] = []

    @property
    def pipeline(self) -> Pipeline:
        """What frames are processed with now."""
        with self._lock:
            return self._base.with_settings(self._settings)

    @property
    def target(self) -> Pipeline:
        """What frames are processed with once all that was asked for holds, but for what cannot be compiled."""
        with self._lock:
            return self._target

    def compile_scheduled(self, changes: Sequence[AnyChange]) -> None:
        """Compile what is scheduled, before the run begins."""
        for change in changes:
            if isinstance(change, Structure):
                self._add(warm(build_checked(change.pipeline, self.order), self.order))

    def set_param(self, node: str, param: str, value: Value) -> None:
        """See `LiveRunner.set_param`."""
        with self._lock:
            change = checked(self._target, node, param, value)
            if isinstance(change, Structure):
                self.ask(change.pipeline)
                return
            if is_tracker(self._target, node):
                check_tracker(bound_for(self._target, self.order.info, self.order.roi), change, self.order.roi)
            self._target = after(self._target, change)
            # While another pipeline is compiled the change is made in both: now, if the running one has the parameter,
            # and again once the other runs.
            if self._pending is not None:
                self._later.append(change)
                if not self._fits(change):
                    return
            self._changes.put(change)

    def _fits(self, change: Change) -> bool:
        """Whether the pipeline that runs now has this live parameter."""
        try:
            return isinstance(checked(self.pipeline, change.node, change.param, change.value), Change)
        except FusetrackError:
            return False

    def ask(self, pipeline: Pipeline) -> None:
        """Have a pipeline compiled; it is put to the changes then.

        Raises:
            InputError: it does not fit the source, or asks for frames that are still to come.
        """
        check_unforeseen(pipeline)
        with self._lock:
            bound_for(pipeline, self.order.info, self.order.roi)
            self._target, self._pending, self._later = pipeline, pipeline, []
            self._asked.put(pipeline)

    def work(self) -> None:
        """Compile what is asked for, until `close`."""
        while (pipeline := self._asked.take(None)) is not None:
            try:
                built = warm(build_checked(pipeline, self.order), self.order)
            except Exception as error:  # whatever it is, the old pipeline runs on
                self._failed(pipeline, error)
                continue
            with self._lock:
                # A newer one has been asked for meanwhile: this one is thrown away.
                if pipeline is not self._pending:
                    continue
                self._pending = None
                self._add(built)
                self._changes.put(Structure(-1, pipeline))
                for change in self._later:
                    self._changes.put(change)

    def _failed(self, pipeline: Pipeline, error: Exception) -> None:
        said = str(error) if isinstance(error, FusetrackError) else f"{type(error).__name__}: {error}"
        with self._lock:
            if pipeline is self._pending:
                # The target is what runs, again.
                self._pending, self._target = None, self.pipeline
        self._note(f"the pipeline {pipeline.name!r} cannot be compiled, so the one before runs on: {said}")

    def _add(self, built: Built) -> None:
        self._ready.setdefault(id(built.pipeline), deque()).append(built)

    def ready(self, pipeline: Pipeline) -> Built:
        """The engine that was compiled for a `Structure`; each is given out once."""
        with self._lock:
            return self._ready[id(pipeline)].popleft()

    def applied(self, change: AnyChange) -> None:
        """A change holds from now on."""
        with self._lock:
            if isinstance(change, Structure):
                self._base, self._settings = change.pipeline, {}
            else:
                self._settings[f"{change.node}.{change.param}"] = change.value

    def close(self) -> None:
        """End `work`."""
        self._asked.close()
