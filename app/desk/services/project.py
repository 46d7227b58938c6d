"""The project that is open: what its clips have become since it was read, whether that is saved, and saving it.

What wins: when a project is opened, its pipelines, scales, regions, marks and readings take the place of those that the
window remembers of its clips; from then on what is done here holds, and is in the project when that is saved. Events
and corrections lie in files beside their clips, which every change writes at once: these files win, and the project's
copies are put there only where there are none. Where both differ, `differing` says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.events import Event
from app.desk.observable import Observable
from app.desk.pipeline.history import History, Origin
from app.desk.pipeline.unsaved_pipelines import key_of
from app.desk.services.camera_setup import CameraSetup
from app.desk.services.channels import Channels
from app.desk.services.clip_pipelines import ClipPipelines
from app.desk.services.kept_corrections import KeptCorrections
from app.desk.services.kept_events import KeptEvents
from app.desk.services.regions import region
from app.desk.services.scales import Scales
from app.desk.services.second_clip import Second
from app.desk.sidecars import corrections_file
from app.desk.sidecars.corrections_file import Provenance
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.steps import Action
from app.project import (
    NO_CAMERAS,
    Presets,
    Project,
    ProjectClip,
    ProjectScale,
    as_document,
    read_project,
    write_project,
)
from app.runs import bytes_of
from kernels.errors import FusetrackError, InputError
from pipelines.definition import library, load, with_files


class ProjectFileChanged(InputError):
    """Another program has written the file since it was read."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a clip has become.

    Args:
        clip: without its corrections.
        actions, of: the corrections, and what they were made of; None where none were made here.
        corrections: as they stand in the project, of a clip that was not open since.
    """

    clip: ProjectClip
    actions: tuple[Action, ...] = ()
    of: Provenance | None = field(default=None, compare=False)
    corrections: Mapping[str, Any] | None = None


class OpenProject(Observable):
    """See the module.

    Args:
        bench: the state behind the window.
        pipelines, scales: of its clips.
        events, corrections: of what is open.
        channels: the data channels beside clips. second: the clips that are shown beside them.
        cameras: that are calibrated together.

    Attributes:
        path: of the project's file; None where no project is open.
        project: as it was read or saved last.
        window: gives what is seen of the window, plain values.
        presets: settings of cameras that are kept with it.
        differing: what lies beside the clip otherwise than in the project: "events", "corrections".
            Listeners hear when that, the path or `dirty` may have changed.
    """

    def __init__(
        self, bench: Workbench, pipelines: ClipPipelines, scales: Scales, events: KeptEvents,
        corrections: KeptCorrections, channels: Channels, second: Second, cameras: CameraSetup,
    ) -> None:  # fmt: skip
        super().__init__()
        self._bench, self._pipelines, self._scales = bench, pipelines, scales
        self._events, self._corrections, self._channels = events, corrections, channels
        self._second, self._cameras = second, cameras
        self.path: Path | None = None
        self.project: Project | None = None
        self.window: Callable[[], Mapping[str, Any]] = dict
        self.presets: Presets = {}
        self.differing: tuple[str, ...] = ()
        self._held: dict[str, Held] = {}
        self._saved: dict[str, Held] = {}
        self._frames: dict[str, int] = {}
        self._moved = False
        self._key = self._digest = ""
        self._edit: object = None
        self._document: dict[str, Any] = {}
        bench.on(Topic.OPENED, self._opened)
        for topic in (Topic.PIPELINE, Topic.VIEW, Topic.ROWS):
            bench.on(topic, self._look)
        channels.on(self._look)
        second.on(self._look)
        cameras.on(lambda: self._notify())

    # ------------------------------------------------------------------------------------------------- what it is

    @property
    def name(self) -> str:
        """Of the file, "" where no project is open."""
        return "" if self.path is None else self.path.name

    @property
    def dirty(self) -> bool:
        """Whether something changed since it was saved."""
        if self.path is None:
            return False
        presets = self.project.presets if self.project is not None else {}
        cameras = self.project.cameras if self.project is not None else NO_CAMERAS
        return (self._moved or self._held != self._saved or self.presets != presets
                or self._cameras.now != cameras)  # fmt: skip

    @property
    def clips(self) -> Mapping[str, ProjectClip]:
        """Its clips, by what the window calls them."""
        return {key: held.clip for key, held in self._held.items()}

    @property
    def shown(self) -> str:
        """Which of them is open, "" for none."""
        return self._key if self._bench.opened is not None and self._bench.clip == self._key else ""

    # --------------------------------------------------------------------------------------------------- opening

    def read(self, path: Path) -> Project:
        """What a file holds; nothing is changed.

        Raises:
            InputError: it is no project, or the pipeline of its clip cannot be read.
        """
        project = read_project(path)
        project.clip.graph(str(path))
        return project

    def begin(self, project: Project, path: Path, moved: bool = False) -> None:
        """This project is open from now on; its clips begin with what it has of them.

        Args:
            project: as `read` gave it, its clips where they are.
            path: of its file. moved: whether that has clips elsewhere.
        """
        self.close()
        self.path, self.project, self._digest, self._moved = path, project, _digest_of(path), moved
        self.presets = project.presets
        for sentence in project.notes:
            self._bench.speak(Level.NOTE, sentence)
        for number, clip in enumerate(project.clips):
            key = key_of(clip.run or clip.path)
            self._held[key] = _held(clip)
            self._frames[key] = clip.frame
            try:
                history = _history(clip, path)
            except FusetrackError as error:
                if number == project.shown:
                    self.close()
                    raise
                self._bench.speak(Level.WARNING, f"the pipeline of {clip.name} in {path.name} cannot be read: {error}")
            else:
                self._pipelines.give(key, history)
            self._scales.give(clip.path, calibration_of(clip.scale), clip.scale is not None and clip.scale.pixels)
            self._channels.give(key, clip.channels)
            self._second.give(key, clip.second)
        self._cameras.bring(project.cameras)
        if project.cameras.rig:
            self._bench.speak(Level.NOTE, f"{path.name} has cameras that were calibrated together: File > Calibrate "
                                          "cameras for 3-D, File > Places in space (3-D)")  # fmt: skip
        self._saved = dict(self._held)
        # Whatever is opened next begins with what the project has of it.
        self._key = ""
        self._notify()

    def close(self) -> None:
        """No project is open; what is shown stays."""
        self.path, self.project, self._moved, self.presets = None, None, False, {}
        self._held, self._saved, self._frames, self._key, self.differing = {}, {}, {}, "", ()
        self._pipelines.take_back()
        self._scales.take_back()
        self._notify()

    def moved(self, key: str, path: str) -> None:
        """A clip is somewhere else than the project says."""
        held = self._held.pop(key)
        found = key_of(held.clip.run or path)
        self._held[found] = replace(held, clip=replace(held.clip, path=path))
        self._frames[found] = self._frames.pop(key, 0)
        if self.path is not None:
            self._pipelines.give(found, _history(held.clip, self.path))
            self._scales.give(path, calibration_of(held.clip.scale), bool(held.clip.scale and held.clip.scale.pixels))
            self._channels.give(found, held.clip.channels)
            self._second.give(found, held.clip.second)
        self._notify()

    def keep_preset(self, name: str, values: Mapping[str, str]) -> None:
        """Settings of a camera are kept with the project under a name, in the place of those that had it."""
        self.presets = {**self.presets, name: dict(values)}
        self._notify()

    def drop(self, key: str) -> None:
        """A clip is none of the project any more.

        Raises:
            InputError: it is the only one.
        """
        if len(self._held) < 2:
            raise InputError("a project has one clip at least; close the project instead")
        del self._held[key]
        self._key = "" if self._key == key else self._key
        self._notify()

    def _opened(self) -> None:
        bench, key = self._bench, self._bench.clip
        if self.path is None or bench.info is None:
            self.differing = ()
            return
        if key == self._key:
            self._look()
            return
        self._key, self.differing = key, ()
        held = self._held.get(key)
        if held is not None:
            self._bring_back(held)
            self._level(key)
        elif self._held:
            bench.speak(Level.NOTE, f"{bench.info.name} belongs to {self.name} from now on, too")
        self._look()

    def _bring_back(self, held: Held) -> None:
        """What the project has of the clip that was just opened, beside its pipeline and scale."""
        bench, clip = self._bench, held.clip
        assert bench.info is not None
        if clip.bytes >= 0 and bytes_of(clip.path) not in (clip.bytes, -1):
            bench.speak(Level.WARNING, f"{clip.name} has other bytes than when {self.name} was saved; is it another "
                                       "clip?")  # fmt: skip
        differing = []
        # What lies beside the clip holds; what the project has is put there only where there is no such file.
        events = tuple(Event(frame, name) for frame, name in clip.events)
        if events != bench.events and events:
            if self._events.there:
                differing.append("events")
            else:
                self._events.begin(events)
                self._put_back(f"{len(events)} event{'s' if len(events) > 1 else ''}")
        actions, of = self._actions(held)
        # Parsed in what was saved, too, so that it is no change of the project.
        if held.corrections is not None and of is not None and not of.differences(self._corrections.provenance()):
            for kept in (self._held, self._saved):
                if kept.get(self._key) == held:
                    kept[self._key] = Held(held.clip, actions, of)
        if actions and of is not None and actions != self._corrections.made.actions:
            trouble = of.differences(self._corrections.provenance())
            if trouble:
                bench.speak(Level.WARNING, f"{self.name} holds corrections of tracks made with {trouble}; they are not "
                                           "applied, as numbers of tracks mean others now")  # fmt: skip
            elif self._corrections.there:
                differing.append("corrections")
            else:
                self._corrections.begin(actions)
                self._put_back(f"{len(actions)} correction{'s' if len(actions) > 1 else ''}")
        self.differing = tuple(differing)
        if not bench.live:
            frames = clip.frames
            if frames is not None and frames[0] < bench.info.frames:
                bench.player.set_range(*frames)
            if 0 < self._frames.get(self._key, 0) < bench.info.frames:
                bench.player.seek(self._frames[self._key])

    def _level(self, key: str) -> None:
        """What means the same as is open now, though it is spelled otherwise in the file, is no change."""
        now, saved = self._now(self._held[key]).clip, self._saved.get(key)
        if saved is None or self.path is None or self._held[key].clip != saved.clip:
            return
        try:
            same = saved.clip.graph(str(self.path)) == self._bench.history.pipeline
        except FusetrackError:
            return
        if same:
            clip = replace(saved.clip, pipeline=now.pipeline, pipeline_from=now.pipeline_from, changed=now.changed)
            self._saved[key] = replace(saved, clip=clip)

    def _put_back(self, what: str) -> None:
        self._bench.speak(Level.NOTE, f"{what} of {self.name} put beside the clip, where there was no file of them")

    def _actions(self, held: Held) -> tuple[tuple[Action, ...], Provenance | None]:
        if held.corrections is None:
            return held.actions, held.of
        try:
            return corrections_file.parsed(held.corrections, f"{self.name}: clips.corrections")
        except InputError as error:
            self._bench.speak(Level.WARNING, str(error))
            return (), None

    def take(self) -> None:
        """What the project has takes the place of what lies beside the clip: steps that can be undone."""
        held = self._saved.get(self._key)
        if held is not None and "events" in self.differing:
            self._events.replace_all(tuple(Event(*one) for one in held.clip.events), f"the events of {self.name}")
        if held is not None and "corrections" in self.differing:
            self._corrections.begin(self._actions(held)[0])
        self.leave()

    def leave(self) -> None:
        """What lies beside the clip holds, as it does anyway."""
        self.differing = ()
        self._look()
        self._notify()

    # --------------------------------------------------------------------------------------------------- following

    def _look(self) -> None:
        """Follow what is open."""
        if self.path is None or self._bench.opened is None or self._bench.clip != self._key:
            return
        before = self.dirty
        self._held[self._key] = self._now(self._held.get(self._key))
        if self.dirty != before:
            self._notify()

    def _now(self, before: Held | None) -> Held:
        bench, asked = self._bench, self._bench.asked
        assert bench.opened is not None
        what = asked.what if asked is not None else ""
        what = what if what.startswith(("sim:", "cam:")) or "://" in what else str(Path(what).absolute())
        info, whole = bench.opened.info, self._scales.whole
        edit = bench.history.now
        # A document is made for another edit only: this is called at every change of the view.
        if edit is not self._edit:
            self._edit, self._document = edit, as_document(edit.pipeline, self._folder)
        origin = edit.origin
        whole_range = asked.frames if asked is not None and asked.frames else (0, info.frames)
        frames = None if bench.live or bench.range == whole_range else bench.range
        scale = None if whole == Calibration() else ProjectScale(
            whole.per_px, whole.unit, whole.origin, whole.angle, whole.y_up, whole != bench.calibration)  # fmt: skip
        old = before.clip if before is not None else ProjectClip(what, bytes=bytes_of(what))
        clip = replace(
            old, path=what, run=bench.kept, reading=asked.reading if asked is not None else old.reading,
            roi=region(bench), frames=frames, frame=0, pipeline=self._document,
            pipeline_from=str(origin.path or origin.shipped), changed=edit.unsaved, scale=scale,
            events=tuple((event.frame, event.name) for event in bench.events), corrections=None,
            channels=self._channels.all, second=self._second.clip,
        )  # fmt: skip
        actions = self._corrections.made.actions
        if not actions:  # those that could not be applied stay in the project
            return Held(clip, corrections=before.corrections if before is not None else None)
        return Held(clip, actions, self._corrections.provenance())

    @property
    def _folder(self) -> Path:
        return self.path.parent if self.path is not None else Path.cwd()

    # ----------------------------------------------------------------------------------------------------- saving

    def save(self, path: Path | None = None, *, over: bool = False) -> None:
        """Write the project, all or nothing; where none is open, one of the clip that is.

        Args:
            path: the file; None for that which is open.
            over: whether to write over what another program has put there since.

        Raises:
            ProjectFileChanged: its file holds something else than what was read from it or written to it last.
            InputError: nothing is open, or the file cannot be written.
        """
        target = path if path is not None else self.path
        bench = self._bench
        if target is None or (bench.opened is None and not self._held):
            raise InputError("open a clip first; a project has one at least")
        if target == self.path and not over and _digest_of(target) not in ("", self._digest):
            raise ProjectFileChanged(f"{target.name} was changed by another program since it was read here; nothing "
                                     "was written")  # fmt: skip
        fresh = self.path is None
        was, key = self.path, self._key
        # `_look` follows the clip only while there is a path; it is taken back if writing fails.
        self.path, self._edit = target, None
        if fresh:
            self._key = bench.clip
        try:
            self._look()
            if bench.shown is not None and self.shown:
                self._frames[self._key] = bench.shown.frame
            clips = tuple(self._clip(one, held) for one, held in self._held.items())
            rest = self.project.rest if self.project is not None else {}
            keys = list(self._held)
            project = Project(clips, keys.index(self._key) if self._key in keys else 0, self.window(), rest,
                              presets=self.presets, cameras=self._cameras.now)  # fmt: skip
            data = write_project(project, target)
        except Exception:
            self.path, self._key = was, key
            self._held = {} if fresh else self._held
            raise
        self.project, self._moved, self._digest = project, False, hashlib.sha256(data).hexdigest()
        self._saved = dict(self._held)
        self._cameras.saved()
        self._notify()

    def _clip(self, key: str, held: Held) -> ProjectClip:
        corrections = held.corrections
        if held.actions and held.of is not None:
            corrections = corrections_file.document(held.actions, held.of)
        return replace(held.clip, frame=self._frames.get(key, 0), corrections=corrections)


def calibration_of(scale: ProjectScale | None) -> Calibration:
    """As the window has it."""
    if scale is None:
        return Calibration()
    return Calibration(scale.per_px, scale.unit, scale.origin, scale.angle, scale.y_up)


def _held(clip: ProjectClip) -> Held:
    return Held(replace(clip, frame=0, corrections=None), corrections=clip.corrections)


def _history(clip: ProjectClip, path: Path) -> History:
    """Begins with the pipeline of a project's clip; it is known where that came from, if that is still there."""
    made, source = clip.graph(str(path)), clip.pipeline_from
    if source in library() | with_files():
        origin = Origin(shipped=source)
        shipped = load(source)
        return History(shipped if made == shipped else made, origin, made == shipped)
    if source and Path(source).is_file():
        try:
            return History(made, Origin(Path(source), digest=_digest_of(Path(source))), made == load(source))
        except FusetrackError:  # it was damaged; the project has the pipeline
            pass
    return History(made, Origin(), not source)


def _digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
