"""What programs load when they start: nothing heavy that they may never need."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", [
    "app.cameras.opening", "app.cameras.simulated.process", "app.commands.record", "app.commands.replay",
    "app.commands.batch", "app.commands.export", "app.commands.ledger",
])  # fmt: skip
def test_commands_and_cameras_start_without_scipy(module: str) -> None:
    code = f"import sys, {module}; print(sorted({{'scipy', 'pandas'}} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_tracks_are_written_without_pandas() -> None:
    code = """
import sys
from pathlib import Path
from app.exports.track_writer import TrackWriter
from pipelines.features import TRACK_DTYPE
import numpy as np
import tempfile
with tempfile.TemporaryDirectory() as folder:
    with TrackWriter(Path(folder) / "a.csv", Path(folder) / "a.parquet", {}) as writer:
        writer.append(np.ones(3, TRACK_DTYPE))
print("pandas" in sys.modules)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (told.stdout.strip(), told.stderr) == ("False", "")
