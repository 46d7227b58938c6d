"""fusetrack's own contenders, and outputs in a form that can be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.benchmark.chains import boxes
from kernels.executors.base import Batch, executor
from kernels.ir.image import DTYPES, ImageType
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import Bound, Pipeline, Ref, bind
from pipelines.streaming.engine.engine import Engine

Array = npt.NDArray[Any]
MOMENTS = ("m00", "m10", "m01", "m20", "m11", "m02")


@dataclass(frozen=True, slots=True)
class Own:
    """A pipeline made ready: `run` takes its clip once more; `programs` are the names of what it runs, `fallbacks` why
    some of it runs on the reference."""

    run: Callable[[], Mapping[Ref, Batch]]
    programs: tuple[str, ...]
    fallbacks: tuple[str, ...] = ()


def bound_to(pipeline: Pipeline, clip: Array) -> Bound:
    """The pipeline for frames such as those of `clip`, (count, height, width[, channels])."""
    channels = clip.shape[3] if clip.ndim == 4 else 1
    return bind(pipeline, ImageType(DTYPES[_name(clip.dtype)], clip.shape[1], clip.shape[2], channels))


def _name(dtype: np.dtype[Any]) -> str:
    return next(name for name, known in DTYPES.items() if known.numpy == dtype)


def own(pipeline: Pipeline, clip: Array, back_end: str, threads: int, *, fused: bool) -> Own:
    """The pipeline on a back end, all stages between two host stages in one program, or one stage a program."""
    bound = bound_to(pipeline, clip)
    groups = largest_groups(bound, bound.taps) if fused else None
    device = executor(back_end, threads)
    made = Engine(bound, device, groups=groups)
    batch = FrameBatch(np.arange(len(clip)), np.arange(len(clip)) / 1000.0, clip)
    return Own(lambda: made.step(batch), tuple(made.programs), tuple(getattr(device, "fallbacks", ())))


def comparable(size: int, output: Batch) -> Array:
    """A mask as 0 and 255, a picture as it is, a table as moments (count, regions, 6) about each region's corner."""
    if isinstance(output, np.ndarray):
        return output.astype(np.uint8) * np.uint8(255) if output.dtype == np.bool_ else output
    rows = np.stack([table.rows for table in output])
    m00, m10, m01, m20, m11, m02 = (rows[name] for name in MOMENTS)
    x, y = (np.array([box[axis] for box in boxes(size)], np.int64) for axis in (0, 1))
    return np.stack((m00, m10 - x * m00, m01 - y * m00, m20 - 2 * x * m10 + x * x * m00,
                     m11 - x * m01 - y * m10 + x * y * m00, m02 - 2 * y * m01 + y * y * m00), axis=-1)  # fmt: skip


def difference(output: Array, wanted: Array, margin: int = 0) -> float:
    """The share of pixels that differ, `margin` pixels from the edges on; of tables, of their sums."""
    if wanted.dtype != np.uint8:
        return float(np.abs(output - wanted).sum() / max(np.abs(wanted).sum(), 1))
    inner = np.s_[:, margin : wanted.shape[1] - margin, margin : wanted.shape[2] - margin]
    return float(np.mean(output[inner] != wanted[inner])) if wanted[inner].size else 0.0


def same(a: Mapping[Ref, Batch], b: Mapping[Ref, Batch]) -> float:
    """The share of outputs (a frame of an output each) that are not the same to the bit."""
    wrong = [
        not all(np.array_equal(p, q, equal_nan=_is_float(p)) for p, q in zip(_fields(x), _fields(y), strict=True))
        for ref, batch in a.items() for x, y in zip(batch, b[ref], strict=True)
    ]  # fmt: skip
    return float(np.mean(wrong)) if wrong else 0.0


def _fields(datum: Any) -> list[Array]:
    if isinstance(datum, np.ndarray):
        return [datum]
    return [datum.rows[name] for name in datum.rows.dtype.names] + [np.array(datum.overflow)]


def _is_float(array: Array) -> bool:
    return array.dtype.kind == "f"
