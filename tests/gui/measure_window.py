"""Measures the window over the real engine: how long anything holds it up, how often it paints, what it costs.

    QT_QPA_PLATFORM=offscreen python tests/gui/measure_window.py [stalls] [rates]

Prints; asserts nothing, since other programs share the machine.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.cameras.opening import open_camera
from app.desk.engine import messages as say
from app.desk.pipeline import editing
from app.gui.help_sheet import HelpSheet
from pipelines.definition import loads
from pipelines.features import TRACK_DTYPE, State
from pipelines.graph import Ref
from pipelines.streaming.live import LiveRunner
from tests.gui.rig import SAMPLES, Rig, Watch

CAMERA = "cam:sim?scene=vortex&fps=1000&size=512x512"
LIGHT = """name = "light"
[stages.smooth]
use = "gaussian"
sigma = 1.0
"""
"""What the machine does in time, so that what the window takes away would be seen."""
SECONDS = 6.0


def stalls() -> None:
    """Every action of a day, and what it does to the window."""
    watch = Watch()
    begin = time.monotonic()
    rig = Rig((1280, 800))
    rig.wait(0.1)
    print(f"made and shown in {time.monotonic() - begin:.2f} s")
    bench, window = rig.bench, rig.window
    watch.listen(bench)
    clip = str(SAMPLES / "vortex_600fps.mp4")
    with watch.phase("open a clip"):
        rig.open(clip)
        rig.wait(1.0)
    with watch.phase("play"):
        rig.wait(3.0)
    with watch.phase("play as fast as it goes"):
        bench.set_speed(None)
        rig.wait(3.0)
        bench.set_speed(1.0)
    with watch.phase("live slider, 40 changes"):
        for k in range(40):
            bench.set_param("bright", "level", 0.02 + 0.002 * k)
            rig.wait(0.02)
    with watch.phase("add a stage (compiles)"):
        built = bench.built
        bench.edit("add", editing.add_stage(bench.pipeline, "gaussian", Ref("gray")))
        rig.until(lambda: bench.built is not built)
        rig.wait(0.5)
    with watch.phase("undo (compiles)"):
        built = bench.built
        bench.undo()
        rig.until(lambda: bench.built is not built)
        rig.wait(0.5)
    with watch.phase("seek, 60 times"):
        bench.pause()
        for k in range(60):
            bench.seek(7 * k)
            rig.wait(0.03)
    for name in window.docks:
        with watch.phase(f"panel {name}"):
            window.show_panel(name)
            rig.wait(0.6)
    with watch.phase("theme"):
        window.set_theme("light")
        rig.wait(0.3)
        window.set_theme("dark")
        rig.wait(0.3)
    with watch.phase("full screen, video alone"):
        for mode in (window.modes.set_full, window.modes.set_alone):
            mode(True)
            rig.wait(0.3)
            mode(False)
            rig.wait(0.3)
    with watch.phase("help"):
        window.show_help()
        rig.wait(0.3)
        for sheet in window.findChildren(HelpSheet):
            sheet.close()
    with watch.phase("another pipeline (compiles)"):
        built = bench.built
        bench.choose_pipeline("template")
        rig.until(lambda: bench.built is not built)
        rig.wait(0.5)
        bench.choose_pipeline("blobs")
        rig.wait(1.5)
    rows = _many_rows(rig, 1_000_000)
    with watch.phase("a million rows arrive"):
        for report in bench._take(rows):
            bench._tell(report)
        rig.wait(3.0)
    with watch.phase("next problem in a million rows"):
        window.actions_.made["next_problem"].trigger()
        rig.wait(1.0)
    with watch.phase("the engine dies"):
        pid = bench._link.pid  # type: ignore[attr-defined]
        os.kill(pid, signal.SIGKILL)
        rig.until(lambda: bench.opened is None)
        rig.wait(1.0)
    with watch.phase("open again"):
        window.opening.reopen()
        rig.until(lambda: bench.shown is not None)
        rig.wait(1.0)
    with watch.phase("open a camera"):
        bench.open(CAMERA)
        rig.until(lambda: bench.live and bench.shown is not None)
        rig.wait(2.0)
    with watch.phase("record"):
        bench.record(str(rig.folder / "run.mcap"))
        rig.wait(3.0)
        bench.stop_recording()
        rig.until(lambda: bool(bench.recorded))
    rig.close()


def _many_rows(rig: Rig, count: int) -> say.Rows:
    info = rig.bench.info
    assert info is not None
    tracks = count // info.frames
    rows = np.zeros(tracks * info.frames, TRACK_DTYPE)
    rows["frame"] = np.repeat(np.arange(info.frames), tracks)
    rows["track"] = np.tile(np.arange(tracks), info.frames)
    rows["x"] = rows["track"] % 300 + 0.01 * rows["frame"]
    rows["y"] = rows["track"] // 300
    rows["time"] = rows["frame"] / 600
    rows["state"], rows["score"], rows["sigma"] = State.TRACKED, 0.9, 0.05
    return say.Rows(0, info.frames - 1, rows)


def rates() -> None:
    """Frames a second of a camera at 1000 with the window open and without it, in turns."""
    alone, seen, paints = [], [], []
    for _ in range(3):
        alone.append(_headless())
        shown, painted = _with_window()
        seen.append(shown)
        paints.append(painted)
    print("processed fps without a window ", [round(v) for v in alone])
    print("processed fps with the window  ", [round(v) for v in seen])
    print("pictures painted a second      ", [round(v) for v in paints])
    print(f"ratio of medians {statistics.median(seen) / statistics.median(alone):.3f}")


def _measured(processed: Callable[[], int], live: Callable[[float], None]) -> float:
    live(2.0)
    count, begin = processed(), time.monotonic()
    live(SECONDS)
    return (processed() - count) / (time.monotonic() - begin)


def _headless() -> float:
    camera = open_camera(CAMERA)
    runner = LiveRunner(camera, loads(LIGHT), [])
    runner.start()
    try:
        return _measured(lambda: runner.ledger.processed, time.sleep)
    finally:
        runner.stop()
        camera.close()


def _with_window() -> tuple[float, float]:
    rig = Rig((1280, 800))
    painted: list[float] = []
    rig.window.video.pictured.connect(lambda: painted.append(time.monotonic()))
    try:
        rig.bench.edit("light", loads(LIGHT))
        rig.bench.open(CAMERA)
        rig.until(lambda: rig.bench.shown is not None and rig.bench.measured is not None)

        def processed() -> int:
            assert rig.bench.measured is not None
            return int(rig.bench.measured.ledger.get("processed", 0))

        fps = _measured(processed, rig.wait)
        return fps, sum(at > time.monotonic() - SECONDS for at in painted) / SECONDS
    finally:
        rig.close()


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["stalls", "rates"]
    if "stalls" in wanted:
        stalls()
    if "rates" in wanted:
        rates()
