"""Measures the window over the real engine: how long anything holds it up, how often it paints, what it costs.

    QT_QPA_PLATFORM=offscreen python tests/gui/measure_window.py [stalls] [rates]

Prints; asserts nothing, since other programs share the machine. The longest gaps are the wall's, right on a quiet
machine only; the longest work is what the window's thread used of the processor in a turn, whatever else runs.
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
from app.desk.engine import reports
from app.desk.pipeline import editing
from app.desk.services.exporting import What
from app.gui.help_sheet import HelpSheet
from app.gui.sessions.export_dialog import ExportDialog
from pipelines.definition import loads
from pipelines.features import TRACK_DTYPE, State
from pipelines.graph import Ref
from pipelines.streaming.live.live_runner import LiveRunner
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
    clip = str(SAMPLES / "vortex_600fps.avi")
    with watch.phase("open a clip"):
        rig.open(clip)
        rig.wait(1.0)
    with watch.phase("play"):
        rig.wait(3.0)
    with watch.phase("play as fast as it goes"):
        bench.player.set_speed(None)
        rig.wait(3.0)
        bench.player.set_speed(1.0)
    with watch.phase("live slider, 40 changes"):
        for k in range(40):
            bench.editor.set_param("bright", "level", 0.02 + 0.002 * k)
            rig.wait(0.02)
    with watch.phase("add a stage (compiles)"):
        built = bench.built
        bench.editor.edit("add", editing.add_stage(bench.pipeline, "gaussian", Ref("gray")))
        rig.until(lambda: bench.built is not built)
        rig.wait(0.5)
    with watch.phase("undo (compiles)"):
        built = bench.built
        bench.editor.undo()
        rig.until(lambda: bench.built is not built)
        rig.wait(0.5)
    with watch.phase("seek, 60 times"):
        bench.player.pause()
        for k in range(60):
            bench.player.seek(7 * k)
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
        bench.files.choose("template")
        rig.until(lambda: bench.built is not built)
        rig.wait(0.5)
        bench.files.choose("blobs")
        rig.wait(1.5)
    _panels(rig, watch)
    rows = _many_rows(rig, 1_000_000)
    with watch.phase("a million rows arrive"):
        for report in bench.reports.take(rows):
            bench.tell(report)
        rig.wait(3.0)
    with watch.phase("paths of a million rows"):
        for name in ("trail_whole", "trail_by_speed", "trail_by_time", "trail_by_track"):
            window.actions_.made[name].trigger()
            rig.wait(1.0)
        window.actions_.made["trail_whole"].trigger()
    with watch.phase("squared displacements of a million rows"):
        window.show_panel("analysis")
        window.panels["analysis"].compute()
        rig.until(lambda: not window.jobs.running)
        rig.wait(0.5)
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
        bench.recorder.record(str(rig.folder / "run.mcap"))
        rig.wait(3.0)
        bench.recorder.stop()
        rig.until(lambda: bool(bench.recorded))
    with watch.phase("open the session"):
        window.record_bar.open_recorded()
        rig.until(lambda: bench.opened is not None and not bench.live and bench.shown is not None)
        rig.wait(1.0)
    rig.close()


def _panels(rig: Rig, watch: Watch) -> None:
    """What a panel does when it has much to show."""
    bench, window = rig.bench, rig.window
    rig.until(lambda: bench.built is not None)
    with watch.phase("docks off and on, each"):
        for dock in window.docks.values():
            for _ in range(2):
                dock.toggleViewAction().trigger()
                rig.wait(0.2)
    with watch.phase("resize in 30 steps"):
        for k in range(30):
            window.resize(1280 + 20 * (k % 15), 800 + 10 * (k % 15))
            rig.wait(0.03)
        window.resize(1280, 800)
        rig.wait(0.3)
    with watch.phase("maximise and back"):
        window.showMaximized()
        rig.wait(0.4)
        window.showNormal()
        rig.wait(0.4)
    with watch.phase("plan, its source"):
        window.show_panel("plan")
        for name in ("Why", "Trade-offs", "Source"):
            window.plan.show_tab(name)
            rig.wait(1.0)
        rig.until(lambda: bool(window.plan.source.code))
        rig.wait(1.0)
    code = "\n".join(window.plan.source.code.split("\n") * 40)[:390_000]
    with watch.phase(f"source of {len(code) // 1000} kB"):
        window.plan.source.show_sources([("one", code)])
        rig.wait(3.0)
    with watch.phase("theme over that source"):
        window.set_theme("light")
        rig.wait(0.5)
        window.set_theme("dark")
        rig.wait(0.5)
    with watch.phase("search in that source"):
        window.plan.source.find.setText("fmul")
        rig.wait(0.5)
        window.plan.source.find.clear()
    window.plan.show_tab("Groups")
    with watch.phase("prove"):
        window.prove()
        rig.until(lambda: not window.plan.proof.running)
        rig.wait(0.3)
    with watch.phase("export CSV and pictures"):
        bench.player.seek(0)
        window.ask_for_export()
        dialog = window.findChildren(ExportDialog)[-1]
        for what in (What.SEEN, What.RUN, What.FRAMES):
            dialog.what[what].setChecked(True)
            dialog.file.setText(str(rig.folder / f"{what.value}.{'csv' if what is not What.FRAMES else 'tif'}"))
            dialog.begin()
            rig.until(lambda: dialog._job is not None and not dialog._job.running)
        dialog.close()
        rig.wait(0.2)
    with watch.phase("A/B, on and off"):
        window.tracking.compare.switch(True)
        rig.wait(2.0)
        window.tracking.compare.switch(False)
        rig.wait(0.3)
    _tables(rig, watch)


def _tables(rig: Rig, watch: Watch) -> None:
    """Many tracks, and long ones."""
    bench, window = rig.bench, rig.window
    store = bench.store
    for count, frames in ((1000, 300), (20, 100_000)):
        bench.store = type(store)()
        with watch.phase(f"{count} tracks of {frames} rows come"):
            for first in range(0, frames, max(1, 20_000 // count)):
                for report in bench.reports.take(_rows(count, first, min(frames, first + max(1, 20_000 // count)))):
                    bench.tell(report)
                rig.wait(0.01)
            rig.wait(1.0)
        with watch.phase("   their table"):
            window.show_panel("tracks")
            rig.wait(1.5)
        with watch.phase("   all selected"):
            bench.tracks.select(list(range(count)))
            rig.wait(0.6)
        with watch.phase("   traces"):
            window.show_panel("traces")
            rig.wait(1.0)
        with watch.phase("   spectrum"):
            traces = window.panels["traces"]
            traces.bar.tabs.setCurrentIndex(1)
            rig.wait(1.0)
            traces.bar.tabs.setCurrentIndex(0)
            rig.wait(0.5)
        with watch.phase("   zoom and pan"):
            box = window.panels["traces"].drawn.plots[0].vb
            for k in range(10):
                box.setXRange(0.1 * k, 0.1 * k + 0.3)
                rig.wait(0.05)
        bench.tracks.select([])
        window.show_panel("parameters")
    bench.store = store


def _rows(tracks: int, first: int, end: int) -> reports.Rows:
    rows = np.zeros(tracks * (end - first), TRACK_DTYPE)
    rows["frame"] = np.repeat(np.arange(first, end), tracks)
    rows["track"] = np.tile(np.arange(tracks), end - first)
    rows["x"] = rows["track"] % 40 * 9 + 3 * np.sin(0.05 * rows["frame"] * (1 + rows["track"] % 7))
    rows["y"] = rows["track"] // 40 * 9 + 5
    rows["time"] = rows["frame"] / 600
    rows["state"], rows["score"], rows["sigma"] = State.TRACKED, 0.9, 0.05
    return reports.Rows(first, end - 1, rows)


def _many_rows(rig: Rig, count: int) -> reports.Rows:
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
    return reports.Rows(0, info.frames - 1, rows)


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
        rig.bench.editor.edit("light", loads(LIGHT))
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
