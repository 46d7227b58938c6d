"""Projects in the window: open, save, what is not saved, a clip that is not there any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Protocol

from pyqtgraph.Qt import QtWidgets

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.camera_setup import CameraSetup
from app.desk.services.project import OpenProject, ProjectFileChanged
from app.gui.analysis.panel import AnalysisPanel
from app.gui.chosen import choose, chosen
from app.gui.docked_window import Panels
from app.gui.run_opening import RunOpening
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips
from app.gui.traces.panel import TracesPanel
from app.path_kinds import PROJECT_ENDING
from app.project import Project, ProjectClip
from app.safe_names import safe_file_name
from kernels.errors import InputError

PROJECTS = f"Projects (*{PROJECT_ENDING})"
UNSAVED, MISSING, DIFFERING, CHANGED = "project unsaved", "project clip", "project differs", "project changed"
CALIBRATED = "cameras unsaved"
"""Strips: what is not saved; a clip that is not there; what lies beside the clip otherwise; a file that another program
has written; a calibration of cameras that is in no file."""


class Window(Protocol):
    """What this needs of the main window."""

    bench: Workbench
    settings: Settings
    strips: Strips
    camera_setup: CameraSetup
    panels: Panels
    docks: dict[str, QtWidgets.QDockWidget]

    def guarded(self, work: Callable[[], object]) -> None: ...
    def calibrate_cameras(self) -> None: ...
    def show_panel(self, name: str) -> None: ...
    def project_changed(self) -> None: ...


class Projects:
    """See the module.

    Args:
        window: the window; a `main_window.MainWindow`.
        desk: the project that is open.
        runs: opens what runs have written.

    Attributes:
        menu: the clips of the project; filled when it is about to be shown.
    """

    def __init__(self, window: Any, desk: OpenProject, runs: RunOpening) -> None:
        self._window: Window = window
        self._parent: QtWidgets.QWidget = window
        self._bench, self._settings, self._strips = window.bench, window.settings, window.strips
        self.desk, self._runs = desk, runs
        self._waiting: tuple[Project, Path] | None = None
        self._look: Mapping[str, Any] = {}
        self.menu = QtWidgets.QMenu("Clips of the pro&ject")
        self.menu.setToolTipsVisible(True)
        self.menu.menuAction().setEnabled(False)
        self.menu.aboutToShow.connect(self._fill)
        desk.window = self.seen
        desk.on(self._changed)
        self._bench.on(Topic.OPENED, self._opened)

    # --------------------------------------------------------------------------------------------------- opening

    def open(self, path: str) -> None:
        """Open a project; what is not saved of the one that is open, or of cameras without one, is asked about.

        Raises:
            InputError: it is none.
        """
        file = Path(path).absolute()
        # Read first: a file that is none costs nothing of what is open.
        project = self.desk.read(file)

        def go() -> None:
            self._settings.add_recent(str(file))
            self._begin(project, file)

        if self.desk.path is None and self._window.camera_setup.loses(project.cameras):
            self._about_cameras(f"<b>{escape(file.name)}</b> takes their place", "open the project again then", go)
        else:
            self.may_lose(go)

    def may_leave(self, then: Callable[[], object]) -> bool:
        """Whether the window may end: what is not saved of the project, or of cameras without one, is asked about.

        Args:
            then: what is done where it may be lost.
        """
        if self.desk.dirty:
            self.may_lose(then)
        elif self.desk.path is None and self._window.camera_setup.unwritten:
            self._about_cameras("it ends with the window", "close the window then", then)
        else:
            return True
        return False

    def _about_cameras(self, why: str, again: str, go: Callable[[], object]) -> None:
        """Ask about cameras that were calibrated here.

        Args:
            why: they would be lost.
            again: what is to be done once they are saved.
            go: what is done where they may be lost.
        """
        strips = self._strips

        def lose() -> None:
            strips.remove(CALIBRATED)
            self._window.guarded(partial(self.may_lose, go))

        def show() -> None:
            strips.remove(CALIBRATED)
            self._window.calibrate_cameras()

        strips.put(CALIBRATED, Strip(
            f"The cameras were calibrated here, which is saved in no file; {why}.", Level.WARNING,
            buttons=(("Show the calibration", show), ("Do not save", lose),
                     ("Stay", partial(strips.remove, CALIBRATED))),
            closed=partial(strips.remove, CALIBRATED),
            tip=f"“Save the calibration…” is below it; {again}",
        ))  # fmt: skip

    def _begin(self, project: Project, file: Path, moved: bool = False) -> None:
        clip = project.clip
        self._strips.remove(MISSING)
        self._strips.remove(CALIBRATED)
        self._waiting = None
        # Nothing is taken over before the clip is there: what is open stays.
        if not (clip.there or clip.run):
            self._waiting = project, file
            self._strips.put(MISSING, Strip(
                f"{escape(clip.name)}, the clip of <b>{escape(file.name)}</b>, is no longer at {escape(clip.path)}.",
                Level.WARNING, buttons=(("Find the clip…", self.find_clip),),
                closed=partial(self._strips.remove, MISSING),
                tip="Nothing else of the project is opened before; other clips that are missing are looked for in the "
                    "same folder",
            ))  # fmt: skip
            return
        self.desk.begin(project, file, moved)
        self._look = project.window
        for missing in [one for one in project.clips if not (one.there or one.run)]:
            self._bench.speak(Level.WARNING, f"{missing.name} of {file.name} is no longer at {missing.path}; it is "
                                             "asked for when you choose it in File > Clips of the project")  # fmt: skip
        self._open_clip(clip)

    def _open_clip(self, clip: ProjectClip) -> None:
        """Open a clip as the project has it."""
        if clip.run and Path(clip.run).exists():
            self._runs.open(clip.run, clip=clip.path if clip.there else None)
            return
        if clip.reading != self._settings.readings.get(clip.path, replace(clip.reading, fps=None)):
            self._settings.set_reading(clip.path, clip.reading)
        self._bench.open(clip.path, reading=clip.reading, roi=clip.roi, play=False)

    def find_clip(self) -> None:
        """Ask where the clip of the project is, and open it; others that are missing may lie beside it."""
        if self._waiting is None:
            return
        project, file = self._waiting
        found = self._ask_for(project.clip)
        if not found:
            return
        made = []
        # Clips that moved have mostly moved together.
        for clip in project.clips:
            beside = Path(found).parent / clip.name
            path = found if clip is project.clip else str(beside) if not clip.there and beside.exists() else clip.path
            made.append(replace(clip, path=path))
        self._begin(replace(project, clips=tuple(made)), file, moved=True)

    def _ask_for(self, clip: ProjectClip) -> str:
        path, _ = QtWidgets.QFileDialog.getOpenFileName(self._parent, f"Where is {clip.name}?", self._settings.folder)
        if path:
            self._settings.folder = str(Path(path).parent)
        return str(path)

    def show(self, key: str) -> None:
        """Open another clip of the project."""
        clip = self.desk.clips[key]
        if not (clip.there or clip.run):
            path = self._ask_for(clip)
            if not path:
                return
            self.desk.moved(key, path)
            clip = replace(clip, path=path)
        self._open_clip(clip)

    def _fill(self) -> None:
        self.menu.clear()
        shown = self.desk.shown
        for number, (key, clip) in enumerate(self.desk.clips.items()):
            letter = f"&{number + 1}  " if number < 9 else "    "
            action = self.menu.addAction(f"{letter}{clip.name}")
            action.setCheckable(True)
            action.setChecked(key == shown)
            action.setToolTip(key)
            action.triggered.connect(lambda _checked, key=key: self._window.guarded(partial(self.show, key)))
        self.menu.addSeparator()
        out = self.menu.addAction("&Take the clip that is open out of the project")
        out.setEnabled(bool(shown) and len(self.desk.clips) > 1)
        out.triggered.connect(lambda _checked: self._window.guarded(partial(self.desk.drop, shown)))

    def close(self) -> None:
        """No project is open any more; what is not saved is asked about. The clip stays."""
        self.may_lose(self.desk.close)

    # ---------------------------------------------------------------------------------------------------- saving

    def save(self) -> bool:
        """Write the project to its file, or to one that is asked for; whether it is written."""
        if self.desk.path is None:
            return self.save_as()
        try:
            self.desk.save()
        except ProjectFileChanged:
            self._about_changed_file()
            return False
        self._saved()
        return True

    def save_as(self) -> bool:
        """Write the project to a file that is asked for; whether it is written."""
        bench, desk = self._bench, self.desk
        if bench.info is None and desk.path is None:
            raise InputError("open a clip first; a project has one at least")
        name = str(desk.path or "")
        if not name:
            asked = bench.asked.what if bench.asked is not None else ""
            stem = safe_file_name(Path(asked.partition("?")[0].replace(":", "-")).stem, "project")
            folder = Path(asked).parent if Path(asked).is_file() else Path(self._settings.folder)
            name = str(folder / f"{stem}{PROJECT_ENDING}")
        text, _ = QtWidgets.QFileDialog.getSaveFileName(self._parent, "Save the project", name, PROJECTS)
        if not text:
            return False
        path = Path(text if text.endswith(PROJECT_ENDING) else f"{text}{PROJECT_ENDING}").absolute()
        if str(path) != str(Path(text).absolute()) and path.exists():  # the dialog asked about another name
            raise InputError(f"{path} exists already; choose another name, or that one to write over it")
        desk.save(path, over=True)  # the dialog has asked
        self._saved()
        return True

    def _saved(self) -> None:
        path = self.desk.path
        assert path is not None
        self._strips.remove(CHANGED)
        self._strips.remove(UNSAVED)
        self._settings.add_recent(str(path))
        self._bench.speak(Level.NOTE, f"saved as {path}")

    def _about_changed_file(self) -> None:
        path = self.desk.path
        assert path is not None

        def answer(work: Callable[[], object]) -> Callable[[], None]:
            def do() -> None:
                self._strips.remove(CHANGED)
                self._window.guarded(work)

            return do

        def over() -> None:
            self.desk.save(over=True)
            self._saved()

        self._strips.put(CHANGED, Strip(
            f"{escape(path.name)} was changed by another program since it was read here.", Level.WARNING,
            buttons=(("Save under another name…", answer(self.save_as)), (f"Write over {path.name}", answer(over)),
                     ("Open that of the file", answer(lambda: self._begin(self.desk.read(path), path)))),
            closed=partial(self._strips.remove, CHANGED),
            tip="Nothing is written until you say which one is to stay",
        ))  # fmt: skip

    # ------------------------------------------------------------------------------------------ what would be lost

    def may_lose(self, then: Callable[[], object]) -> bool:
        """Do something before which the project is to be saved, at once or when it was asked; whether it is done.

        Args:
            then: what is done.
        """
        strips = self._strips
        if not self.desk.dirty:
            strips.remove(UNSAVED)
            then()
            return True

        def save() -> None:
            if self.save():
                then()

        def lose() -> None:
            strips.remove(UNSAVED)
            then()

        strips.put(UNSAVED, Strip(
            f"<b>{escape(self.desk.name)}</b> has changes that are not saved.", Level.WARNING,
            buttons=(("Save", lambda: self._window.guarded(save)),
                     ("Do not save", lambda: self._window.guarded(lose)), ("Stay", partial(strips.remove, UNSAVED))),
            tip="What is not saved is lost for the project; the window remembers it of the clip all the same",
        ))  # fmt: skip
        return False

    # --------------------------------------------------------------------------------------------------- following

    def _changed(self) -> None:
        strips, desk = self._strips, self.desk
        self.menu.menuAction().setEnabled(bool(desk.name))
        if not desk.dirty:
            strips.remove(UNSAVED)
        if desk.differing:
            what = " and ".join(desk.differing)
            strips.put(DIFFERING, Strip(
                f"The {what} beside the clip are others than those of <b>{escape(desk.name)}</b>; those beside the "
                "clip hold.", buttons=(("Take those of the project", lambda: self._window.guarded(desk.take)),),
                closed=desk.leave, tip="What lies beside a clip is written with every change, so that it is the newer "
                                       "one as a rule; undo takes back what is taken",
            ))  # fmt: skip
        else:
            strips.remove(DIFFERING)
        self._window.project_changed()

    def _opened(self) -> None:
        look, self._look = self._look, {}
        if look and self._bench.opened is not None:
            self.show_as(look)
        self._changed()

    # ------------------------------------------------------------------------------------------- what is to be seen

    def seen(self) -> Mapping[str, Any]:
        """What is seen of the window: panels, which of them are in front, the picture, what plots and analyses show."""
        window, docks = self._window, self._window.docks
        made: dict[str, Any] = {
            "panels": [name for name, dock in docks.items() if not dock.isHidden()],
            "front": [name for name, dock in docks.items() if not dock.visibleRegion().isEmpty()],
            "picture": self._bench.output,
        }
        for name, panel in window.panels.made.items():
            if isinstance(panel, TracesPanel | AnalysisPanel):
                made[name] = chosen(panel.bar.fields)
        return made

    def show_as(self, look: Mapping[str, Any]) -> None:
        """Have the window show what it showed; what it has not is left out."""
        window, docks = self._window, self._window.docks
        panels = look.get("panels")
        if isinstance(panels, list):
            for name, dock in docks.items():
                dock.setVisible(name in panels)
            front = look.get("front")
            for name in front if isinstance(front, list) else []:
                if name in docks and name in panels:
                    window.show_panel(name)
        for name in ("traces", "analysis"):
            if name in look and (name in window.panels.made or not docks[name].isHidden()):
                panel = window.panels[name]
                assert isinstance(panel, TracesPanel | AnalysisPanel)
                choose(panel.bar.fields, look[name])
        picture, outputs = look.get("picture"), self._bench.built.outputs if self._bench.built is not None else ()
        if isinstance(picture, str) and picture and picture in [name for name, _ in outputs]:
            self._bench.player.show(picture)
