"""Playing what is open: go on, stop, step, seek, ranges, speed, and which picture is shown."""

from __future__ import annotations

from collections.abc import Mapping

from app.desk.bench.state import BenchState
from app.desk.bench.topics import Topic
from app.desk.engine import commands
from app.desk.events import Event
from kernels.errors import InputError
from pipelines.streaming.common.states import RunState


class Playing(BenchState):
    """See the module."""

    def play(self) -> None:
        """Go on."""
        self._link.send(commands.Play())

    def pause(self) -> None:
        """Stop at the frame in hand."""
        self._link.send(commands.Pause())

    def toggle(self) -> None:
        """Play or pause."""
        if self.state is RunState.RUNNING:
            self.pause()
        else:
            self.play()

    def set_camera(self, values: Mapping[str, str]) -> None:
        """Set what can be set of the camera while it delivers; what it says then comes back (`Topic.CAMERA`)."""
        self._link.send(commands.SetCamera(tuple(values.items())))

    def step(self, frames: int = 1) -> None:
        """So many frames on, back if negative."""
        if self.opened is not None and not self.live:
            self._link.send(commands.Step(frames))

    def seek(self, frame: int) -> None:
        """Show a frame of a clip."""
        if self.opened is not None and not self.live:
            first, end = 0, self.opened.info.frames
            self._link.send(commands.Seek(min(max(frame, first), end - 1)))

    def set_speed(self, speed: float | None) -> None:
        """1.0 is the clip's own time; None as fast as it goes."""
        self.speed = speed
        self._link.send(commands.SetSpeed(speed))
        self._tell(Topic.VIEW)

    def set_loop(self, loop: bool) -> None:
        """Whether to begin again at the end."""
        self.loop = loop
        self._link.send(commands.SetLoop(loop, self.ping_pong))
        self._tell(Topic.VIEW)

    def set_ping_pong(self, ping_pong: bool) -> None:
        """Whether to go back from the end, and on again from the beginning."""
        self.ping_pong = ping_pong
        self._link.send(commands.SetLoop(self.loop, ping_pong))
        self._tell(Topic.VIEW)

    def set_range(self, first: int, end: int) -> None:
        """Play these frames only.

        Raises:
            InputError: there are none.
        """
        if self.opened is None or self.live:
            return
        first, end = max(0, first), min(end, self.opened.info.frames)
        if first >= end:
            raise InputError("a range needs its in mark before its out mark")
        self.range = (first, end)
        self._link.send(commands.SetRange(first, end))
        self._tell(Topic.VIEW)

    def set_events(self, events: tuple[Event, ...]) -> None:
        """These frames are marked with names, by frame."""
        if events != self.events:
            self.events = events
            self._tell(Topic.VIEW)

    def show(self, output: str, over: bool = False) -> None:
        """Which picture is wanted: "node", "node.output", or "" for the clip's; a heat map lies `over` the clip's."""
        self.output, self.over = output, over
        self._link.send(commands.Show(output, over))
        self._tell(Topic.VIEW)
