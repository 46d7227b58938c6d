"""Clips, a pipeline and a call of the command line for the tests of this folder."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from app.child_process import code_of
from app.cli import main
from app.sources.simulated.source import make_scene
from app.sources.simulated.writing import write_scene

SEGFAULT, EXIT, KILLED, HANG, RAISE, ONCE, SLOW = 251, 252, 253, 254, 250, 249, 248
"""Values of a clip's first pixel that decide what becomes of the process that runs it."""

STAGE = '''
"""A stage that does to its process what the first pixel says."""
import ctypes
import os
import signal
import time
from kernels.ir.body import Host
from kernels.stage import stage

@stage(opaque=True)
def fate(image):
    """Pass the picture on, or not."""
    def run(inputs, params):
        first = int(inputs[0].reshape(-1)[0])
        if first == 251:
            ctypes.string_at(0)
        if first == 252:
            os._exit(7)
        if first == 253:
            os.kill(os.getpid(), signal.SIGKILL)
        if first == 254:
            time.sleep(600)
        if first == 250:
            raise RuntimeError("fate says no")
        if first == 249 and not os.path.exists(os.environ["FATE"]):
            open(os.environ["FATE"], "w").close()
            os._exit(3)
        if first == 248:
            time.sleep(0.1)
        return {"out": inputs[0]}
    return Host({"out": image}, run)
'''
PIPELINE = """
name = "fated"
[stages.fate]
inputs = "source"
[stages.gray]
[stages.scale]
use = "normalize"
[stages.bright]
use = "threshold"
level = 0.4
[stages.spots]
use = "components"
inputs = { mask = "bright", weights = "scale" }
min_area = 3
[trackers.follow]
use = "blob"
inputs = "spots"
"""


def write_clip(path: Path, first: int = 0, frames: int = 8, seed: int = 0) -> Path:
    """A spot that moves one pixel a frame; `first` is the value of the first pixel."""
    y, x = np.mgrid[:24, :32]
    spots = [200 * np.exp(-((x - 8 - t) ** 2 + (y - 12) ** 2) / 5.0) for t in np.arange(frames) % 16]
    clip = np.array(spots) + np.random.default_rng(seed).uniform(0, 9, (frames, 24, 32))
    clip[:, 0, 0] = first
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, clip.astype(np.uint8))
    return path


def write_fate(folder: Path) -> list[str]:
    """The options that make a batch run the pipeline with the stage above."""
    (folder / "fate.py").write_text(STAGE)
    (folder / "fated.toml").write_text(PIPELINE)
    return ["--plugin", str(folder / "fate.py"), "--pipeline", str(folder / "fated.toml"), "--no-overlay"]


def start(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """`fusetrack batch` in a process of its own, working in `folder`."""
    code = code_of("app", "cli").replace("cli.main()", "sys.exit(cli.main())")
    return subprocess.Popen(
        [sys.executable, "-c", code, "batch", *arguments], cwd=folder, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | environment,
    )  # fmt: skip


def run(folder: Path, *arguments: str) -> int:
    """The exit code of `fusetrack batch`, run in this process: one of its own takes a second of a core to start, and
    the plug-ins that are loaded go with the test, as in tests/conftest.py."""
    told = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stderr(told):
        code = main(["batch", *arguments, "--quiet"])
    assert "Traceback" not in told.getvalue()
    return code


def report(out: Path) -> dict[str, Any]:
    """report.json, with `rows` by name of the clip."""
    made: dict[str, Any] = json.loads((out / "report.json").read_text("utf-8"))
    made["rows"] = {row["name"]: row for row in made["clips"]}
    return made


def statuses(out: Path) -> dict[str, str]:
    return {name: row["status"] for name, row in report(out)["rows"].items()}


def halves(out: Path) -> list[str]:
    """What a killed job would leave."""
    return [path.name for path in out.rglob(".*") if path.name.endswith((".part", ".old"))]


def alive(pid: int) -> bool:
    """Whether a process lives; the dead that nobody has waited for do not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def torn(clip: Path, packet: int) -> None:
    """A video of 8 frames that are built one on the other; `packet` is damaged."""
    clip.parent.mkdir()
    write_scene(make_scene("blobs?width=64&height=48&frames=8&count=3"), clip)
    data = bytearray(clip.read_bytes())
    at = data.index(b"movi") + 12
    for _ in range(packet):
        size = int.from_bytes(data[at - 4 : at], "little")
        at += size + size % 2 + 8
    data[at + 100 : at + 104] = bytes(byte ^ 0xFF for byte in data[at + 100 : at + 104])
    clip.write_bytes(data)
    clip.with_name("torn.truth.csv").unlink()
