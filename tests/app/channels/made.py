"""Files of samples that tests write."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt


def text(path: Path, words: str | bytes) -> Path:
    """A file of words."""
    path.write_bytes(words.encode() if isinstance(words, str) else words)
    return path


def wav(path: Path, values: npt.NDArray[np.generic], rate: int, kind: int = 1, bits: int = 0, cut: int = 0) -> Path:
    """(n, channels) as a WAV file; of 24 bits as i4 whose lowest byte is left out."""
    channels = values.shape[1]
    bits = bits or 8 * values.dtype.itemsize
    raw = values.astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes() if bits == 24 else values.tobytes()
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    body = b"WAVE" + b"LIST" + struct.pack("<I", 3) + b"abc\0" + b"fmt " + struct.pack("<I", 16) + form
    body += b"data" + struct.pack("<I", len(raw)) + raw
    data = b"RIFF" + struct.pack("<I", len(body)) + body
    path.write_bytes(data[: len(data) - cut])
    return path
