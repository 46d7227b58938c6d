"""Recorded sessions (.mcap): every frame in constant time, each checked against its checksum."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sessions import events
from app.sessions.layout import FrameRows
from app.sessions.reader import SessionReader, SessionState, open_session
from app.sessions.timeline import timeline
from app.sources.base import BITS_GIVEN, TURNED, ClipSource, check_file, check_picture, describe_rate, identity_of
from app.sources.integrity import Integrity
from kernels.errors import BadFrame, SourceError
from pipelines.features import Tracks
from pipelines.frame import UNKNOWN, Pixels, SourceInfo, TimeBase
from pipelines.measures import Unwrapping


class SessionSource(ClipSource):
    """A session that fusetrack recorded; one whose recorder died is repaired first, one that grows ends where it ends.

    Args:
        path: the file.

    Attributes:
        recorded_times: of each frame as the run had them that was recorded; those of `info` count from the trigger.
        zero: the seconds by which they differ.

    Raises:
        SourceError: it is no session of fusetrack, or holds no frame.
    """

    def __init__(self, path: Path) -> None:
        check_file(path)
        self.session = open_session(path)
        try:
            info = _info(path, self.session)
            trigger = _trigger(self.session)
            self.from_trigger = trigger is not None
            self.recorded_times = info.time.stamps
            self.zero = 0.0
            if trigger is not None and info.time.stamps is not None:
                numbers = self.session.rows["sequence"].astype(np.float64)
                self.zero, remark = _time_at(trigger, numbers, info.time.stamps, info.time.fps)
                info = replace(info, time=replace(info.time, stamps=info.time.stamps - self.zero),
                               warnings=(*info.warnings, *((remark,) if remark else ())))  # fmt: skip
            super().__init__(info)
        except BaseException:
            self.session.close()
            raise

    def _frame(self, index: int) -> Pixels:
        return self.session.read(index)

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        """As `ClipSource.read`, straight into `out`."""
        if not 0 <= index < self.info.frames:
            raise IndexError(f"{self.info.name} has frames 0 to {self.info.frames - 1}, not {index}")
        return super().read(index, out) if self._turns else self.session.read(index, out)

    def tracks(self) -> Tracks:
        """What was tracked while it was recorded, as a run's table has it: times as those of its frames, angles that
        go on past their period along a track."""
        rows = self.session.tracks()
        rows["time"] -= self.zero
        Unwrapping().unwrap(rows)
        return rows

    @property
    def integrity(self) -> Integrity:
        return Integrity.SUMS

    def close(self) -> None:
        self.session.close()


class NumberedSession:
    """A session whose frames go by their sequence numbers, as the pipeline had them while it was recorded.

    Args:
        source: the session as a clip; closed with this.

    Attributes:
        timeline: which of the frames were processed, and what changed on the way.

    Raises:
        InputError: nothing in it can be replayed.
    """

    def __init__(self, source: SessionSource) -> None:
        self.source = source
        own = source.info
        # The trackers are given the very times again, to the last bit.
        times = source.recorded_times if own.time.stamps is not None else None
        if times is None:  # the user gave another rate
            times = np.array([own.time.time(k) for k in range(own.frames)])
        self.timeline = timeline(source.session, times)
        base = TimeBase(own.time.fps, own.time.origin, own.time.note, self.timeline.times)
        self._info = replace(own, frames=len(self.timeline.times), time=base, first_number=0)

    @property
    def info(self) -> SourceInfo:
        """As of the session; `frames` is one past the last number."""
        return self._info

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        """The frame with this number.

        Raises:
            BadFrame: it was not recorded, or is damaged.
            IndexError: no such number.
        """
        if not 0 <= index < self._info.frames:
            raise IndexError(f"{self._info.name} numbers its frames 0 to {self._info.frames - 1}, not {index}")
        place = int(self.timeline.places[index])
        if place < 0:
            raise BadFrame(index, self.timeline.unreadable.get(index, "it was not recorded"))
        try:
            return self.source.read(place, out)
        except BadFrame as error:
            raise BadFrame(index, error.reason) from None

    def close(self) -> None:
        """Give the file back."""
        self.source.close()


def _info(path: Path, session: SessionReader) -> SourceInfo:
    if not len(session):
        raise SourceError(f"{path} holds no frame: nothing was recorded before it was closed")
    picture, rows = session.picture, session.rows
    check_picture(path, picture.width, picture.height, picture.frame_bytes)
    source = session.manifest.get("source")
    facts: dict[str, Any] = source if isinstance(source, dict) else {}
    happened = session.events()
    return SourceInfo(
        path.name, "session", picture.width, picture.height, len(rows), picture.image, picture.format,
        _time_base(rows, facts.get("time_base")), _first_number(session), len(rows),
        _warnings(session, happened), _metadata(session, facts.get("metadata")),
        {**identity_of(path), "session": session.manifest.get("uuid", "")},
    )  # fmt: skip


def _time_base(rows: FrameRows, facts: Any) -> TimeBase:
    """The times that the pipeline was given while it was recorded, else the camera's clock, else the host's."""
    facts = facts if isinstance(facts, dict) else {}
    rate = facts.get("fps")
    fps = float(rate) if isinstance(rate, int | float) and rate > 0 else float("nan")
    times = rows["time"].astype(np.float64)
    if np.isfinite(times).all():
        origin, note = str(facts.get("origin", "stamps")), str(facts.get("note", "as recorded"))
        return TimeBase(fps, origin, note, times)
    column, whose = ("camera_time", "camera's") if (rows["camera_time"] != UNKNOWN).all() else ("host_time", "host's")
    times = (rows[column] - rows[column][0]) * 1e-9
    steps = np.diff(times)
    steps = steps[steps > 0]
    fps = 1.0 / float(np.median(steps)) if len(steps) else fps
    return TimeBase(fps, "stamps", f"{describe_rate(fps)}, from the {whose} clock at each frame", times)


def _trigger(session: SessionReader) -> int | None:
    """The sequence number of the frame of the first trigger; None without one."""
    for event in session.events():
        if event["kind"] == events.TRIGGER and isinstance(event.get("frame"), int):
            return int(event["frame"])
    return None


def _time_at(
    number: int, numbers: npt.NDArray[np.float64], times: npt.NDArray[np.float64], fps: float
) -> tuple[float, str]:
    """When a frame was or would have been taken, in seconds; and what is to be said of it, "" where it was recorded.

    Args:
        number: of the frame.
        numbers, times: (n,) of those that were recorded, rising; n > 0.
        fps: frames a second; NaN where only `times` tell.
    """
    first, last = int(numbers[0]), int(numbers[-1])
    if first <= number <= last:
        return float(np.interp(number, numbers, times)), ""
    at = 0 if number < first else -1
    step = 1.0 / fps if fps > 0 else (times[-1] - times[0]) / (last - first) if last > first else np.nan
    said = f"the trigger was about frame {number}, which was not recorded (frames {first} to {last} were); "
    if not step > 0:
        return float(times[at]), f"{said}its time is not known, and times count from the frame that is nearest"
    return float(times[at] + (number - numbers[at]) * step), f"{said}its time is that of the rate of the camera"


def _first_number(session: SessionReader) -> int:
    """Frames count from where their times do: from the first trigger if there was one, else as those of the clip that
    was recorded, or from where the run of a camera began, whose own numbers count from anywhere."""
    trigger, number = _trigger(session), _camera_number(session)
    first = int(session.rows["sequence"][0])
    if trigger is not None:
        return first - trigger
    source = session.manifest.get("source")
    camera = isinstance(source, dict) and source.get("kind") == "camera"
    return first if camera or number is None else number


def _camera_number(session: SessionReader) -> int | None:
    """The number that the camera gave to the first frame, or that it has in its clip; None where there is none."""
    number = int(session.rows["camera_id"][0])
    return None if number == UNKNOWN else number


def _metadata(session: SessionReader, facts: Any) -> dict[str, Any]:
    """What the source said, and the number that the camera itself gave to the first frame."""
    made = dict(facts) if isinstance(facts, dict) else {}
    for given in (BITS_GIVEN, TURNED):  # when it was recorded: its frames are so already
        made.pop(given, None)
    number = _camera_number(session)
    return made if number is None else {**made, "camera_number": number}


def _warnings(session: SessionReader, happened: list[dict[str, Any]]) -> tuple[str, ...]:
    made = list(session.problems)
    if session.state is SessionState.GROWING:
        made.append(f"the session is still being recorded; these are its first {len(session)} frames")
    elif session.state is SessionState.UNFINISHED:
        made.append("the session was never closed and cannot be written to; what is whole in it is served")
    if not session.manifest:
        made.append("the manifest of the session is damaged; where its frames come from is not known")
    rows = session.rows
    absent = int(rows["sequence"][-1]) - int(rows["sequence"][0]) + 1 - len(rows)
    if absent > 0:
        made.append(f"{absent} frames between the first and the last were not recorded; `fusetrack ledger` names them")
    changed = sum(event["kind"] == events.PARAMETER for event in happened)
    if changed:
        made.append(f"parameters were changed {changed} times during the recording")
    return tuple(made)
