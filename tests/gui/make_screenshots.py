"""Makes pictures of the main states of the window, with the real engine.

    xvfb-run -s "-screen 0 2560x1440x24 -dpi 96" python tests/gui/make_screenshots.py FOLDER
    QT_QPA_PLATFORM=offscreen python tests/gui/make_screenshots.py FOLDER [--size 1280x800] [--theme dark] [--only NAME]

The README's pictures are running-dark-1280x800.png and running-light-1280x800.png.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pyqtgraph.Qt import QtGui, QtWidgets

from app.desk.bench.topics import Level
from app.desk.jobs.exporting import What
from app.desk.pipeline import editing
from app.desk.tracks.summaries import summaries
from app.gui.start import welcome
from pipelines.definition import load
from pipelines.graph import Ref
from pipelines.streaming.states import RunState
from tests.gui.rig import SAMPLES, Rig

SIZES = ((1280, 800), (2560, 1440))
CAMERA = "cam:sim?scene=vortex&fps=1000&size=512x512"
State = Callable[[Rig], None]


def empty(rig: Rig) -> None:
    """Nothing is open."""
    rig.window.sample = str(SAMPLES / "vortex_600fps.mp4")
    for name in ("beam_1000fps.mp4", "falling_ball_1000fps.mp4"):
        rig.window.settings.add_recent(str(SAMPLES / name))
    rig.window._changed()
    rig.wait(0.5)


def compare(rig: Rig) -> None:
    """Two thresholds side by side."""
    _tracked(rig)
    compared = rig.window.tracking.compare
    compared.switch(True)
    rig.until(lambda: compared.view is not None and compared.view.image.pixels is not None)
    rig.bench.set_param("bright", "level", 0.12)
    rig.bench.seek(100)
    rig.until(lambda: rig.bench.shown is not None and rig.bench.shown.frame == 100)
    rig.bench.play()
    rig.until(lambda: rig.bench.shown is not None and rig.bench.shown.frame > 200)
    rig.bench.pause()
    rig.wait(2.5)
    compared.count()
    rig.wait(0.5)


def tracks(rig: Rig) -> None:
    """The table of tracks, and a point that is placed."""
    _tracked(rig)
    rig.window.show_panel("tracks")
    rig.window.tracking.tools.take("scale")
    rig.wait(1.0)


def filtered(rig: Rig) -> None:
    """The table of tracks with those that were lost alone, and a view that was zoomed and jumped to a problem."""
    _tracked(rig)
    rig.window.show_panel("tracks")
    table = rig.window.tracking.table
    table.states.setCurrentText("lost")
    rig.window.video.zoom(3.0)
    rig.window.actions_.made["previous_problem"].trigger()
    rig.wait(1.0)


def undone(rig: Rig) -> None:
    """The menu that says what would be undone."""
    copy = rig.folder / "vortex_600fps.mp4"  # corrections are kept beside a clip
    shutil.copy(SAMPLES / copy.name, copy)
    _tracked(rig, str(copy))
    rig.window.tracking.table.merge()
    rig.wait(0.5)
    bar = rig.window.menuBar()
    edit = next(action for action in bar.actions() if action.text() == "&Edit")
    edit.menu().popup(bar.mapToGlobal(bar.actionGeometry(edit).bottomLeft()))
    rig.wait(0.5)


def levels(rig: Rig) -> None:
    """The histogram of the picture, and uncertainties."""
    _tracked(rig)
    rig.window.show_panel("levels")
    rig.window.actions_.made["uncertainty"].trigger()
    rig.wait(0.8)


def hint(rig: Rig) -> None:
    """A pipeline of which a parameter does not fit the clip."""
    bench = rig.bench
    asked = {"track.points": ((60.0, 60.0), (120.0, 90.0)), "track.precision": 0.001}
    bench.edit("points", load("template").with_settings(asked))
    rig.open("sim:plate?points=16&frames=40&brightness=0.25")
    rig.until(lambda: rig.window.foresight.hints)
    rig.wait(0.5)


def why(rig: Rig) -> None:
    """Why stages are together or apart."""
    plan(rig)
    rig.window.plan.show_tab("Why")
    rig.wait(0.5)


def code(rig: Rig) -> None:
    """The generated code in a window of its own."""
    source(rig)
    rig.window.show_source()
    rig.until(lambda: bool(rig.window.plan.source_window.view.code))
    rig.wait(0.5)


def export(rig: Rig) -> None:
    """What can be exported."""
    _tracked(rig)
    rig.window.ask_for_export()
    rig.wait(0.5)


def spectra(rig: Rig) -> None:
    """The same, of a tracker that measures spectra."""
    rig.bench.choose_pipeline("vibration")
    rig.open(str(SAMPLES / "beam_1000fps.mp4"))
    rig.wait(2.0)
    rig.window.ask_for_export(What.SPECTRA)
    rig.wait(0.5)


def camera(rig: Rig) -> None:
    """Which camera."""
    rig.window.ask_for_camera()
    rig.wait(2.0)


def source(rig: Rig) -> None:
    """The code of a group."""
    _tracked(rig)
    rig.window.show_panel("plan")
    rig.window.plan.show_tab("Source")
    rig.until(lambda: bool(rig.window.plan.source.code))
    rig.wait(1.0)


def batch(rig: Rig) -> None:
    """A clip that was run."""
    _tracked(rig)
    rig.window.run_clip()
    rig.wait(1.0)
    rig.until(lambda: not rig.window.jobs.running)
    rig.wait(0.5)


def helped(rig: Rig) -> None:
    """The sheet of keys."""
    _tracked(rig)
    rig.window.show_help()
    rig.wait(0.5)


def start(rig: Rig) -> None:
    """What is seen first."""
    rig.open(str(SAMPLES / "vortex_600fps.mp4"))
    welcome(rig.window)
    rig.wait(1.5)


def _tracked(rig: Rig, clip: str = "vortex_600fps.mp4", frame: int = 210) -> None:
    """A clip whose tracks are all known, paused, with the best ones selected."""
    bench = rig.bench
    bench.set_loop(False)
    bench.set_speed(None)
    rig.open(str(SAMPLES / clip))
    rig.until(lambda: bench.state is RunState.PAUSED and bench.store.known(bench.position))
    bench.seek(frame)
    rig.until(lambda: bench.shown is not None and bench.shown.frame == frame)
    best = sorted(summaries(bench.store), key=lambda summary: -summary.seen)[:3]
    bench.select([summary.track for summary in best])
    rig.wait(0.8)


def running(rig: Rig) -> None:
    """Tracks over the video, traces of three of them, the plan of the pipeline on the left."""
    _tracked(rig)
    rig.wait(4.0)  # for the histogram of the threshold


def plan(rig: Rig) -> None:
    """The plan, with predicted and measured times."""
    _tracked(rig)
    rig.window.show_panel("plan")
    rig.wait(2.0)


def proof(rig: Rig) -> None:
    """Fused against unfused, on the frames of the clip."""
    _tracked(rig)
    rig.window.prove()
    rig.wait(1.0)
    rig.until(lambda: not rig.window.plan.proof.running)
    rig.wait(0.5)


def spectrum(rig: Rig) -> None:
    """The spectrum of a beam that swings."""
    rig.bench.choose_pipeline("vibration")
    _tracked(rig, "beam_1000fps.mp4", 240)
    traces = rig.window.panels["traces"]
    traces.bar.tabs.setCurrentIndex(1)
    rig.until(lambda: traces.drawn.spectra)
    rig.wait(0.8)


def throughput(rig: Rig) -> None:
    """A camera of 1000 frames a second, and what limits it."""
    rig.open(CAMERA)
    rig.window.show_panel("throughput")
    rig.wait(4.0)


def recording(rig: Rig) -> None:
    """A camera that is being recorded."""
    rig.open(CAMERA)
    rig.wait(0.5)
    bar = rig.window.record_bar
    bar.name.setText(str(rig.folder / "run7.mcap"))
    bar.record.click()
    rig.until(lambda: rig.bench.measured is not None and rig.bench.measured.recording is not None)
    rig.wait(2.0)


def asked(rig: Rig) -> None:
    """The window is closed while something is recorded."""
    recording(rig)
    rig.window.close()
    rig.wait(0.5)


def error(rig: Rig) -> None:
    """A pipeline that does not fit, and a clip that is not there."""
    _tracked(rig)
    bench = rig.bench
    bench.edit("add components", editing.add_stage(bench.pipeline, "components", Ref("gray")))
    bench.open("no_such_clip.cine")
    rig.wait(1.5)


def crash(rig: Rig) -> None:
    """The process that computes has died."""
    _tracked(rig)
    rig.bench._link._process.kill()  # type: ignore[attr-defined]
    rig.until(lambda: rig.bench.messages and rig.bench.messages[-1].level is Level.ERROR)
    rig.wait(0.8)


def alone(rig: Rig) -> None:
    """Only the video."""
    _tracked(rig)
    rig.window.modes.set_alone(True)
    rig.wait(0.5)


STATES: dict[str, State] = {
    state.__name__: state
    for state in (
        empty, start, running, compare, tracks, filtered, undone, levels, hint, plan, why, source, code, proof,
        spectrum, throughput, recording, asked, batch, export, spectra, camera, error, crash, alone, helped,
    )
}  # fmt: skip


def picture(rig: Rig) -> QtGui.QPixmap:
    """The dialog that stands there, or the window with the menu that is open."""
    seen = [widget for widget in rig.app.topLevelWidgets() if widget.isVisible()]
    menu = next((widget for widget in seen if isinstance(widget, QtWidgets.QMenu)), None)
    if menu is None:
        dialogs = (widget for widget in seen if isinstance(widget, QtWidgets.QDialog)
                   and widget.parentWidget() is not None and widget.parentWidget().window() is rig.window)  # fmt: skip
        return next(dialogs, rig.window).grab()
    made = rig.window.grab()
    painter = QtGui.QPainter(made)
    painter.drawPixmap(rig.window.mapFromGlobal(menu.pos()), menu.grab())
    painter.end()
    menu.close()
    return made


def main() -> int:
    """Make them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--size", action="append", help="such as 1280x800; default: both")
    options.add_argument("--theme", choices=("dark", "light"), action="append")
    options.add_argument("--only", action="append", choices=tuple(STATES))
    wanted = options.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    sizes = [tuple(int(side) for side in size.split("x")) for size in wanted.size] if wanted.size else SIZES
    for theme in wanted.theme or ("dark", "light"):
        for width, height in sizes:
            for name in wanted.only or STATES:
                rig = Rig((width, height), theme)
                try:
                    STATES[name](rig)
                    path = wanted.folder / f"{name}-{theme}-{width}x{height}.png"
                    picture(rig).save(str(path))
                    print(path, flush=True)
                finally:
                    rig.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
