"""What programs load when they start: nothing heavy that they may never need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.child_process import HOME, code_of
from kernels.executors.placement import available


@pytest.mark.parametrize("module", [
    "app.cameras.opening", "app.cameras.simulated.process", "app.commands.record", "app.commands.replay",
    "app.commands.batch", "app.commands.export", "app.commands.ledger",
])  # fmt: skip
def test_commands_and_cameras_start_without_scipy(module: str) -> None:
    code = f"import sys, {module}; print(sorted({{'scipy', 'pandas'}} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_runs_start_without_what_makes_text_for_gpus_and_what_reads_networks_and_projects() -> None:
    """All of them plan; a tenth of a second."""
    heavy = {"kernels.codegen.cuda", "kernels.fusion.modules", "kernels.networks.onnx_reader", "app.project", "scipy",
             "app.channels.channel", "app.exports.spectra", "app.sources.simulated.scene", "rich"}  # fmt: skip
    code = f"import sys, app.commands.run; print(sorted({heavy} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


@pytest.mark.skipif(sys.platform != "linux" or available() < 2, reason="only there figures are drawn beside")
def test_runs_leave_matplotlib_to_the_process_that_draws_their_figure(tmp_path: Path) -> None:
    words = ["-X", "importtime", "-m", "app", "run", "sim:brownian?frames=12", "-q", "-o", str(tmp_path)]
    told = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in told.stderr.splitlines()}
    assert "app.controller" in loaded
    assert "matplotlib" not in loaded
    assert (tmp_path / "trajectories.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(("words", "heavy"), [
    (("info", "sample_videos/falling_ball_1000fps.avi"),
     {"cv2", "llvmlite", "matplotlib", "numpy.ma", "pyarrow", "rich", "scipy", "tomlkit", "pipelines.planning",
      "kernels.executors.machine"}),
    (("pipelines",), {"av", "matplotlib", "scipy", "llvmlite", "pipelines.planning", "app.controller"}),
    (("--help",), {"numpy", "rich", "matplotlib", "kernels.stage"}),
])  # fmt: skip
def test_what_tells_of_something_loads_nothing_that_computes(words: tuple[str, ...], heavy: set[str]) -> None:
    code = f"""
import sys
from app.cli import main
try:
    main({list(words)!r})
except SystemExit:
    pass
print(sorted({heavy} & set(sys.modules)))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=HOME)
    assert told.stdout.splitlines()[-1] == "[]"


def test_trackers_are_found_without_scipy() -> None:
    """Every run loads them; what of SciPy a few of them need is loaded when they do."""
    code = "import sys; from pipelines.trackers.base import registry; registry(); print('scipy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


@pytest.mark.parametrize("module", ["app.cameras.simulated.process", "app.sessions.process", "app.sources.opening"])
def test_cameras_and_recorders_load_nothing_that_reads_clips_or_computes(module: str) -> None:
    heavy = {"av", "cv2", "llvmlite", "pyarrow", "rich", "scipy", "tifffile", "pipelines.graph", "kernels.fusion"}
    code = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_processes_of_ours_look_for_garbage_again_once_they_are_loaded(tmp_path: Path) -> None:
    now = "print(loaded, gc.isenabled(), gc.get_freeze_count() > 1000)"
    (tmp_path / "told.py").write_text(f"import gc\nloaded = gc.isenabled()\ndef main(): {now}\n")
    code = code_of("told", "told", tmp_path).replace("from told import told", "import told")
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "True", "True"]


def test_commands_look_for_garbage_again_once_they_are_loaded() -> None:
    code = """
import gc, sys, app.cli, app.commands.listing
def told(options): print(gc.isenabled(), gc.get_freeze_count() > 1000); return 0
app.commands.listing.add_stages = lambda command: command.set_defaults(function=told)
sys.argv[1:] = ["stages"]
sys.exit(app.cli.program())
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "True"]


def test_tracks_are_written_and_read_without_pandas_and_all_that_pyarrow_computes() -> None:
    code = """
import sys
from pathlib import Path
from app.exports.tables import read_tracks
from app.exports.track_writer import TrackWriter
from pipelines.features import TRACK_DTYPE
import numpy as np
import tempfile
with tempfile.TemporaryDirectory() as folder:
    with TrackWriter(Path(folder) / "a.csv", Path(folder) / "a.parquet", {}) as writer:
        rows = np.ones(3, TRACK_DTYPE)
        rows["frame"] = range(3)
        writer.append(rows)
    assert len(read_tracks(Path(folder) / "a.parquet")) == 3
print(sorted({"pandas", "pyarrow.compute"} & set(sys.modules)))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (told.stdout.strip(), told.stderr) == ("[]", "")
