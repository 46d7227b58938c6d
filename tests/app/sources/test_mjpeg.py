"""Motion JPEG whose pictures lack tables, and lists of entry points that are damaged."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.sources.mjpeg import lacking, tables_in
from app.sources.opening import open_source
from kernels.errors import BadFrame
from kernels.opencv import cv2
from tests.app.sources.writers import moving_square, write_video

FRAMES = 12


def _frames(path: Path) -> list[Any]:
    with closing(open_source(path)) as source:
        return [source.read(k).copy() for k in range(source.info.frames)]


def test_tables() -> None:
    picture = np.zeros((16, 16, 3), np.uint8)
    whole = bytes(cv2.imencode(".jpg", picture)[1])
    tables = {(0xDB, 0), (0xDB, 1), (0xC4, 0), (0xC4, 16), (0xC4, 1), (0xC4, 17)}
    assert tables_in(whole) == {*tables, (0xD9, 0)}
    assert all(tables_in(whole[:n]) <= tables for n in range(len(whole)))
    few = frozenset({(0xDB, 0)})
    assert lacking([frozenset(tables), few, frozenset(tables)]) == [1]
    assert lacking([few, frozenset(tables), few]) == []  # more than the others have is no harm
    assert lacking([]) == []


def test_a_picture_without_its_tables_is_refused(tmp_path: Path) -> None:
    """The decoder would take those of whatever it decoded before."""
    path = write_video(tmp_path / "a.avi", moving_square(FRAMES), "mjpeg", "yuvj420p")
    frames, data = _frames(path), bytearray(path.read_bytes())
    at = -1
    for _ in range(6):
        at = data.index(b"\xff\xdb", at + 1)
    data[at + 1] = 0xEF
    path.write_bytes(data)
    with closing(open_source(path)) as source:
        for k in (5, *range(FRAMES), 5, 11, 5):
            if k == 5:
                with pytest.raises(BadFrame, match=r"tables or its end|cannot be decoded"):
                    source.read(k)
            else:
                np.testing.assert_array_equal(source.read(k), frames[k])


def _outcomes(path: Path, order: Sequence[int]) -> dict[int, bytes]:
    """The pixels of frames that are read in this order; of bad ones nothing."""
    found: dict[int, bytes] = {}
    with closing(open_source(path)) as source:
        for k in order:
            try:
                found[k] = source.read(k).tobytes() if k < source.info.frames else b""
            except BadFrame:
                found[k] = b""
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_list_of_entry_points_that_leads_elsewhere(tmp_path: Path, seed: int) -> None:
    path = write_video(tmp_path / "a.avi", moving_square(FRAMES), "mjpeg", "yuvj420p")
    frames, data = [frame.tobytes() for frame in _frames(path)], bytearray(path.read_bytes())
    rng, entries = np.random.default_rng(seed), data.index(b"idx1") + 8
    at = entries + int(rng.integers(0, 16 * (FRAMES - 1)))
    data[at : at + 16] = rng.bytes(16)
    path.write_bytes(data)
    in_order = _outcomes(path, range(FRAMES))
    for start in (8, 3):
        assert _outcomes(path, [(start - 5 * k) % FRAMES for k in range(FRAMES)]) == in_order
    assert set(in_order.values()) <= {*frames, b""}
