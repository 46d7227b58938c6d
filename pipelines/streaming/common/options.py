"""The options that runs share: of a clip, of a film, of a camera."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.frontend import Roi


@dataclass(frozen=True, kw_only=True)
class Computation:
    """What computes, on which part of the frames.

    Args:
        device: "cpu", "cuda", "cuda:1" ..., "reference" (NumPy), or "auto" for the fastest that can be had; with "auto"
            the processor takes over from a GPU that fails.
        roi: x, y, width, height in px that frames are cropped to; tracks come back in coordinates of the whole picture.
        exact: whether every bit is that of the stages as they are written (`pipelines.fusing.fuse`).
        pictures: whether results carry the plain picture (for an overlay, a window).
    """

    device: str = "auto"
    roi: Roi | None = None
    exact: bool = True
    pictures: bool = False


@dataclass(frozen=True, kw_only=True)
class RunOptions(Computation):
    """Of a run through a clip.

    Args:
        batch: frames a batch, at most; results do not depend on it.
        tune_first: time the planner's best groups on the clip's first frames, and keep the fastest for later runs.
        measures: of rows that results carry besides (`pipelines.measures`); () for none.
    """

    batch: int = 16
    tune_first: bool = False
    measures: tuple[str, ...] = ()
