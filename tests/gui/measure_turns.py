"""Measures the turns of the window's loop while a user opens everything, by the wall, by the wall without waiting for a
processor, and by the processor time of the window's thread, with what ran in the longest.

    QT_QPA_PLATFORM=offscreen python tests/gui/measure_turns.py [PART ...]

Parts: clips, dialogs, grid, project, channels, second, cameras, camera; all where none is named.

Prints; asserts nothing, since other programs share the machine. `measure_window.py stalls` has what is done to a clip
that plays, and much of it.
"""

from __future__ import annotations

import shutil
import sys
import time
import wave
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from pyqtgraph.Qt import QtWidgets

from app.desk.services.exporting import What
from app.gui.channels.dialog import ChannelDialog
from pipelines.definition import load
from tests.app.stereo.seen import BOARD, board_clips, pair, table, tracks_of, ways
from tests.gui.rig import MUCH, SAMPLES, Rig, Watch

CAMERA = "cam:sim?scene=vortex&fps=1000&size=512x512"
PIPELINES = ("corners", "template", "vibration", "objects", "blobs")


def main() -> int:
    """Do it all, or the parts that are named."""
    watch = Watch()
    rig = Rig((1280, 800))
    rig.wait(0.3)
    watch.look()
    watch.listen(rig.bench)
    clip = rig.folder / "beam_1000fps.avi"
    shutil.copy(SAMPLES / clip.name, clip)
    parts: dict[str, Callable[[], object]] = {
        "clips": partial(_clips, rig, watch, clip), "dialogs": partial(_dialogs, rig, watch),
        "grid": partial(_grid, rig, watch), "project": partial(_project, rig, watch),
        "channels": partial(_channels, rig, watch), "second": partial(_second, rig, watch),
        "cameras": partial(_cameras, rig, watch), "camera": partial(_camera, rig, watch),
    }  # fmt: skip
    for name in sys.argv[1:] or parts:
        parts[name]()
    watch.look_away()
    rig.close()
    worst = sorted(((turn.cpu, phase.name) for phase in watch.phases for turn in phase.gaps), reverse=True)[:12]
    print(f"\nlongest work of the window's thread in a turn; above {1e3 * MUCH:.0f} ms is named above:")
    print("\n".join(f"{1e3 * cpu:6.0f} ms  {name}" for cpu, name in worst))
    return 0


def _built(rig: Rig, work: Callable[[], object]) -> None:
    built = rig.bench.built
    work()
    rig.until(lambda: rig.bench.built is not built)
    rig.wait(0.5)


def _clips(rig: Rig, watch: Watch, clip: Path) -> None:
    bench, window = rig.bench, rig.window
    with watch.phase("open a clip"):
        rig.open(str(clip))
        rig.wait(1.0)
    with watch.phase("open a simulated scene"):
        rig.open("sim:vortex?frames=200")
        rig.wait(1.0)
    rig.open(str(clip))
    for name in PIPELINES:
        with watch.phase(f"pipeline {name}"):
            _built(rig, partial(bench.files.choose, name))
    with watch.phase("every panel for the first time"):
        for name in window.docks:
            window.show_panel(name)
            rig.wait(0.4)
    with watch.phase("plan: why, trade-offs, source"):
        window.show_panel("plan")
        for name in ("Why", "Trade-offs", "Source"):
            window.plan.show_tab(name)
            rig.wait(1.0)
        rig.until(lambda: bool(window.plan.source.code))
        window.show_source()
        rig.wait(0.5)
        window.plan.source_window.close()
    points = tuple((float(x), 95.0) for x in range(60, 330, 30))
    _built(rig, lambda: bench.editor.edit("points", load("vibration").with_settings({"follow.points": points})))
    bench.player.set_loop(False)
    bench.player.set_speed(None)
    bench.player.seek(0)
    bench.player.play()
    last = bench.range[1] - 1
    rig.until(lambda: bench.store.known(last))
    bench.tracks.select([0, 1, 2])
    window.show_panel("traces")
    bar = window.panels["traces"].bar
    for at in range(bar.tabs.count()):
        with watch.phase(f"traces: {bar.tabs.tabText(at)}"):
            bar.tabs.setCurrentIndex(at)
            rig.wait(1.0)
    bar.tabs.setCurrentIndex(0)
    with watch.phase("traces: each quantity, a fit, cursors"):
        for row in range(bar.choice[0].count()):
            bar.choice[0].setCurrentIndex(row)
            rig.wait(0.15)
        bar.model.setCurrentIndex(3)
        bar.cursors.setChecked(True)
        bar.part.setChecked(True)
        rig.wait(1.0)
    window.show_panel("analysis")
    panel = window.panels["analysis"]
    for at in range(panel.bar.tabs.count()):
        with watch.phase(f"analysis: {panel.bar.tabs.tabText(at)}"):
            panel.bar.tabs.setCurrentIndex(at)
            rig.wait(0.2)
            panel.compute()
            rig.until(lambda: not window.jobs.running)
            rig.wait(1.0)


