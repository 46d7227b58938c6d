"""Playing what is open: go on, stop, step, seek, ranges, speed, and which picture is shown."""

from __future__ import annotations

from app.desk.bench.state import BenchState
from app.desk.bench.topics import Link, Topic
from app.desk.engine import commands
from kernels.errors import InputError
from pipelines.streaming.common.states import RunState


class Player:
    """See the module.

    Args:
        bench: the state that it changes.
        link: to the engine's process.
    """

    def __init__(self, bench: BenchState, link: Link) -> None:
        self._bench, self._link = bench, link

    def play(self) -> None:
        """Go on."""
        self._link.send(commands.Play())

    def pause(self) -> None:
        """Stop at the frame in hand."""
        self._link.send(commands.Pause())

    def toggle(self) -> None:
        """Play or pause."""
        if self._bench.state is RunState.RUNNING:
            self.pause()
        else:
            self.play()

    def step(self, frames: int = 1) -> None:
        """So many frames on, back if negative."""
        bench = self._bench
        if bench.opened is not None and not bench.live:
            self._link.send(commands.Step(frames))

    def seek(self, frame: int) -> None:
        """Show a frame of a clip."""
        bench = self._bench
        if bench.opened is not None and not bench.live:
            first, end = 0, bench.opened.info.frames
            self._link.send(commands.Seek(min(max(frame, first), end - 1)))

    def set_speed(self, speed: float | None) -> None:
        """1.0 is the clip's own time; None as fast as it goes."""
        bench = self._bench
        bench.speed = speed
        self._link.send(commands.SetSpeed(speed))
        bench.tell(Topic.VIEW)

    def set_loop(self, loop: bool) -> None:
        """Whether to begin again at the end."""
        bench = self._bench
        bench.loop = loop
        self._link.send(commands.SetLoop(loop, bench.ping_pong))
        bench.tell(Topic.VIEW)

    def set_ping_pong(self, ping_pong: bool) -> None:
        """Whether to go back from the end, and on again from the beginning."""
        bench = self._bench
        bench.ping_pong = ping_pong
        self._link.send(commands.SetLoop(bench.loop, ping_pong))
        bench.tell(Topic.VIEW)

    def set_range(self, first: int, end: int) -> None:
        """Play these frames only.

        Raises:
            InputError: there are none.
        """
        bench = self._bench
        if bench.opened is None or bench.live:
            return
        first, end = max(0, first), min(end, bench.opened.info.frames)
        if first >= end:
            raise InputError("a range needs its in mark before its out mark")
        bench.range = (first, end)
        self._link.send(commands.SetRange(first, end))
        bench.tell(Topic.VIEW)

    def show(self, output: str, over: bool = False) -> None:
        """Which picture is wanted: "node", "node.output", or "" for the clip's; a heat map lies `over` the clip's."""
        bench = self._bench
        bench.output, bench.over = output, over
        self._link.send(commands.Show(output, over))
        bench.tell(Topic.VIEW)
