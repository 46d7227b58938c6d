"""Parameters and pipelines that are changed while a clip is played; what has to be compiled is compiled beside."""

from __future__ import annotations

import threading
from functools import partial

from kernels.errors import FusetrackError
from kernels.param import Value
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import Change, Structure
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine.restructuring import build_checked
from pipelines.streaming.engine.settings import after, check_tracker, checked, is_tracker
from pipelines.streaming.playback.player import Player


class Tuned(Player):
    """What plays, and is changed meanwhile; any thread may call what is here."""

    def set_param(self, node: str, param: str, value: Value, frame: int | None = None) -> None:
        """From the frame after the one that is shown on (or from `frame` on); the frames before keep their values.

        Raises:
            DefinitionError: no such node or parameter, or a bad value.
        """
        if self._whole and self._set_later(node, param, value):
            return
        at = self._goal + 1 if frame is None else frame
        change = checked(self.timeline.pipeline_at(at), node, param, value, at)
        if isinstance(change, Structure):
            self.change_pipeline(change.pipeline, frame)
            return
        if is_tracker(self.timeline.pipeline_at(at), node):
            bound = bound_for(self.timeline.pipeline_at(at), self.source.info, self.order.roi)
            check_tracker(bound, change, self.order.roi)
        value = change.value
        self._command(lambda: self._insert(Change(self._frame(frame), node, param, value)))

    def change_pipeline(self, pipeline: Pipeline, frame: int | None = None) -> None:
        """Compile in the background, and go over at the frame after the one that is shown then (or at `frame`).

        Raises:
            InputError: it does not fit the clip.
        """
        bound_for(pipeline, self.source.info, self.order.roi)
        self.prepare()
        with self._pending_lock:
            self._asked += 1
            number, self._pending, self._later = self._asked, pipeline, []

        def work() -> None:
            try:
                built = build_checked(pipeline, self.order)
            except Exception as error:  # whatever it is, the old pipeline goes on
                self._notes.append(f"the pipeline {pipeline.name!r} cannot be compiled, so the one before goes on: "
                                   f"{error}")  # fmt: skip
                with self._pending_lock:
                    if number == self._asked:
                        self._pending = None
                return
            with self._pending_lock:
                # A later wish for another pipeline makes this one void.
                if number != self._asked:
                    return
                later, self._pending = self._later, None
                self._command(lambda: self._insert(Structure(self._frame(frame), pipeline), built))
                # Under the lock still: a change made meanwhile waits for it, and so comes behind these.
                for change in later:
                    self._command(partial(self._insert, change))

        if self._machine.state is RunState.IDLE:
            work()
        else:
            threading.Thread(target=work, name="compile", daemon=True).start()

    def _set_later(self, node: str, param: str, value: Value) -> bool:
        """A parameter that is changed while another pipeline is compiled is changed in that, too; False if it is to be
        changed in the one that runs, as ever.

        Raises:
            DefinitionError: the other pipeline has no such node or parameter, or a bad value.
        """
        with self._pending_lock:
            if self._pending is None:
                return False
            target = self._pending
            for one in self._later:
                target = after(target, one)
            change = checked(target, node, param, value)
            if isinstance(change, Structure):
                self.change_pipeline(change.pipeline)
                return True
            if is_tracker(target, node):
                check_tracker(bound_for(target, self.source.info, self.order.roi), change, self.order.roi)
            self._later.append(change)
            try:
                now = checked(self.timeline.pipeline_at(self._goal + 1), node, param, value)
            except FusetrackError:
                return True  # what runs has nothing of the kind
            # What runs has such a parameter, too: it is changed in both, so that the change shows at once.
            return not isinstance(now, Change)
