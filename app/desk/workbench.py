"""The state behind a window: what is open, its pipeline and tracks, what is selected; all that can be done with it.

Views call its methods and listen to its topics; `tick` (called some 60 times a second by whoever owns the window's
thread) looks for what the engine reported. Nothing here waits, and nothing here knows Qt.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.desk.bench.pipeline_files import PipelineFiles
from app.desk.bench.playing import Playing
from app.desk.bench.recording import Recording
from app.desk.bench.reports import Reports
from app.desk.bench.topics import Topic
from app.desk.bench.track_choice import TrackChoice
from app.desk.engine import orders as ask
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.frontend import Roi
from pipelines.writing import dumps


class Workbench(Reports, Playing, PipelineFiles, TrackChoice, Recording):
    """See the module; used by one thread.

    Args:
        link: to the engine's process.

    Attributes:
        opened: what is open, None for nothing. `opening` is what was ordered and is not there yet, `asked`
            what was ordered to get what is open, `lost` what was open when a run ended badly.
        state, position: of the run; the frame that was shown last.
        history: the user's pipelines and their edits. `trouble` says why the pipeline does not fit the clip, "" if it
            does; `pipeline_path` is the file that it was read from or saved to.
        built: the groups and outputs of what runs.
        store: the tracks. `owners`: which ids are whose. `tables`: what trackers tell beside their rows.
            `skeletons`, `point_names`: what they tell of key points. `selected`: ids in the order in which they were
            picked. `names`: what the user calls them. `colours`: which colour each of them has in every view.
        shown: the newest picture; its pixels are valid until the next `tick`.
        measured: the newest reading; `readings` the last `ROLL` of them.
        range, speed, loop, ping_pong, output, over: of the playback; `range` is first frame and one past the last.
        events: frames that the user has marked and named, by frame.
        recording: the session's path, "" for none. `recorded`: sessions of this window, the newest last.
        messages: what was said, oldest first.
        engine_down: no engine could be started; `start_engine` tries again, and so does `open`.
    """

    def open(
        self,
        what: str,
        *,
        reading: Reading = AS_STORED,
        roi: Roi | None = None,
        own_pipeline: bool = False,
        play: bool = True,
        device: str = "auto",
    ) -> None:
        """Open a clip, a session or a camera with the user's pipeline.

        Args:
            what: a path, "sim:SCENE" or "cam:...".
            reading: how it is read, in place of what its file says.
            own_pipeline: take a session's own pipeline in place of the user's.

        Raises:
            InputError: it is what is being recorded.
        """
        if self.recording and Path(what).absolute() == Path(self.recording).absolute():
            raise InputError(f"{Path(what).name} is being recorded; stop it first, then it can be opened")
        self.start_engine()
        text = "" if own_pipeline else dumps(self.history.pipeline)
        self.opening = ask.Open(what, text, reading, roi, None, device, play, self.speed, self.loop,
                                self.ping_pong, next(self._numbers))  # fmt: skip
        self._ordered[self.opening.number] = self.opening
        self._link.send(self.opening)
        self._tell(Topic.STATE)

    def start_engine(self) -> None:
        """Try again to start an engine where none could be started."""
        if self.engine_down:
            self.engine_down = False
            self._link.start_again()
            self._tell(Topic.STATE)

    def reopen(self) -> None:
        """Open again what was open when a run ended badly, with the user's pipeline as it is."""
        if self.lost is not None:
            lost = self.lost
            self.open(lost.what, reading=lost.reading, roi=lost.roi, own_pipeline=not lost.pipeline, device=lost.device)

    def close(self) -> None:
        """Close what is open."""
        self._link.send(ask.Close())

    def quit(self) -> None:
        """End the engine's process; what is recorded is closed properly."""
        self._link.close()

    def facts(self) -> Mapping[str, object]:
        """What a report about a mistake should hold."""
        return {"opened": None if self.info is None else self.info.name, "state": self.state.value,
                "pipeline": dumps(self.pipeline), "messages": [m.sentence for m in self.messages[-20:]]}  # fmt: skip
