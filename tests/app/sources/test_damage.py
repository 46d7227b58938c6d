"""Hundreds of damaged files: only SourceError and BadFrame come out, in bounded memory, and no wrong shapes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.sources.opening import open_source
from kernels.errors import BadFrame, SourceError
from tests.app.sources.writers import moving_square, picture, write_cine, write_mraw, write_video

COPIES = 60
BUDGET = 16 << 20
"""Python and NumPy bytes that opening and reading a damaged file of some 20 kB may take."""


def make_cine(folder: Path) -> Path:
    stamps = [(1_500_000_000, k << 20) for k in range(4)]
    return write_cine(folder / "a.cine", [picture(6, 8, 4095, k) for k in range(4)], bits=16, stamps=stamps)


def make_packed(folder: Path) -> Path:
    return write_cine(folder / "a.cine", [picture(6, 8, 1023, k) for k in range(4)], bits=10, annotation=b"abcd")


def make_cih(folder: Path) -> Path:
    return write_mraw(folder / "a.mraw", [picture(6, 8, 4095, k) for k in range(4)], bits=12).with_suffix(".cih")


def make_cihx(folder: Path) -> Path:
    stored = [picture(6, 8, 4095, k) for k in range(4)]
    return write_mraw(folder / "a.mraw", stored, bits=16, header="cihx").with_suffix(".cihx")


def make_mraw(folder: Path) -> Path:
    return write_mraw(folder / "a.mraw", [picture(6, 8, 4095, k) for k in range(4)], bits=12)


def make_avi(folder: Path) -> Path:
    return write_video(folder / "a.avi", moving_square(12), "mjpeg", "yuvj420p")


def make_mp4(folder: Path) -> Path:
    return write_video(folder / "a.mp4", moving_square(12), "libx264", "yuv420p")


def make_npy(folder: Path) -> Path:
    np.save(folder / "a.npy", np.zeros((4, 6, 8), np.uint16))
    return folder / "a.npy"


MAKERS: list[tuple[Callable[[Path], Path], int, int]] = [
    # maker, start and length of the part that is damaged first
    (make_cine, 0, 84),
    (make_cine, 84 + 740, 170),  # flips, rate, colour filter, depth in the camera settings
    (make_cine, 84 + 10412, 120),  # stamps, offsets, annotations
    (make_packed, 0, 84),
    (make_packed, 84 + 10412, 80),
    (make_cih, 0, 500),
    (make_cihx, 0, 1400),
    (make_mraw, 0, 100),
    (make_avi, 0, 400),
    (make_avi, 0, 12000),
    (make_mp4, 0, 12000),
    (make_npy, 0, 128),
]


def damage(data: bytes, rng: Any, start: int, length: int) -> bytes:
    """A copy with flipped bits, overwritten words, or a cut."""
    copy = bytearray(data)
    end = min(len(copy), start + length)
    kind = rng.integers(0, 5)
    if kind == 4:
        return bytes(copy[: rng.integers(1, len(copy))])
    for _ in range(rng.integers(1, 6)):
        at = int(rng.integers(start, end))
        if kind <= 1:
            copy[at] ^= 1 << int(rng.integers(0, 8))
        elif kind == 2:
            copy[at : at + 4] = rng.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80"])
        else:
            copy[at] = int(rng.integers(0, 256))
    return bytes(copy)


@pytest.mark.parametrize(("make", "start", "length"), MAKERS, ids=[f"{m.__name__}-{s}-{n}" for m, s, n in MAKERS])
def test_damaged_files(tmp_path: Path, make: Callable[[Path], Path], start: int, length: int) -> None:
    path = make(tmp_path)
    data = path.read_bytes()
    rng = np.random.default_rng([start, length, len(data)])
    sentences: list[str] = []
    served = 0
    for _ in range(COPIES):
        path.write_bytes(damage(data, rng, start, length))
        tracemalloc.start()
        try:
            source = open_source(path)
        except SourceError as error:
            sentences.append(str(error))
        else:
            served += 1
            info = source.info
            assert info.frames >= 1
            assert info.image.nbytes <= 1 << 30
            for k in {0, 1, info.frames // 2, info.frames - 1}:
                try:
                    frame = source.read(min(k, info.frames - 1))
                    assert (frame.shape, frame.dtype) == (info.image.shape, info.image.dtype.numpy)
                except BadFrame:
                    continue
            source.close()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < BUDGET
    assert len(sentences) + served == COPIES
    assert all(str(tmp_path) in text and "\n" not in text for text in sentences)
    assert served  # damage is not always fatal
