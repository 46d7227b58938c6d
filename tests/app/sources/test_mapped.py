"""A mapped clip takes no more memory the longer it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.sources.array import ArraySource

STATM = Path("/proc/self/statm")


@pytest.mark.skipif(not STATM.exists(), reason="the system does not tell what is resident")
def test_pages_that_were_read_are_given_back(tmp_path: Path) -> None:
    clip = np.lib.format.open_memmap(tmp_path / "a.npy", "w+", np.uint8, (20, 2048, 4096))
    clip[:] = np.arange(20, dtype=np.uint8)[:, None, None]
    clip.flush()
    del clip
    source = ArraySource(tmp_path / "a.npy")
    held = source.read(0)
    out = np.empty((2048, 4096), np.uint8)
    source.read(1, out=out)
    pages = [int(STATM.read_text().split()[1])]
    for k in range(20):
        assert (source.read(k, out=out) == k).all()
        pages.append(int(STATM.read_text().split()[1]))
    assert (max(pages) - pages[0]) * 4096 < 80 << 20  # of 160 MB
    assert not held.any()  # a view outlives the giving back
    source.close()
