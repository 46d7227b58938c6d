"""Pictures of figures as PNG (ISO/IEC 15948), in a third of the time that a general writer takes: figures are flat."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

LEVEL = 1
"""Of zlib: the lowest. The next ones make a figure a fiftieth smaller, in a tenth more of the time."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_UP = 2
"""The filter by which each row is written as what it differs from the one above."""
_INCH = 0.0254
"""m."""


def png(pixels: npt.NDArray[np.uint8], dpi: float) -> bytes:
    """A PNG file.

    Args:
        pixels: (height, width, 3 or 4) red, green, blue, opacity; the last is left out where all of it is opaque.
        dpi: pixels an inch.
    """
    shown = pixels[:, :, :3] if (pixels[:, :, 3:] == 255).all() else pixels
    high, wide, channels = shown.shape
    rows = np.ascontiguousarray(shown).reshape(high, wide * channels)
    data = np.empty((high, 1 + wide * channels), np.uint8)
    data[:, 0] = _UP
    data[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=data[1:, 1:])  # modulo 256, as the filter has it
    # What is flat is nothing but runs of 0 then, so that runs are all that is looked for.
    packer = zlib.compressobj(LEVEL, strategy=zlib.Z_RLE)
    packed = packer.compress(data.data) + packer.flush()
    metre = round(dpi / _INCH)
    head = struct.pack(">IIBBBBB", wide, high, 8, 2 if channels == 3 else 6, 0, 0, 0)
    parts: list[tuple[bytes, Any]] = [(b"IHDR", head), (b"pHYs", struct.pack(">IIB", metre, metre, 1)),
                                      (b"IDAT", packed), (b"IEND", b"")]  # fmt: skip
    return _SIGNATURE + b"".join(_chunk(kind, part) for kind, part in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
