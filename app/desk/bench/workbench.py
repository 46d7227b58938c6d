"""The state behind a window: what is open, its pipeline and tracks, what is selected; all that can be done with it.

Views call its services and listen to its topics; `tick` (called some 60 times a second by whoever owns the window's
thread) looks for what the engine reported. Nothing here waits, and nothing here knows Qt.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from app.desk.bench.openings import Begun, Openings
from app.desk.bench.pipeline_editor import PipelineEditor
from app.desk.bench.pipeline_files import PipelineFiles
from app.desk.bench.player import Player
from app.desk.bench.recorder import Recorder
from app.desk.bench.reports import Reports
from app.desk.bench.state import BenchState
from app.desk.bench.topics import Link, Topic
from app.desk.bench.track_choice import TrackChoice
from app.desk.engine import commands
from app.desk.events import Event
from app.desk.pipeline.unsaved_pipelines import key_of
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.writing import dumps


class Workbench(BenchState):
    """See the module; used by one thread.

    Args:
        link: to the engine's process.

    Attributes:
        player: plays, seeks, and chooses the picture that is shown.
        editor: changes the pipeline, and undoes that.
        files: pipelines of files, or shipped.
        tracks: which are picked, what they are called, their scale.
        recorder: records a camera, or has a clip recorded.
    """

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link, self._openings = link, Openings()
        self.player, self.recorder, self.tracks = Player(self, link), Recorder(self, link), TrackChoice(self)
        self.editor = PipelineEditor(self, link)
        self.files = PipelineFiles(self, self.editor)
        self.reports = Reports(self, self._openings, self.editor, self.files)

    def tick(self) -> None:
        """Look for pictures and reports; who listens to any of what is new is called once, at the last of it."""
        changed: dict[Topic, None] = dict.fromkeys(self.editor.look())
        for report in self._link.poll():
            for topic in self.reports.take(report):
                changed[topic] = None
        # What is opened changes all that the window shows, which is enough for a turn: its first picture has the next.
        shown = self._link.picture() if self.opened is not None and Topic.OPENED not in changed else None
        if shown is not None:
            self.shown = shown
            self.reports.pictures += 1
            changed[Topic.PICTURE] = None
        self.tell_once(changed)
        self.reports.look_back()

    def open(
        self,
        what: str,
        *,
        reading: Reading = AS_STORED,
        roi: Roi | None = None,
        play: bool = True,
        device: str = "auto",
        frames: tuple[int, int] | None = None,
        run: str = "",
        again: bool = False,
        pipeline: Pipeline | Literal["own"] | None = None,
    ) -> None:
        """Open a clip, a session or a camera with the pipeline that it begins with.

        Args:
            what: a path, "sim:SCENE" or "cam:...".
            reading: how it is read, in place of what its file says.
            frames: first frame and one past the last that are processed; None for all.
            run: folder of a run's results, of which `what` is the clip: its tracks are shown as they were written.
            pipeline: in place of the user's, such as that of the run; "own" for the one that a session holds.
            again: it is what is open, in another way: what is undone goes on.

        Raises:
            InputError: it is what is being recorded.
        """
        if self.recording and Path(what).absolute() == Path(self.recording).absolute():
            raise InputError(f"{Path(what).name} is being recorded; stop it first, then it can be opened")
        self.start_engine()
        clip = self.clip if again else key_of(run or what)
        begun = self.history if again else self.begins(clip)
        text = "" if pipeline == "own" else dumps(pipeline or (begun or self.history).pipeline)
        self.opening = commands.Open(what, text, reading, roi, frames, device, play, self.speed, self.loop,
                                     self.ping_pong, self._openings.next_number(), run, self.bare)  # fmt: skip
        self._openings.add(self.opening, Begun(clip, begun))
        self._link.send(self.opening)
        self.tell(Topic.STATE)

    def start_engine(self) -> None:
        """Try again to start an engine where none could be started."""
        if self.engine_down:
            self.engine_down = False
            self._link.start_again()
            self.tell(Topic.STATE)

    def reopen(self) -> None:
        """Open again what was open when a run ended badly, with the user's pipeline as it is."""
        if self.lost is not None:
            lost = self.lost
            self.open(lost.what, reading=lost.reading, roi=lost.roi, pipeline=None if lost.pipeline else "own",
                      device=lost.device, frames=lost.frames, run=lost.run)  # fmt: skip

    def compute_anew(self) -> None:
        """Have the tracks of a run computed here, in place of those that were written; from its first frame on, so that
        they get the same ids, by which corrections know them."""
        if self.kept and self.asked is not None:
            self.editor.order()
            self.player.seek(self.asked.frames[0] if self.asked.frames else 0)
            self.tell(Topic.PIPELINE)

    def set_camera(self, values: Mapping[str, str]) -> None:
        """Set what can be set of the camera while it delivers; what it says then comes back (`Topic.CAMERA`)."""
        self._link.send(commands.SetCamera(tuple(values.items())))

    def set_events(self, events: tuple[Event, ...]) -> None:
        """These frames are marked with names, by frame."""
        if events != self.events:
            self.events = events
            self.tell(Topic.VIEW)

    def close(self) -> None:
        """Close what is open."""
        self._link.send(commands.Close())

    def quit(self) -> None:
        """End the engine's process; what is recorded is closed properly."""
        self._link.close()

    def facts(self) -> Mapping[str, object]:
        """What a report about a mistake should hold."""
        return {"opened": None if self.info is None else self.info.name, "state": self.state.value,
                "pipeline": dumps(self.pipeline), "messages": [m.sentence for m in self.messages[-20:]]}  # fmt: skip
