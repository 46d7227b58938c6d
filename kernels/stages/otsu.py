"""Threshold that each frame chooses for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import BOOL, U8, ImageType
from kernels.loops.calling import call
from kernels.param import Value
from kernels.regions.otsu_loops import otsu_bin
from kernels.regions.otsu_mask import BINS, OtsuMask
from kernels.stage import stage
from kernels.stages.threshold import POLARITY


@stage(category="Masks", params=(POLARITY,), opaque=True)
def otsu(image: ValueType, polarity: str) -> Host:
    """Otsu's threshold (IEEE Trans. SMC 9, 1979), bool: the level that separates a frame's two classes best.

    The level maximises w0 * w1 * (mean0 - mean1)**2 over a histogram: of the 256 values of u8 (as
    cv2.threshold(THRESH_OTSU), equal but where two levels tie within rounding), else of 256 equal bins from the
    frame's smallest to its largest finite value. Bright: in > level; dark: in <= level. A frame of one value has
    nothing bright (OpenCV finds level 0 there).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(otsu, np.array([[10, 12, 200, 201]], np.uint8))
    array([[False, False,  True,  True]])
    """
    if not isinstance(image, ImageType) or image.channels != 1 or image.dtype == BOOL:
        raise DefinitionError(f"it takes one channel of gray values, not {image}; put a `gray` stage before it")

    def run(inputs: Sequence[Datum | None], _params: Mapping[str, Value]) -> Mapping[str, Datum]:
        frame = np.asarray(inputs[0])
        level = otsu_level(frame)
        return {"out": frame > level if polarity == "bright" else frame <= level}

    decoder = OtsuMask((image.height, image.width), polarity == "bright") if image.dtype == U8 else None
    return Host({"out": image.with_(dtype=BOOL, bits=0)}, run, decoder=decoder)


def otsu_level(frame: npt.NDArray[Any]) -> float:
    """Otsu's level of one frame, in gray values; pixels above it are the bright class."""
    finite = frame[np.isfinite(frame)]
    if finite.size == 0 or finite.min() == finite.max():
        return float(finite.max()) if finite.size else 0.0
    if frame.dtype == U8.numpy:
        return float(_best(np.bincount(finite, minlength=BINS)))
    finite = finite.astype(np.float64)
    counts, edges = np.histogram(finite, BINS)
    edge = edges[_best(counts) + 1]
    # A bin holds its lower edge but not its upper one, "above the level" is the other way round.
    return float(np.nextafter(edge, -np.inf))


def _best(counts: npt.NDArray[Any]) -> int:
    """The last bin of the dark class."""
    return call(otsu_bin, np.ascontiguousarray(counts, np.int64), len(counts), np.empty(2 * len(counts)))
