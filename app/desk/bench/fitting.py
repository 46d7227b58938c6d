"""Whether a pipeline fits what is open, found out beside: wide filters take a tenth of a second to be written down."""

from __future__ import annotations

import threading

from kernels.errors import FusetrackError
from pipelines.frame import SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine.tracking import make_bound_tracker

AT_ONCE = 0.015
"""Seconds within which most pipelines are found to fit, and that are waited for."""


class Fitting:
    """One look, in a thread of its own.

    Attributes:
        pipeline: what is looked at. trouble: why it does not fit, "" if it does; once `done`.
    """

    def __init__(self, pipeline: Pipeline, info: SourceInfo, roi: Roi | None) -> None:
        self.pipeline, self.trouble = pipeline, ""
        self._info, self._roi = info, roi
        self._thread = threading.Thread(target=self._work, name="fit", daemon=True)
        self._thread.start()
        self._thread.join(AT_ONCE)

    @property
    def done(self) -> bool:
        """Whether it is known."""
        return not self._thread.is_alive()

    def _work(self) -> None:
        try:
            bound = bound_for(self.pipeline, self._info, self._roi)
            for tracker in bound.trackers:
                make_bound_tracker(tracker, bound, self._info.time.fps)  # refuses points outside the picture
        except FusetrackError as error:
            self.trouble = str(error)
        except Exception as error:
            said = " ".join(str(error).split())
            self.trouble = f"the pipeline cannot be looked at: {type(error).__name__}: {said} (a defect)"
