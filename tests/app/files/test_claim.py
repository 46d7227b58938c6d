"""Two runs into one folder: the second is refused in a sentence, the first one's results stay its own."""

from __future__ import annotations

import subprocess
import sys

import pyarrow.parquet
import pytest

from app.controller import run_clip
from app.files.claim import claimed
from kernels.errors import InputError

OPTIONS = {"frames": (0, 20), "overlay": False}


def test_a_run_within_a_run_is_refused_and_nothing_is_lost(tmp_path):
    refused = []

    def started(run):
        del run
        with pytest.raises(InputError, match=r"another run is writing its results to .*out; wait until it is done"):
            run_clip("sim:vortex", out=tmp_path / "out", **OPTIONS)
        run_clip("sim:vortex", out=tmp_path / "other", **OPTIONS)
        refused.append(True)

    outcome = run_clip("sim:vortex", out=tmp_path / "out", started=started, **OPTIONS)
    assert refused
    assert pyarrow.parquet.read_table(outcome.folder / "tracks.parquet").num_rows == len(outcome.tracks) > 0
    assert not [file.name for file in outcome.folder.iterdir() if file.name.startswith(".") or "part" in file.name]
    run_clip("sim:vortex", out=tmp_path / "out", **OPTIONS)  # it is free again


HOLDER = """
import sys
from pathlib import Path
from app.files.atomic import PendingFile
from app.files.claim import claimed
folder = Path(sys.argv[1])
with claimed(folder):
    PendingFile(folder / "tracks.csv", hidden=False).temporary.touch()
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_is_named_and_a_killed_one_holds_nothing(tmp_path):
    words = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match=rf"another run \(process {holder.pid}\)"), claimed(tmp_path):
            pass
        holder.kill()
        holder.wait()
    with claimed(tmp_path):
        pass
