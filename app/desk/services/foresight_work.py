"""Which points cannot be as precise as is asked; runs in a process beside the window (`foresight`)."""

from __future__ import annotations

from app.desk.services.foresight import ForesightAsk
from app.foresight import precision_hints
from app.sources.opening import open_source
from pipelines.definition import loads
from pipelines.streaming.common.preparing import bound_for


def hints(ask: ForesightAsk) -> list[str]:
    """A sentence for each tracker some of whose points are too imprecise.

    Raises:
        InputError: the clip cannot be opened, or the pipeline does not fit it.
        BadFrame: a frame that is looked at cannot be read.
    """
    source = open_source(ask.what, ask.reading)
    try:
        bound = bound_for(loads(ask.pipeline), source.info, ask.roi)
        return precision_hints(source, bound, ask.frames, ask.roi[:2] if ask.roi else (0, 0))
    finally:
        source.close()
