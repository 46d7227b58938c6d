"""A second clip beside the first one, as of another camera: its frame is that which was exposed nearest to the first
one's, whatever their rates. It has an engine of its own, shows pictures and the tracks that a run has written of them,
and computes nothing.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.desk.bench.topics import Level, Link, Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.picture_box import Shown
from app.desk.observable import Observable
from app.desk.services.clip_times import nearest_frame
from app.desk.services.value_steps import ValueSteps
from app.path_kinds import NO_CLIPS, Kind, what_is
from app.project import SecondClip
from app.run_pipeline import pipeline_of
from app.runs import read_run
from app.sources.reading import AS_STORED, Reading
from kernels.errors import FusetrackError, InputError
from pipelines.frame import SourceInfo
from pipelines.streaming.common.states import RunState

PATIENCE = 2.0
"""Seconds for which a frame is waited for that the second clip was sent to and has not shown."""
AHEAD = 2
"""Frames that the second clip may be sent to before it has shown the first of them. There and back a frame takes as
long as engine and window wait between two looks, besides what it takes to decode: one at a time were 30 to 45 a second
of 60. More than two gain nothing."""


class Second(Observable):
    """See the module. Listeners hear of changes of `clip` and `linked`.

    Args:
        bench: of the first clip.
        connect: makes a link to another engine.

    Attributes:
        history: what was done to it.
        clip: what is meant to be beside; None for nothing.
        side: the bench of the second clip; None without one.
        linked: whether it follows the first one; without, it is gone through by itself.
        pair: the newest pictures of one moment, of the first and of the second clip; None before the first.
        began, paired, late: called when there is another side or none, when there is a new pair, and when the second
            clip took too long.
    """

    def __init__(self, bench: Workbench, connect: Callable[[], Link]) -> None:
        super().__init__()
        self._bench, self._connect = bench, connect
        self.clip: SecondClip | None = None
        self.side: Workbench | None = None
        self.linked = True
        self.pair: tuple[Shown, Shown] | None = None
        self.began: Callable[[], object] = lambda: None
        self.paired: Callable[[], object] = lambda: None
        self.late: Callable[[], object] = lambda: None
        self.history = ValueSteps[SecondClip | None](self._put)
        self._kept: dict[str, SecondClip] = {}
        self._first = ""
        self._held: dict[int, Shown] = {}  # of the first clip, by the frame of the second that they wait for
        self._behind = False  # the first clip has shown more than is waited for
        self._sent: int | None = None  # the frame that the second clip was sent to last
        self._since = 0.0  # when it was
        self._heard = 0
        bench.on(Topic.PICTURE, self._of_first)
        bench.on(Topic.OPENED, self._opened)

    @property
    def possible(self) -> bool:
        """Whether a clip can be beside what is open."""
        return self._bench.opened is not None and not self._bench.live

    @property
    def info(self) -> SourceInfo | None:
        """Of the second clip, once it is open."""
        return None if self.side is None else self.side.info

    @property
    def timed(self) -> bool:
        """Whether both know when their frames were exposed; else frames of one number belong together."""
        one, two = self._bench.info, self.info
        return one is not None and two is not None and one.time.fps > 0 and two.time.fps > 0

    # --------------------------------------------------------------------------------------------------- opening

    def open(self, what: str, reading: Reading = AS_STORED) -> None:
        """Show a clip, or the tracks of a run over its clip, beside the first one.

        Args:
            what: a clip, or a run's folder.

        Raises:
            InputError: no clip is open, or it is something else.
        """
        if not self.possible:
            raise InputError("open a clip first; the second one is shown beside it")
        found = what_is(what)
        if found.kind is Kind.RUN:
            record = read_run(what)
            clip = SecondClip(record.clip, str(record.folder.absolute()),
                              record.reading if reading == AS_STORED else reading)  # fmt: skip
        elif found.kind in NO_CLIPS or found.kind is Kind.CAMERA:
            raise InputError(found.wrong("a clip or a run's folder"))
        else:
            named = found.kind in (Kind.SCENE, Kind.ADDRESS)
            clip = SecondClip(what if named else str(Path(what).absolute()), "", reading)
        self._begin(clip)
        self.history.add(f"second clip {clip.name}", None, self.clip)

    def _put(self, clip: SecondClip | None) -> None:
        """This is beside, after a step back or on."""
        if clip is None:
            self._end()
        elif self.side is None or self.clip is None or replace(self.clip, offset=0.0) != replace(clip, offset=0.0):
            self._begin(clip)
        else:
            self._move(clip)

    def _begin(self, clip: SecondClip) -> None:
        """Have a bench of its own open it.

        Raises:
            InputError: the run's folder is none, or is damaged.
        """
        self._drop()
        pipeline = None
        if clip.run:
            record = read_run(clip.run, clip.path)
            pipeline = pipeline_of(record)
            clip = replace(clip, path=record.clip)
        side = Workbench(self._connect())
        side.bare = not clip.run
        side.open(clip.path, reading=clip.reading, play=False, run=clip.run, pipeline=pipeline)
        side.on(Topic.OPENED, self._arrived)
        side.on(Topic.PICTURE, self._of_second)
        self.side, self.clip, self.linked, self._heard, self._sent = side, clip, True, 0, None
        self._kept[self._bench.clip] = clip
        self.began()
        self._notify()

    def read_as(self, reading: Reading) -> None:
        """Read it otherwise."""
        if (before := self.clip) is not None:
            self._begin(replace(before, reading=reading))
            self.history.add("reading of the second clip", before, self.clip)

    def close(self) -> None:
        """The first clip alone again."""
        before = self.clip
        self._end()
        if before is not None:
            self.history.add("no second clip", before, None)
            self._notify()

    def _end(self) -> None:
        self._kept.pop(self._bench.clip, None)
        self.clip = None
        self._drop()
        self.began()
        self._notify()

    def _arrived(self) -> None:
        self._follow()
        self._notify()

    def _drop(self) -> None:
        side, self.side = self.side, None
        self.pair, self._held, self._behind = None, {}, False
        if side is not None:
            threading.Thread(target=side.quit, name="end of the second clip").start()

    def quit(self) -> None:
        """The window closes."""
        self._drop()

    def give(self, key: str, clip: SecondClip | None) -> None:
        """A clip has this beside it when it is opened next: a project says so."""
        self._kept.pop(key, None)
        if clip is not None:
            self._kept[key] = clip

    def _opened(self) -> None:
        """Another first clip has another one beside it, or none."""
        first = self._bench.clip if self.possible else ""
        if first == self._first:
            return
        self._first = first
        self.history.begin()
        known = self._kept.get(first) if first else None
        self.clip = None
        self._drop()
        if known is not None:
            try:
                self._begin(known)
                return
            except FusetrackError as error:
                self.clip = known  # it stays what is meant: its folder may come back
                self._bench.speak(Level.ERROR, f"the second clip was not opened: {error}")
        self.began()
        self._notify()

    # ------------------------------------------------------------------------------------------------ in one time

    @property
    def offset(self) -> float:
        """s that are added to the second clip's times."""
        return 0.0 if self.clip is None else self.clip.offset

    def set_offset(self, offset: float) -> None:
        """The same, otherwise.

        Raises:
            InputError: that is no number.
        """
        if not math.isfinite(offset):
            raise InputError(f"an offset is a number of seconds, not {offset}")
        if (before := self.clip) is not None and offset != before.offset:
            after = replace(before, offset=offset)
            self.history.add("offset of the second clip", before, after, merge=True)
            self._move(after)

    def _move(self, clip: SecondClip) -> None:
        self.clip = self._kept[self._bench.clip] = clip
        self._held.clear()
        self._follow()
        self._notify()

    def link(self, on: bool) -> None:
        """Whether it follows the first clip."""
        if on != self.linked:
            self.linked, self.pair, self._held = on, None, {}
            self._follow()
            self._notify()

    def same_moment(self) -> float:
        """The frames that both show were exposed at one moment; the offset that comes of it. They go together on.

        Raises:
            InputError: one of them shows nothing yet.
        """
        one, side = self._bench.shown, self.side
        if one is None or side is None or side.shown is None or side.info is None or self._bench.info is None:
            raise InputError("both clips have to show a frame first")
        first, second = self._time(self._bench.info, one.frame), self._time(side.info, side.shown.frame)
        if (before := self.clip) is not None and first - second != before.offset:
            after = replace(before, offset=first - second)
            self.history.add("alignment of the second clip", before, after)
            self._move(after)
        self.link(True)
        return self.offset

    def _time(self, info: SourceInfo, frame: int) -> float:
        return float(info.time.time(frame)) if self.timed else float(frame)

    def frame_for(self, frame: int) -> int | None:
        """The frame of the second clip that belongs to one of the first one; None before both are open."""
        info, first = self.info, self._bench.info
        if info is None or first is None:
            return None
        at = self._time(first, frame) - self.offset
        return nearest_frame(info, at) if self.timed else min(max(round(at), 0), info.frames - 1)

    def outside(self, frame: int) -> bool:
        """Whether the second clip has no frame at the moment of one of the first one: its first or last stands for
        it."""
        info, first, wanted = self.info, self._bench.info, self.frame_for(frame)
        if info is None or first is None or wanted is None:
            return False
        each = 1.0 / info.time.fps if self.timed else 1.0
        # More than half a frame apart, with room for rounding: the nearest frame is not of that moment.
        return abs(self._time(info, wanted) + self.offset - self._time(first, frame)) > 0.5 * each * (1 + 1e-6)

    @property
    def ahead(self) -> int | None:
        """Frames by which the second clip is ahead of the first one, as `fusetrack reconstruct --offset` counts; None
        where rates differ or are unknown."""
        first, info = self._bench.info, self.info
        if first is None or info is None:
            return None
        if not self.timed:
            return round(-self.offset)
        if not math.isclose(first.time.fps, info.time.fps, rel_tol=1e-3):
            return None
        return round((first.time.time(0) - self.offset - info.time.time(0)) * info.time.fps)

    def _follow(self) -> None:
        """Keep the first clip's newest picture, and send the second clip to the frame that belongs to it."""
        shown, side = self._bench.shown, self.side
        if side is None or side.opened is None or shown is None or not self.linked:
            return
        wanted = self.frame_for(shown.frame)
        if wanted is None:
            return
        self._behind = False
        held = replace(shown, pixels=np.array(shown.pixels))  # the box's memory is that of the next one soon
        # What it shows is not what it will show while it is on its way to another frame.
        if side.shown is not None and side.shown.frame == wanted and self._sent in (None, wanted) and not self._held:
            self._show(held, side.shown)
            return
        # They are in the order in which the second clip was sent to them.
        if wanted != next(reversed(self._held), None):
            self._held.pop(wanted, None)  # gone by, and wanted again: it comes last
            self._send(side, wanted)
        self._held[wanted] = held

    def _send(self, side: Workbench, frame: int) -> None:
        self._sent, self._since = frame, time.monotonic()
        side.player.seek(frame)

    def _show(self, first: Shown, second: Shown) -> None:
        self.pair = first, second
        self.paired()

    def _of_first(self) -> None:
        """The first clip has a picture; those that are waited with are shown first."""
        if len(self._held) < AHEAD:
            self._follow()
        else:
            self._behind = True

    def _of_second(self) -> None:
        """The second clip has a picture; what was waited for before it comes no more."""
        side = self.side
        if side is None or side.shown is None or not self.linked or side.shown.frame not in self._held:
            return
        while (frame := next(iter(self._held))) != side.shown.frame:
            del self._held[frame]
        self._show(self._held.pop(frame), side.shown)
        if self._behind:
            self._follow()

    def go(self, frame: int) -> None:
        """Show another frame of the second clip, which follows the first one no more."""
        if (side := self.side) is not None:
            self.link(False)
            self._send(side, frame)

    def step(self, frames: int) -> None:
        """So many frames on, back if negative; as `go`."""
        side = self.side
        if side is not None and side.shown is not None:
            self.go(side.shown.frame + frames)

    def tick(self) -> None:
        """Look for its news; what it says is said in the window."""
        side = self.side
        if side is None:
            return
        side.tick()
        name = self.clip.name if self.clip is not None else ""
        for message in side.messages[self._heard :]:
            if message.level is not Level.NOTE:
                self._bench.speak(message.level, f"{name}: {message.sentence}" if name not in message.sentence
                                  else message.sentence, message.details)  # fmt: skip
        self._heard = len(side.messages)
        failed = side.state is RunState.FAILED or (side.opened is None and side.opening is None)
        if failed and self.side is side:
            self._drop()
            self.began()
            self._notify()
        elif self.linked and self._held and time.monotonic() - self._since > PATIENCE:
            self._held.clear()
            self._follow()
            self.late()
