"""Damaged videos, TIFF files and raw photographs: nothing but sentences, no endless work, the same at random as in
order, and no wrong pixels where check sums could tell. FUSETRACK_MUTATIONS=60 tries 780 copies (`mutations.py` prints
what became of them)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.sources.mutations import CHECKED, MAKERS, SUMMED
from tests.patience import PATIENCE

CASES = int(os.environ.get("FUSETRACK_MUTATIONS", "12"))


@pytest.fixture(scope="module")
def table() -> dict[str, dict[str, int]]:
    """What became of the frames by format; a process of its own, which may be ended where it hangs."""
    command = [sys.executable, "-m", "tests.app.sources.mutations", str(CASES), "--frames-alone"]
    done = subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, text=True,
                          timeout=PATIENCE + 4 * CASES)  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    if any("error" in classes for classes in found.values()):
        print(done.stderr)
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_copies(table: dict[str, dict[str, int]], name: str) -> None:
    found = table[name]
    print(name, found)
    assert not {"error", "slow", "differs"} & found.keys()
    assert found.keys() & {"refused", "closed"}
    if name in CHECKED:
        assert not {"wrong", "wrong+", "type", "moved"} & found.keys()
    if name in SUMMED:
        assert not {"wrong", "type", "moved"} & found.keys()
