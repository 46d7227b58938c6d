"""What a look at a clip's pixels tells before anything is computed from them: black pictures, depths that do not fit.
"""

from __future__ import annotations

from contextlib import suppress

from app.sources.base import BITS_GIVEN, ClipSource
from kernels.errors import BadFrame
from kernels.ir.image import U16
from pipelines.frame import Pixels

DEPTHS = (8, 10, 12, 14)
"""Bits of the converters of cameras, whose values come in 16."""
AHEAD = 20
"""Frames that are looked at for one with a picture, where the first has none."""


def remarks(source: ClipSource) -> list[str]:
    """Sentences about the pixels of a clip.

    Args:
        source: as it was opened.
    """
    info = source.info
    deep = info.image.dtype == U16 and info.format.packing == "none" and not info.format.lut
    last = info.frames - 1 if source.near and deep else 0
    looked: dict[int, Pixels] = {}
    for k in dict.fromkeys((0, last // 2, last)):
        with suppress(BadFrame):
            looked[k] = source.read(k)
    return [*_black(source, looked.get(0)), *(_depth(source, looked) if deep and looked else ())]


def _black(source: ClipSource, first: Pixels | None) -> list[str]:
    frames = min(AHEAD, source.info.frames)
    if first is None or frames < 2 or first.min() != first.max():
        return []
    said = f"frame 0 holds no picture (all of it is {first.flat[0]})"
    for k in range(1, frames):
        with suppress(BadFrame):
            picture = source.read(k)
            if picture.min() != picture.max():
                return [f"{said}, frame {k} is the first that does: leave out what is before it with --frames {k}:"]
    return [f"{said}, nor {'does the one' if frames == 2 else f'do the {frames - 1}'} after it"]


def _depth(source: ClipSource, looked: dict[int, Pixels]) -> list[str]:
    info, form = source.info, source.info.format
    given = bool(info.metadata.get(BITS_GIVEN))
    tops = {k: int(pixels.max()) >> form.shift for k, pixels in looked.items()}
    frame = max(tops, key=lambda k: tops[k])
    top = tops[frame]
    if top >> form.bits:
        whose = "you say" if given else "the file states"
        return [f"frame {frame} holds values up to {top}, more than the {form.bits} bits that {whose} can hold; "
                f"it takes --bits {top.bit_length()}"]  # fmt: skip
    fits = next((bits for bits in DEPTHS if not top >> bits), 16)
    if given or form.bits < 16 or fits == 16 or not top:
        return []
    where = "the clip" if len(looked) == info.frames else f"the {len(looked)} frames looked at"
    return [f"the file says 16 bits, and no value of {where} is above {top}: if the camera gives {fits} bits, say so "
            f"with --bits {fits}, for levels are shares of white"]  # fmt: skip
