"""The states of the window that pictures are made of, each with the real engine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from functools import partial

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.channels.channel import Channel, ChannelColumn
from app.desk.bench.topics import Level
from app.desk.events import Event
from app.desk.pipeline import editing
from app.desk.services.exporting import What
from app.desk.services.pinned import Pinned
from app.desk.sidecars.corrections_file import ExternalCorrections
from app.desk.tracks.calibration import Calibration
from app.gui.traces.panel import TracesPanel
from app.gui.video.compare import APART, WIPE
from app.sources.opening import open_source
from app.sources.reading import Reading
from pipelines.definition import load
from pipelines.graph import Ref
from pipelines.streaming.common.states import RunState
from tests.gui.camera_states import armed, asked, camera, recorded, recording, rehearsal, session, throughput
from tests.gui.rig import SAMPLES, Rig
from tests.track_summaries import summaries

State = Callable[[Rig], None]


def empty(rig: Rig) -> None:
    """Nothing is open."""
    rig.window.sample = str(SAMPLES / "vortex_600fps.avi")
    for name in ("beam_1000fps.avi", "falling_ball_1000fps.avi"):
        rig.window.settings.add_recent(str(SAMPLES / name))
    rig.window._changed()
    rig.wait(0.5)


def compare(rig: Rig) -> None:
    """Two thresholds side by side."""
    _tracked(rig)
    compared = rig.window.tracking.compare
    compared.switch(True)
    rig.until(lambda: compared.view is not None and compared.view.image.pixels is not None)
    rig.bench.editor.set_param("bright", "level", 0.12)
    rig.bench.player.seek(100)
    rig.until(lambda: rig.bench.shown is not None and rig.bench.shown.frame == 100)
    for frame in range(160, 201):  # A is there in each
        rig.bench.player.seek(frame)
        rig.until(partial(_paired_at, compared.pinned, frame))
    rig.wait(1.0)
    compared.count()
    rig.wait(0.5)


def _paired_at(pinned: Pinned, frame: int) -> bool:
    return pinned.pair is not None and pinned.pair[0].frame == frame


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
    copy = rig.folder / "vortex_600fps.avi"  # corrections are kept beside a clip
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
    bench.editor.edit("points", load("template").with_settings(asked))
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
    rig.bench.files.choose("vibration")
    rig.open(str(SAMPLES / "beam_1000fps.avi"))
    rig.wait(2.0)
    rig.window.ask_for_export(What.SPECTRA)
    rig.wait(0.5)


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
    rig.window.open_sample()
    rig.until(lambda: rig.bench.shown is not None)
    rig.window.take_tour()
    rig.wait(1.5)


def touring(rig: Rig) -> None:
    """A step of the tour beside a panel."""
    start(rig)
    rig.window.tour.go(2)
    rig.wait(0.5)


def choosing(rig: Rig) -> None:
    """The list of pipelines is open."""
    rig.open(str(SAMPLES / "vortex_600fps.avi"))
    rig.wait(0.5)
    rig.window.pipeline.choice.showPopup()
    rig.wait(0.5)


def sample_scene(rig: Rig) -> None:
    """A scene of the menu, with its sentence."""
    rig.window.actions_.made["sample_ball"].trigger()
    rig.until(lambda: rig.bench.shown is not None and rig.bench.shown.frame > 40)
    rig.wait(0.3)


def video(rig: Rig) -> None:
    """A video in the export dialog, with words and a stopwatch."""
    _tracked(rig)
    rig.bench.set_events((Event(120, "onset"),))
    rig.window.ask_for_export(What.VIDEO)
    dialog = next(one for one in rig.window.findChildren(QtWidgets.QDialog) if one.isVisible())
    form = dialog.video
    form.text.setText("drop 3, 2 bar")
    form.stopwatch.setCurrentIndex(2)
    form.refresh()
    form.zero.setCurrentIndex(1)
    form.slower.setValue(40.0)
    rig.wait(0.5)


def project(rig: Rig) -> None:
    """A project with a change that is not saved, asked about; the menu File is open."""
    _tracked(rig)
    path = rig.folder / "vortex study.ftproj"
    rig.window.projects.desk.save(path)
    rig.window.settings.add_recent(str(path))
    rig.bench.tracks.set_calibration(Calibration(0.12, "mm"))
    rig.wait(0.3)
    rig.window.close()
    rig.wait(0.5)


def _tracked(rig: Rig, clip: str = "vortex_600fps.avi", frame: int = 210) -> None:
    """A clip whose tracks are all known, paused, with the best ones selected."""
    bench = rig.bench
    bench.player.set_loop(False)
    bench.player.set_speed(None)
    rig.open(str(SAMPLES / clip))
    rig.until(lambda: bench.state is RunState.PAUSED and bench.store.known(bench.position))
    bench.player.seek(frame)
    rig.until(lambda: bench.shown is not None and bench.shown.frame == frame)
    best = sorted(summaries(bench.store), key=lambda summary: -summary.seen)[:3]
    bench.tracks.select([summary.track for summary in best])
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
    rig.bench.files.choose("vibration")
    _tracked(rig, "beam_1000fps.avi", 240)
    traces = rig.window.panels["traces"]
    traces.bar.tabs.setCurrentIndex(1)
    rig.until(lambda: traces.drawn.spectra)
    rig.wait(0.8)


def analysed(rig: Rig) -> None:
    """Fits with their figures, a part with its statistics, and two cursors."""
    _tracked(rig)
    traces = rig.window.panels["traces"]
    rig.bench.tracks.select(list(rig.bench.selected)[:2])
    traces.bar.model.setCurrentText("sine")
    traces.bar.part.setChecked(True)
    traces.bar.cursors.setChecked(True)
    rig.until(lambda: traces.drawn.fits)
    rig.wait(0.8)


def spectrogram(rig: Rig) -> None:
    """The spectrogram of a beam that swings."""
    rig.bench.files.choose("vibration")
    _tracked(rig, "beam_1000fps.avi", 240)
    traces = rig.window.panels["traces"]
    traces.bar.tabs.setCurrentIndex(2)
    rig.until(lambda: traces.drawn.gram.shown is not None)
    rig.wait(0.8)


def motion(rig: Rig) -> None:
    """Motion of three tracks beside two others, with a distance and an angle, and what can be chosen."""
    _tracked(rig)
    rig.window.show_panel("analysis")
    panel = rig.window.panels["analysis"]
    panel.bar.tabs.setCurrentIndex(3)
    panel.bar.motion.distances.setText("2,4; 2,5")
    panel.bar.motion.angles.setText("2,4,5")
    panel.bar.motion.reference.put((14, 21))
    rig.until(lambda: "motion" in panel.results and not rig.window.jobs.running)
    rig.wait(1.0)
    at = panel.bar.more.mapToGlobal(panel.bar.more.rect().topRight())
    menu = panel.bar.more.menu()
    menu.popup(at - QtCore.QPoint(menu.sizeHint().width(), menu.sizeHint().height()))
    rig.wait(0.5)


def trace_options(rig: Rig) -> None:
    """What is chosen more seldom of traces."""
    _tracked(rig)
    traces = rig.window.panels["traces"]
    traces.bar.options.reference.put((2, 4))
    traces.bar.choice[0].setCurrentText("vx")
    rig.wait(1.5)
    traces.bar.options.menu().popup(traces.bar.options.mapToGlobal(traces.bar.options.rect().bottomLeft()))
    rig.wait(0.5)


def error(rig: Rig) -> None:
    """A pipeline that does not fit, and a clip that is not there."""
    _tracked(rig)
    bench = rig.bench
    bench.editor.edit("add components", editing.add_stage(bench.pipeline, "components", Ref("gray")))
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


def wipe(rig: Rig) -> None:
    """A drawn over a part of B."""
    compare(rig)
    rig.window.tracking.compare.choice.setCurrentText(WIPE)
    rig.wait(0.5)


def apart(rig: Rig) -> None:
    """How far the pictures of A and B are apart."""
    _tracked(rig)
    rig.bench.player.show("band")
    compared = rig.window.tracking.compare
    compared.switch(True)
    rig.until(lambda: compared.view is not None and compared.view.image.pixels is not None)
    before = rig.bench.built
    rig.bench.editor.set_param("band", "sigma", 1.8)
    rig.until(lambda: rig.bench.built is not before)
    rig.bench.player.seek(211)
    rig.until(lambda: rig.bench.shown is not None and rig.bench.shown.frame == 211)
    rig.until(lambda: {(one.frame, one.output) for one in compared.pinned.pair or ()} == {(211, "band")})
    compared.choice.setCurrentText(APART)
    rig.wait(1.5)
    compared.count()


def missing(rig: Rig) -> None:
    """A file that is not there."""
    rig.window.sample = str(SAMPLES / "vortex_600fps.avi")
    rig.window.open(str(SAMPLES / "vortex_601fps.avi"))
    rig.until(lambda: rig.bench.opening is None)
    rig.wait(0.5)


def strips(rig: Rig) -> None:
    """What is asked and told above the picture: a rate, what was left, a file that was changed, work that goes on."""
    clip = rig.folder / "drop.npy"
    np.save(clip, np.random.default_rng(1).integers(0, 90, (60, 288, 384), np.uint8))
    rig.window.open(str(clip))
    rig.until(lambda: rig.bench.shown is not None)
    rig.bench.editor.set_param("bright", "level", 0.12)
    own = rig.folder / "my-drops.toml"
    rig.bench.files.choose("objects")
    rig.bench.files.save(own)
    own.write_text(own.read_text("utf-8").replace("level", "level ", 1) + "\n# from another program\n", "utf-8")
    rig.window.unsaved.look_at_file()
    rig.window.run_clip()
    rig.window.close()
    rig.wait(0.3)


def more_strips(rig: Rig) -> None:
    """The others: a scale of another clip, an A that has lost its clip, another window, a run that ended."""
    _tracked(rig)
    rig.bench.tracks.set_calibration(Calibration(0.12, "mm"))
    rig.window.tracking.compare.switch(True)
    rig.bench.editor.set_param("bright", "level", 0.12)
    other = rig.folder / "second.npy"
    np.save(other, np.random.default_rng(1).integers(0, 90, (60, 288, 384), np.uint8))
    rig.window.open(str(other), Reading(fps=600.0))
    rig.until(lambda: rig.bench.info is not None and rig.bench.info.name == other.name and rig.bench.shown)
    rig.window.tracking.corrector.kept.theirs = ExternalCorrections(other.with_suffix(".corrections.json"), (), "")
    rig.window.other_window._asked()
    rig.bench._link._process.kill()  # type: ignore[attr-defined]
    rig.until(lambda: rig.bench.messages and rig.bench.messages[-1].level is Level.ERROR)
    rig.wait(0.8)


def labelling(rig: Rig) -> None:
    """Points of a face are labelled in three frames; in another one drafts wait, and the next point is under way."""
    rig.open("sim:face?width=320&height=240", play=False)
    labeller, tools = rig.window.tracking.labeller, rig.window.tracking.tools
    with closing(open_source("sim:face?width=320&height=240")) as source:
        scene = source.scene  # type: ignore[attr-defined]
    names, at = ("left eye", "right eye", "left mouth", "right mouth", "chin"), [5, 6, 11, 12, 13]
    rig.window.show_panel("labels")
    labeller.set_skeleton(", ".join(names), "0-2, 1-3, 2-4, 3-4")
    for frame in (0, 300, 620):
        rig.bench.player.seek(frame)
        rig.until(partial(_shows, rig, frame))
        truth = scene.truth(frame)
        for x, y in zip(truth["x"][at].tolist(), truth["y"][at].tolist(), strict=True):
            labeller.place((x, y))
    rig.bench.player.seek(450)
    rig.until(partial(_shows, rig, 450))
    tools.take("label")
    labeller.accept()
    rig.bench.player.seek(480)
    rig.until(partial(_shows, rig, 480))
    truth = scene.truth(480)
    labeller.place((float(truth["x"][5]), float(truth["y"][5])))
    labeller.hide(0, 1)
    tools.tool.cursor = float(truth["x"][11]) - 35, float(truth["y"][11]) + 15
    tools.refresh()
    rig.wait(0.8)


def channel(rig: Rig) -> None:
    """Force and voltage under the traces, a sample of them marked."""
    _tracked(rig, frame=60)
    time = np.arange(60_000) / 20_000 - 0.5
    since = np.maximum(time - 0.1, 0.0)
    force = 120 * np.exp(-5 * since) * np.sin(2 * np.pi * 60 * since)
    path = rig.folder / "hammer.csv"
    table = np.stack((time, force, 2 * np.sin(20 * np.pi * time)), axis=1)
    np.savetxt(path, table, fmt="%.6f", delimiter=",", header="time (s),force (N),drive (V)")
    columns = ChannelColumn("force (N)", "N"), ChannelColumn("drive (V)", "V")
    rig.window.channels.open(Channel(str(path), columns, offset=0.02))
    rig.until(lambda: rig.window.channels.loaded is not None)
    traces = rig.window.panels["traces"]
    assert isinstance(traces, TracesPanel)
    traces.channel_bar.mark.setChecked(True)
    rig.wait(0.8)


def second(rig: Rig) -> None:
    """A clip of another rate beside, at the same moment."""
    _tracked(rig, frame=130)
    rig.window.second_opening.open(str(SAMPLES / "beam_1000fps.avi"))
    rig.until(lambda: rig.window.second.pair is not None)
    rig.window.second.set_offset(0.1)
    rig.wait(0.8)


def _shows(rig: Rig, frame: int) -> bool:
    return rig.bench.shown is not None and rig.bench.shown.frame == frame


STATES: dict[str, State] = {
    state.__name__: state
    for state in (
        empty, start, running, compare, wipe, apart, tracks, filtered, undone, levels, hint, plan, why, source, code,
        proof, spectrum, analysed, spectrogram, trace_options, motion, throughput, camera, recording, rehearsal, armed,
        recorded, session, asked, batch, export, spectra, labelling, error, missing, crash, strips, more_strips, alone,
        helped, touring, choosing, sample_scene, project, video, channel, second,
    )
}  # fmt: skip
