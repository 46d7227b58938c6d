"""The table of all that can be done in the window; each line names what does it, none does it itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from pyqtgraph.Qt import QtWidgets

from app.cameras.controls import controls_of
from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Jobs
from app.desk.labelling.proposals import Proposals
from app.desk.services.channels import Channels
from app.desk.services.second_clip import Second
from app.desk.services.undoing import Undoing
from app.desk.tracks.problems import Kind, Problem, beside, next_problem
from app.gui.actions import Action
from app.gui.asking import CLIPS, Asking
from app.gui.channels.opening import ChannelOpening
from app.gui.dock import PANELS, key_of
from app.gui.docked_window import Panels
from app.gui.events.actions import event_actions
from app.gui.events.marking import Marking
from app.gui.labelling.actions import label_actions
from app.gui.labelling.panel import LabelsPanel
from app.gui.modes import Modes
from app.gui.open_dialog import Opening
from app.gui.pipeline.choice import follows
from app.gui.project import Projects
from app.gui.sessions.record_actions import record_actions
from app.gui.sessions.record_bar import RecordBar
from app.gui.settings import Settings
from app.gui.strips import Strips
from app.gui.theme import current
from app.gui.tracking import Tracking
from app.gui.tracking import actions as tracking
from app.gui.video.live_figure import LiveFigure
from app.gui.video.loupe import Loupe
from app.gui.video.path_actions import path_actions
from app.gui.video.second_view import SecondOpening
from app.gui.video.view import VideoView
from app.samples import SAMPLES
from pipelines.definition import library, summary_of, with_files


class Window(Protocol):
    """What the table needs of the main window."""

    bench: Workbench
    jobs: Jobs
    video: VideoView
    loupe: Loupe
    live_figure: LiveFigure
    settings: Settings
    strips: Strips
    tracking: Tracking
    proposals: Proposals
    labels: LabelsPanel
    record_bar: RecordBar
    marking: Marking
    modes: Modes
    asking: Asking
    opening: Opening
    channels: Channels
    channel_opening: ChannelOpening
    second: Second
    second_opening: SecondOpening
    projects: Projects
    undoing: Undoing
    sample: str

    def open_sample(self) -> None: ...
    def take_tour(self) -> None: ...
    def ask_for_camera(self) -> None: ...
    def ask_for_camera_settings(self) -> None: ...
    def ask_for_export(self) -> None: ...
    def run_clip(self) -> None: ...
    def default_layout(self) -> None: ...
    def set_theme(self, name: str) -> None: ...
    def calibrate_cameras(self) -> None: ...
    def find_places(self) -> None: ...
    def show_help(self) -> None: ...
    def show_about(self) -> None: ...
    def show_messages(self) -> None: ...
    def newest_problems(self) -> Sequence[Problem]: ...
    @property
    def problem_kind(self) -> Kind | None: ...
    def show_problems(self, kind: Kind | None) -> None: ...
    docks: dict[str, QtWidgets.QDockWidget]
    panels: Panels

    def show_panel(self, name: str) -> None: ...
    def turn_panel(self, name: str) -> None: ...
    def show_plan(self) -> None: ...
    def show_source(self) -> None: ...
    def prove(self) -> None: ...
    def add_stage(self) -> None: ...
    def close(self) -> bool: ...


SPEEDS: tuple[tuple[str, float | None], ...] = (
    ("1/1000", 0.001), ("1/100", 0.01), ("1/30", 1 / 30), ("1/10", 0.1), ("1/4", 0.25), ("real time", 1.0),
    ("fastest", None),
)  # fmt: skip
"""Speeds of playback, slowest first."""


def table(window: Window) -> list[Action]:
    """All actions of a window."""
    return [
        *_file(window), *_edit(window), *_view(window), *_playback(window), *_pipeline(window), *_tracks(window),
        *label_actions(window), *event_actions(window.marking), *record_actions(window.record_bar), *_help(window),
    ]  # fmt: skip


def _file(window: Window) -> list[Action]:
    bench, project = window.bench, window.projects.desk
    return [
        Action("open", "File", "&Open clip, session or project…", window.asking.clip, "Ctrl+O", "open", bar=True,
               word="Open", tip="Videos, raw files of high-speed cameras, pictures, sessions, projects; or drop them"),
        Action("results", "File", "Open the results of a r&un…", window.asking.results,
               tip="Shows the tracks that a run has written over its clip; or drop the folder"),
        Action("camera", "File", "Open &camera…", window.ask_for_camera, "Ctrl+Shift+O", "camera", bar=True,
               word="Camera", tip="Live cameras, and a simulated one to try things with"),
        Action("camera-settings", "File", "Se&ttings of the camera…", window.ask_for_camera_settings,
               tip="Exposure, gain, rate, trigger, region on the sensor: what the camera that is open lets one set",
               enabled=lambda: bench.live and bench.opened is not None
               and bool(controls_of(bench.opened.info.metadata))),
        Action("sample", "File", "Open the sa&mple clip", window.open_sample, tip="Swirling points, at 600 fps",
               enabled=lambda: bool(window.sample)),
        Action("reading", "File", "Ho&w the clip is read…", window.opening.ask_reading,
               tip="Capture rate, bits of a value, which side is up, where the file does not say it or is wrong",
               enabled=lambda: bench.opened is not None and not bench.live),
        Action("channel", "File", "Open a &data channel…", window.channel_opening.ask, "Ctrl+Alt+O",
               tip="Force, voltage, sound ... of a CSV, WAV or TDMS file under the video, aligned with it; or drop it",
               enabled=lambda: window.channels.possible),
        Action("second", "File", "Open a seco&nd clip beside it…", lambda: window.second_opening.clip(CLIPS),
               tip="Of another camera: both are played and gone through together, by their times and an offset",
               enabled=lambda: window.second.possible),
        Action("second_results", "File", "Open the results of a run bes&ide it…", window.second_opening.results,
               tip="A second clip with the tracks that a run has written of it",
               enabled=lambda: window.second.possible),
        Action("calibrate", "File", "Calibrate cameras &for 3-D…", window.calibrate_cameras,
               tip="How several cameras map space to their pictures, by a chessboard, a wand or known places"),
        Action("places", "File", "Places in space (&3-D)…", window.find_places,
               tip="x, y, z with sigma of what two or more calibrated cameras followed"),
        Action("close_second", "File", "Close the second clip (&2)", window.second.close,
               enabled=lambda: window.second.clip is not None),
        Action("close_channel", "File", "Close the data c&hannel", window.channels.close,
               enabled=lambda: window.channels.channel is not None),
        Action("close", "File", "&Close clip", bench.close, "Ctrl+W", enabled=lambda: bench.opened is not None),
        Action("project_save", "File", "&Save project", window.projects.save, "Ctrl+S", "save", group=1,
               tip="The clip, the pipeline and all that was placed, measured and corrected, in one file; paths in it "
                   "count from its folder", enabled=lambda: bench.opened is not None or bool(project.name)),
        Action("project_save_as", "File", "Save project &as…", window.projects.save_as, "Ctrl+Shift+S", group=1,
               enabled=lambda: bench.opened is not None or bool(project.name)),
        Action("project_close", "File", "C&lose project", window.projects.close, group=1,
               tip="The clip stays open; what it has become is remembered of it", enabled=lambda: bool(project.name)),
        Action("picture", "File", "Save &picture…", window.asking.save_picture, "Ctrl+P", group=2,
               tip="The video as it is shown, tracks included", enabled=lambda: bench.shown is not None),
        Action("export", "File", "&Export…", window.ask_for_export, "Ctrl+E", "export", bar=True, group=2,
               word="Export", tip="Tracks and pictures in the formats of other programs",
               enabled=lambda: bench.opened is not None or len(bench.store) > 0),
        Action("run_clip", "File", "&Run the whole clip", window.run_clip, "Ctrl+Return", "batch", group=2, bar=True,
               word="Run",
               tip="From mark to mark, without the screen, into a folder of tables, pictures and a summary",
               enabled=lambda: bench.opened is not None and not bench.live),
        Action("batch", "File", "&Batch of clips", lambda: window.show_panel("batch"), "Ctrl+B", group=2,
               tip="Many clips through this pipeline"),
        Action("quit", "File", "&Quit", window.close, "Ctrl+Q", group=3),
    ]  # fmt: skip


def _edit(window: Window) -> list[Action]:
    undoing = window.undoing
    return [
        Action("undo", "Edit", "&Undo", undoing.undo, "Ctrl+Z", "undo", bar=True,
               tip="The last change, of the pipeline, its parameters, the region, the tracks, the scale or events",
               enabled=lambda: bool(undoing.undo_words), says=lambda: undoing.undo_words, joint=" "),
        Action("redo", "Edit", "&Redo", undoing.redo, "Ctrl+Shift+Z; Ctrl+Y", "redo", bar=True,
               tip="What was undone last", enabled=lambda: bool(undoing.redo_words), says=lambda: undoing.redo_words,
               joint=" "),
    ]  # fmt: skip


def _view(window: Window) -> list[Action]:
    video, look = window.video, window.video.overlay.look

    def show(name: str) -> Callable[[bool], None]:
        def change(on: bool) -> None:
            setattr(look, name, on)
            window.tracking.paths.changed()

        return change

    drawn = (("markers", "&Markers", "M"), ("names", "&Names", "Shift+N"), ("trails", "&Trails", "T"),
             ("uncertainty", "&Uncertainty, ten times", "U"), ("lost", "Lost points with the &reason", ""),
             ("guesses", "&Guesses", ""))  # fmt: skip
    return [
        Action("fit", "View", "&Fit", video.fit, "F", "fit", bar=True, tip="Show the whole picture"),
        Action("one", "View", "&One to one", video.zoom_one, "1", tip="A pixel of the picture is one of the screen"),
        Action("loupe", "View", "&Loupe", window.loupe.switch, "L", "loupe", checkable=True, bar=True,
               tip="What is under the cursor, many times larger", checked=window.loupe.isVisible),
        Action("zoom_in", "View", "Zoom &in", lambda: video.zoom(1.25), "+; ="),
        Action("zoom_out", "View", "Zoom o&ut", lambda: video.zoom(0.8), "-"),
        *(Action(name, "View", text, show(name), key, checkable=True, group=1,
                 checked=partial(getattr, look, name)) for name, text, key in drawn),
        *path_actions(window.tracking.paths),
        Action("figure", "View", "Speed over a &camera's video", window.live_figure.switch, checkable=True, group=1,
               tip="Frames a second that are captured and processed, and how late their tracks are",
               checked=lambda: window.live_figure.wanted),
        Action("auto", "View", "&Automatic levels", video.set_auto, "A", "levels", checkable=True, group=2, bar=True,
               tip="Brightness that suits the first picture", checked=lambda: video.auto),
        Action("dark", "View", "&Dark", lambda on: window.set_theme("dark" if on else "light"), "Ctrl+D", "theme",
               checkable=True, group=3, bar=True, end=True, tip="Dark or light", checked=lambda: current().dark),
        Action("full", "View", "F&ull screen", window.modes.set_full, "F11", checkable=True, group=4,
               checked=lambda: window.modes.full),
        Action("alone", "View", "Only the &video", window.modes.set_alone, "Ctrl+Shift+F", checkable=True, group=4,
               tip="Hide all panels and bars; the same keys bring them back", checked=lambda: window.modes.alone),
        *_panels(window),
        Action("layout", "View", "Default la&yout", window.default_layout, group=4,
               tip="All panels where they were at the first start"),
    ]  # fmt: skip


def _panels(window: Window) -> list[Action]:
    def seen(name: str) -> bool:
        return not window.docks[name].isHidden()

    return [
        Action(f"panel_{name}", "View", window.docks[name].windowTitle(),
               lambda _on, name=name: window.turn_panel(name), key_of(name), tip=tip, checkable=True,
               checked=partial(seen, name), group=4, sub="&Panels")
        for name, tip in PANELS.items()
    ]  # fmt: skip


def _playback(window: Window) -> list[Action]:
    bench = window.bench

    def clip() -> bool:
        return bench.opened is not None and not bench.live

    def faster(step: int) -> Callable[[], None]:
        def change() -> None:
            values = [speed for _, speed in SPEEDS]
            now = bench.speed if bench.speed is not None else float("inf")
            below = [k for k, v in enumerate(values) if (float("inf") if v is None else v) <= now]
            bench.player.set_speed(values[min(max((below[-1] if below else 0) + step, 0), len(values) - 1)])

        return change

    def mark_in() -> None:
        bench.player.set_range(max(0, bench.position), bench.range[1])

    def mark_out() -> None:
        bench.player.set_range(bench.range[0], bench.position + 1)

    def all_frames() -> None:
        bench.player.set_range(0, bench.opened.info.frames if bench.opened is not None else 0)

    return [
        Action("first", "Playback", "&First frame", lambda: bench.player.seek(bench.range[0]), "Home", "first",
               enabled=clip),
        Action("back", "Playback", "One frame &back", lambda: bench.player.step(-1), "Left", "previous",
               enabled=clip),
        Action("play", "Playback", "&Play or pause", bench.player.toggle, "Space", "play",
               enabled=lambda: bench.opened is not None),
        Action("on", "Playback", "One frame &on", lambda: bench.player.step(1), "Right", "next", enabled=clip),
        Action("last", "Playback", "&Last frame", lambda: bench.player.seek(bench.range[1] - 1), "End", "last",
               enabled=clip),
        Action("back_10", "Playback", "Ten frames back", lambda: bench.player.step(-10), "Shift+Left", enabled=clip),
        Action("on_10", "Playback", "Ten frames on", lambda: bench.player.step(10), "Shift+Right", enabled=clip),
        Action("loop", "Playback", "&Repeat", bench.player.set_loop, "R", "loop", checkable=True, group=1,
               checked=lambda: bench.loop, enabled=clip),
        Action("ping_pong", "Playback", "&Ping-pong", bench.player.set_ping_pong, "Shift+R", "ping_pong",
               checkable=True, group=1, tip="To the end and back again, and so on", checked=lambda: bench.ping_pong,
               enabled=clip),
        Action("slower", "Playback", "&Slower", faster(-1), "[", group=1, enabled=clip),
        Action("faster", "Playback", "F&aster", faster(1), "]", group=1, enabled=clip),
        Action("mark_in", "Playback", "Mark &in", mark_in, "I", "mark_in", group=2, enabled=clip),
        Action("mark_out", "Playback", "Mark &out", mark_out, "O", "mark_out", group=2, enabled=clip),
        Action("unmark", "Playback", "&No marks", all_frames, "Shift+I", group=2, enabled=clip),
    ]  # fmt: skip


def _shipped(window: Window) -> list[Action]:
    bench = window.bench

    def is_it(name: str) -> bool:
        return bench.pipeline.name == name

    made = []
    for sub, names in (("S&hipped pipelines", library()), ("With net&works of yours", with_files())):
        letters = ""
        for name in names:
            letter = next(one for one in name if one.isalpha() and one not in letters)
            letters += letter
            text = f"{name.replace(letter, f'&{letter}', 1)}:  {follows(name)}"
            made.append(Action(f"shipped_{name}", "Pipeline", text,
                               lambda _on, name=name: window.asking.shipped(name), checkable=True, group=1,
                               sub=sub, tip=summary_of(name), checked=partial(is_it, name)))  # fmt: skip
    return made


def _pipeline(window: Window) -> list[Action]:
    bench = window.bench
    return [
        Action("add_stage", "Pipeline", "&Add a stage…", window.add_stage, "Ctrl+Shift+A", "add", group=1,
               tip="The searchable list of stages and trackers"),
        Action("plan", "Pipeline", "Show the &plan", window.show_plan, "Ctrl+Shift+P", "plan", group=2, bar=True,
               word="Plan", tip="What runs as one program, why, and what it costs"),
        Action("prove", "Pipeline", "Pro&ve it on these frames", window.prove, "Ctrl+Shift+V", "proof", group=2,
               tip="Fused against unfused and against the reference, bit by bit", bar=True, word="Prove",
               enabled=lambda: bench.opened is not None),
        Action("source", "Pipeline", "&Generated code", window.show_source, "Ctrl+Shift+G", group=2,
               tip="What the stages are compiled to, in a window of its own"),
        Action("choose", "Pipeline", "&Open pipeline…", window.asking.pipeline, "Ctrl+L", group=1,
               tip="A TOML file; the shipped ones stand in the pipeline's panel and in this menu"),
        *_shipped(window),
        Action("save", "Pipeline", "&Save pipeline", window.asking.save_pipeline, "Ctrl+Alt+S", "save", group=1,
               tip="The pipeline alone, in a file of its own for other clips and commands"),
        Action("save_as", "Pipeline", "Sav&e pipeline as…", window.asking.save_pipeline_as, group=1),
    ]  # fmt: skip


def _tracks(window: Window) -> list[Action]:
    bench = window.bench

    def jump(back: bool) -> Callable[[], None]:
        def go() -> None:
            frame = bench.shown.frame if bench.shown is not None else 0
            problems = window.newest_problems()
            found = next_problem(problems, frame, back)
            if found is None:
                kind = window.problem_kind or "problems"
                other = beside(problems, frame)[2 if back else 0]
                rest = f"; {other} {'after' if back else 'before'} it ({'N' if back else 'P'})" if other else ""
                bench.speak(Level.NOTE, f"no {kind} {'before' if back else 'after'} frame {frame + _shift(window)}, "
                                        f"as far as frames were processed{rest}")  # fmt: skip
                return
            bench.player.pause()
            bench.player.seek(found.frame)
            bench.tracks.select([found.track])
            window.video.reveal(found.track, found.frame)
            before, here, after = beside(problems, found.frame)
            which = f"{before + 1} of {before + here + after}" + (f", {here} in this frame" if here > 1 else "")
            bench.speak(Level.NOTE, f"track {bench.tracks.name(found.track)}, frame {found.frame + _shift(window)}: "
                                    f"{found.what} (problem {which})")  # fmt: skip

        return go

    def some() -> bool:
        return bench.opened is not None and not bench.live

    def only(kind: Kind | None) -> Action:
        words = {None: "All probl&ems", Kind.LOST: "Losses onl&y", Kind.JUMP: "&Jumps only",
                 Kind.SCORE: "Low s&cores only"}  # fmt: skip
        return Action(f"problems_{kind.name.lower() if kind else 'all'}", "Playback", words[kind],
                      lambda _on: window.show_problems(kind), tip="What N and P go to, and what the timeline marks",
                      checkable=True, checked=lambda: window.problem_kind is kind, group=3)  # fmt: skip

    return [
        Action("next_problem", "Playback", "Ne&xt problem", jump(False), "N", "warning", enabled=some, group=3,
               tip="The next frame in which a track was lost, jumped or was hardly seen"),
        Action("previous_problem", "Playback", "Pre&vious problem", jump(True), "P", enabled=some, group=3),
        *(only(kind) for kind in (None, *Kind)),
        Action("unselect", "Tracks", "Leave the tool, or select n&othing", window.tracking.tools.escape, "Esc",
               group=1),
        *tracking(window),
    ]  # fmt: skip


def _shift(window: Window) -> int:
    info = window.bench.info
    return 0 if info is None else info.first_number


def _help(window: Window) -> list[Action]:
    bench = window.bench
    return [
        Action("keys", "Help", "&Keys and mouse", window.show_help, "F1; ?", "help", bar=True, end=True,
               tip="All that can be done, and its keys"),
        Action("messages", "Help", "&Messages", window.show_messages, "F12",
               tip="What was said so far; can be copied into a report"),
        *(Action(f"sample_{one.name}", "Help", one.title, partial(window.opening.sample, one), sub="Sample s&cenes",
                 tip=one.sentence, enabled=partial(bool, one.there)) for one in SAMPLES),
        Action("tour", "Help", "&Take the tour", window.take_tour, tip="What the parts of the window are for, in two "
               "minutes"),
        Action("start_engine", "Help", "&Start the engine again", bench.start_engine, group=1,
               tip="Where the process that computes could not be started", enabled=lambda: bench.engine_down),
        Action("about", "Help", "&About fusetrack", window.show_about, group=1),
    ]