def _dialogs(rig: Rig, watch: Watch) -> None:
    window = rig.window
    opened: dict[str, Callable[[], object]] = {
        "which camera": window.ask_for_camera, "keys": window.show_help, "how it is read": window.opening.ask_reading,
        **{f"export: {what.value}": partial(window.ask_for_export, what) for what in What if what is not What.SPECTRA},
        "about": window.show_about, "tour": window.take_tour,
    }  # fmt: skip
    for name, work in opened.items():
        with watch.phase(f"dialog: {name}"):
            work()
            rig.wait(0.8)
            window.tour.leave() if name == "tour" else None
            for dialog in window.findChildren(QtWidgets.QDialog):
                dialog.close()
            rig.wait(0.2)
    with watch.phase("each tool"):
        for tool in window.tracking.tools.tools:
            window.tracking.tools.take(tool)
            rig.wait(0.3)
        window.tracking.tools.take("pick")


def _grid(rig: Rig, watch: Watch) -> None:
    bench, window = rig.bench, rig.window
    bench.player.set_speed(None)
    with watch.phase("open a speckle"):
        rig.open("sim:speckle?frames=20&ramp=20")
        _built(rig, partial(bench.files.choose, "template"))
        rig.wait(1.5)
    with watch.phase("fill it with a grid"):
        window.tracking.tools.take("grid")
        rig.wait(0.3)
        window.tracking.tools.finish()
        rig.wait(2.0)
        window.tracking.tools.take("pick")
    bench.player.set_loop(False)
    bench.player.seek(0)
    bench.player.play()
    with watch.phase("the grid is followed"):
        rig.until(lambda: bench.store.known(19))
        rig.wait(0.5)
    window.show_panel("analysis")
    panel = window.panels["analysis"]
    with watch.phase("strain over the video, each field"):
        panel.bar.tabs.setCurrentIndex(4)
        panel.compute()
        rig.until(lambda: not window.jobs.running)
        for row in range(panel.bar.quantity.count()):
            panel.bar.quantity.setCurrentIndex(row)
            panel.bar.quantity.activated.emit(row)
            rig.wait(0.3)
        for frame in range(0, 20, 4):
            bench.player.seek(frame)
            rig.wait(0.2)


def _project(rig: Rig, watch: Watch) -> None:
    window, file = rig.window, rig.folder / "study.ftproj"
    if rig.bench.opened is None:
        rig.open(str(rig.folder / "beam_1000fps.avi"))
    with watch.phase("save a project"):
        window.projects.desk.save(file)
        rig.wait(0.5)
    window.projects.close()
    rig.open(str(rig.folder / "beam_1000fps.avi"))
    with watch.phase("open a project"):
        before = rig.bench.opened
        window.open(str(file))
        rig.until(lambda: rig.bench.opened is not before and rig.bench.shown is not None)
        rig.wait(1.0)
    window.projects.close()


def _channels(rig: Rig, watch: Watch) -> None:
    """Two data channels of a million samples beside a clip: read, looked at, moved, saved."""
    bench, window = rig.bench, rig.window
    rig.open(str(rig.folder / "beam_1000fps.avi"))
    window.show_panel("traces")
    traces = window.panels["traces"]
    time_s = np.arange(1_000_000) / 1e6
    for name in ("force", "load"):
        path = rig.folder / f"{name}.wav"
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(1_000_000)
            file.writeframes((2e4 * np.sin(300 * time_s)).astype("<i2").tobytes())
        with watch.phase(f"channel {name} comes"):
            window.channel_opening.open(str(path))
            rig.wait(0.5)
            for dialog in window.findChildren(ChannelDialog):
                dialog.ok.click()
            rig.until(lambda: window.channels.entries and all(entry.loaded for entry in window.channels.entries))
            rig.wait(1.0)
    with watch.phase("channels are zoomed and moved"):
        for wide in (0.5, 0.05, 0.005):
            traces.drawn.plots[0].setXRange(0.1, 0.1 + wide)
            rig.wait(0.3)
        for step in range(5):
            window.channels.set_offset(0.01 * step)
            rig.wait(0.1)
        for frame in range(0, 100, 20):
            bench.player.seek(frame)
            rig.wait(0.1)
    with watch.phase("a figure with channels is saved"):
        traces.save_to(rig.folder / "both.png")
        rig.until((rig.folder / "both.png").exists)
        rig.wait(0.3)
    while window.channels.channel is not None:
        window.channels.close()


