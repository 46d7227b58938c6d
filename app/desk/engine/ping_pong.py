"""To the end of a clip and back again, and so on.

Backwards a clip cannot be computed: each frame that is shown is sought, from the nearest state that was kept. What is
not shown in time is left out there; forwards every frame is processed, as always.
"""

from __future__ import annotations

import time

from app.desk.engine import commands
from pipelines.streaming.common.states import RunState
from pipelines.streaming.playback.playback import Playback
from pipelines.streaming.playback.player import FILM


class PingPong:
    """Watches the orders of a playback and turns it around at its ends; one thread calls it.

    Args:
        runner: the playback.
        order: with which it was opened.
        fps: of the clip, 0 if unknown.
    """

    def __init__(self, runner: Playback, order: commands.Open, fps: float) -> None:
        self._runner, self._rate = runner, fps if fps > 0 else FILM
        self._on, self._playing, self._speed = order.ping_pong, order.play, order.speed
        self._range = runner.frames
        self._back: tuple[float, int] | None = None
        runner.set_loop(order.loop and not order.ping_pong)

    @property
    def back(self) -> bool:
        """Whether it goes back now."""
        return self._back is not None

    def obeyed(self, order: commands.Order) -> None:
        """The playback has carried out an order."""
        if isinstance(order, commands.SetLoop):
            self._on = order.ping_pong
            self._runner.set_loop(order.loop and not order.ping_pong)
            if self.back and not self._on:
                self._back = None
                self._runner.play()
        elif isinstance(order, commands.Play):
            self._playing = True
        elif isinstance(order, commands.Pause | commands.Step):
            self._playing, self._back = False, None
        elif isinstance(order, commands.Seek) and self.back:
            self._back = time.monotonic(), order.frame
        elif isinstance(order, commands.SetRange):
            self._range = order.first, order.end
        elif isinstance(order, commands.SetSpeed):
            self._speed = order.speed
            if self.back:
                self._back = time.monotonic(), self._runner.position

    def look(self) -> None:
        """Go on, or turn around."""
        runner, (first, end) = self._runner, self._range
        if not (self._on and self._playing) or end - first < 2:
            return
        now, position = time.monotonic(), runner.position
        if self._back is None:
            if runner.state is RunState.PAUSED and position >= end - 1:
                self._back = now, position
            return
        # One frame at a time: what comes due meanwhile is left out.
        if runner.state is RunState.SEEKING:
            return
        if position <= first:
            self._back = None
            runner.play()
            return
        since, start = self._back
        # Without a speed each frame, as fast as it can be sought; else the frame that the clock says.
        due = position - 1 if self._speed is None else start - int((now - since) * self._rate * self._speed)
        if due < position:
            runner.seek(max(due, first))
