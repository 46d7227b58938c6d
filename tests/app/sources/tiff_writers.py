"""Camera raw files (DNG) and odd TIFF stacks that the tests write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import tifffile

CFA = 32803
PATTERNS = {"rggb": (0, 1, 1, 2), "bggr": (2, 1, 1, 0), "grbg": (1, 0, 2, 1), "gbrg": (1, 2, 0, 1)}
VERSION = (50706, 1, 4, bytes([1, 4, 0, 0]), True)


def pattern_tags(pattern: Sequence[int], size: tuple[int, int] = (2, 2)) -> list[Any]:
    """The tags of a colour mosaic."""
    return [(33421, 3, 2, size, True), (33422, 1, len(pattern), bytes(pattern), True)]


def raw_picture(bits: int, seed: int = 0, shape: tuple[int, int] = (16, 32)) -> Any:
    """Values of all `bits`."""
    made = np.random.default_rng(seed).integers(0, 1 << bits, shape)
    return made.astype(np.uint8 if bits <= 8 else np.uint16)


def write_dng(
    path: Path, raw: Any, bits: int, how: str = "packed", *, pattern: Sequence[int] = PATTERNS["rggb"],
    preview: bool = False, tags: Sequence[Any] = (), first_tags: Sequence[Any] = (), byteorder: str = "<",
) -> Path:  # fmt: skip
    """A DNG of one raw picture.

    Args:
        path: the file.
        raw: (height, width).
        bits: of each sample.
        how: "packed" (whole bytes for 8 and 16 bits), "ljpeg" (lossless JPEG, tiles of two interleaved columns of
            16 x 16, as Adobe's converter writes them; for pictures 16 high), "ljpeg strip" (of one component).
        pattern: of the colour filters.
        preview: whether it lies behind a small RGB picture, as its sub-directory.
        tags: of the raw picture.
        first_tags: of the first directory.
    """
    options: dict[str, Any] = {"photometric": CFA, "metadata": None}
    data: Any = raw
    own = [*pattern_tags(pattern), *tags]
    if how == "packed":
        options["bitspersample"] = bits if bits not in (8, 16) else None
    elif how == "ljpeg":
        tiles = (raw[:, x : x + 16].reshape(16, 8, 2) for x in range(0, raw.shape[1], 16))
        data = (imagecodecs.jpeg_encode(np.ascontiguousarray(t), lossless=True, bitspersample=bits) for t in tiles)
        options |= {"compression": 7, "tile": (16, 16), "shape": raw.shape, "dtype": raw.dtype}
    else:
        options |= {"compression": 7, "compressionargs": {"lossless": True, "bitspersample": bits}}
    with tifffile.TiffWriter(path, byteorder=byteorder) as writer:
        if preview:
            small = np.full((4, 6, 3), 99, np.uint8)
            writer.write(small, photometric="rgb", subfiletype=1, subifds=1, metadata=None,
                         extratags=[VERSION, *first_tags])  # fmt: skip
            writer.write(data, subfiletype=0, extratags=own, **options)
        else:
            writer.write(data, extratags=[VERSION, *own, *first_tags], **options)
    return path