def _second(rig: Rig, watch: Watch) -> None:
    """Two clips that play together: how many pictures a second are shown, and how evenly."""
    bench, second = rig.bench, rig.window.second
    rig.open(str(SAMPLES / "vortex_600fps.avi"))
    bench.player.set_speed(1 / 10)
    bench.player.set_loop(True)
    for beside in ("", "sim:vortex?frames=1000&fps=600"):
        if beside:
            with watch.phase("open a second clip"):
                second.open(beside)
                rig.until(lambda: second.pair is not None)
                rig.wait(0.5)
        seen: list[tuple[float, int]] = []
        frames: Callable[[], int] = (lambda: second.pair[0].frame) if beside else (lambda: bench.shown.frame)
        with watch.phase("two clips play" if beside else "one clip plays"):
            bench.player.play()
            rig.wait(0.5)
            begin, cpu = time.monotonic(), time.process_time()
            while time.monotonic() < begin + 4.0:
                rig.wait(0.002)
                if not seen or frames() != seen[-1][1]:
                    seen.append((time.monotonic(), frames()))
            cpu = time.process_time() - cpu
            bench.player.pause()
            rig.wait(0.2)
        pauses = sorted(b[0] - a[0] for a, b in pairwise(seen))
        median, most = pauses[len(pauses) // 2], pauses[int(0.95 * len(pauses))]
        print(f"      {len(seen) / 4:.0f} pictures a second of 60; {1e3 * median:.0f} ms between two in the median, "
              f"{1e3 * most:.0f} at 95 %, {1e3 * pauses[-1]:.0f} at most; {1e3 * cpu / len(seen):.1f} ms of the "
              "processor each")  # fmt: skip
    second.close()


def _cameras(rig: Rig, watch: Watch) -> None:
    """Cameras are calibrated, and places of many things found."""
    window = rig.window
    clips = board_clips(rig.folder, pair(), 12)
    with watch.phase("window of several cameras"):
        window.calibrate_cameras()
        rig.wait(0.5)
    page = window.cameras.calibration
    for row, clip in zip(page.form.clips.rows, clips, strict=True):
        row.put(clip)
    page.form.columns.setValue(BOARD.columns)
    page.form.rows.setValue(BOARD.rows)
    with watch.phase("a board is found, and calibrated by"):
        page.begin()
        rig.until(page.save.isEnabled)
        rig.wait(0.5)
    with watch.phase("pictures are looked at, one dropped"):
        for row in range(page.table.rowCount()):
            page.table.setCurrentCell(row, 0)
            rig.wait(0.1)
        page.table.untick([3])
        rig.until(lambda: not window.jobs.running)
        rig.wait(0.5)
    tracks = [table(rig.folder / f"tracks{at}.parquet", tracks_of(one, ways(20, 5000) * (0.02, 0.02, 1.0), 0.1))
              for at, one in enumerate(pair())]  # fmt: skip
    places = window.cameras.places
    with watch.phase("places of 20 things in 5000 frames"):
        window.find_places()
        for row, path in zip(places.form.tracks.rows, tracks, strict=True):
            row.put(path)
        places.form.way.setCurrentIndex(1)
        places.begin()
        rig.until(places.save.isEnabled)
        rig.wait(1.0)
    with watch.phase("things are chosen, frames shown"):
        for row in range(5):
            places.table.selectRow(row)
            places.plots.show_frame(1000 * row)
            rig.wait(0.2)
    window.cameras.close()


def _camera(rig: Rig, watch: Watch) -> None:
    bench, window = rig.bench, rig.window
    with watch.phase("open a camera"):
        bench.open(CAMERA)
        rig.until(lambda: bench.live and bench.shown is not None)
        rig.wait(2.0)
    with watch.phase("settings of the camera, exposure"):
        window.ask_for_camera_settings()
        rig.wait(0.5)
        for share in (0.5, 0.8, 1.2, 1.0):
            bench.set_camera({"exposure": str(share)})
            rig.wait(0.3)
        for dialog in window.findChildren(QtWidgets.QDialog):
            dialog.close()
        rig.wait(0.2)
    bar = window.record_bar
    with watch.phase("begin to record, and record"):
        bar.name.setText(str(rig.folder / "run.mcap"))
        bar.record.click()
        rig.until(lambda: bench.measured is not None and bench.measured.recording is not None
                  and bench.measured.recording.recorded > 500)  # fmt: skip
    with watch.phase("stop recording"):
        bar.record.click()
        rig.until(lambda: bool(bench.recorded))
        rig.wait(0.5)
    with watch.phase("open the session"):
        bar.open_recorded()
        rig.until(lambda: bench.opened is not None and not bench.live and bench.shown is not None)
        rig.wait(1.0)
    with watch.phase("close it"):
        bench.close()
        rig.until(lambda: bench.opened is None)
        rig.wait(0.3)


if __name__ == "__main__":
    sys.exit(main())
