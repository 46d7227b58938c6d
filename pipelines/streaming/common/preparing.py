"""Before a run: the pipeline bound to a clip, and which of its frames."""

from __future__ import annotations

from dataclasses import replace

from kernels.errors import InputError
from pipelines.frame import FrameSource, SourceInfo
from pipelines.frontend import Roi, crop_nodes, front_nodes, in_region
from pipelines.graph import Bound, Pipeline, bind
from pipelines.streaming.common.still import asking, still_of


def bound_for(pipeline: Pipeline, info: SourceInfo, roi: Roi | None = None) -> Bound:
    """The pipeline bound to a source: its front end, its crop, every type inferred.

    Raises:
        InputError: a region outside the picture, a pipeline that does not fit the source.
    """
    image, form = info.image, info.format
    if form.packing == "none":
        image = replace(image, bits=min(form.bits + form.shift, image.dtype.bits))
    return bind(in_region(pipeline, roi), image, front_nodes(info), crop_nodes(info, roi))


def prepare(pipeline: Pipeline, source: FrameSource, roi: Roi | None = None) -> Bound:
    """A pipeline bound to a clip (`bound_for`). What remembers begins with its still picture, if it asks for that."""
    bound = bound_for(pipeline, source.info, roi)
    return replace(bound, still=still_of(source)) if asking(pipeline) else bound


def frame_range(frames: int, wanted: tuple[int | None, int | None] | None) -> tuple[int, int]:
    """First frame and one past the last, of `wanted` a:b (negative counts from the end, None is open).

    An end beyond the clip is the clip's: the first 200 frames of a clip of 150 are all of them.

    Raises:
        InputError: empty, or it begins outside the clip.
    """
    if wanted is None:
        return 0, frames
    a, b = (v + frames if v is not None and v < 0 else v for v in wanted)
    first, end = 0 if a is None else a, frames if b is None else min(b, frames)
    text = ":".join("" if v is None else str(v) for v in wanted)
    if first < 0 or first >= frames:
        raise InputError(f"the frame range {text} reaches outside the clip, which has frames 0:{frames}")
    if first >= end:
        raise InputError(f"the frame range {text} is empty")
    return first, end
