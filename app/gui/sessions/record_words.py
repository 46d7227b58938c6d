"""What the bar of a recording says, as rich text."""

from __future__ import annotations

import math
from contextlib import suppress
from html import escape
from pathlib import Path

from app.desk.bench.recorded_words import between, gap, trigger_words, triggers
from app.desk.bench.workbench import Workbench
from app.desk.engine import reports
from app.desk.engine.throughput import look
from app.desk.jobs.jobs import Job
from app.files.atomic import size_text
from app.frame_counts import NO_ROOM
from app.gui import theme
from app.progress import duration, until_full
from app.sessions.layout import Picture
from pipelines.frame import SourceInfo
from pipelines.streaming.common.states import RunState


def ready(bench: Workbench, info: SourceInfo, waits: bool) -> str:
    """What would be recorded."""
    if bench.live:
        what = "Record arms it: frames are kept in memory until a trigger comes" if waits else (
            "what comes goes into a new session")  # fmt: skip
        return f"<b>Ready</b> &nbsp; {what}"
    frames = bench.range[1]
    room = size_text(frames * Picture.of(info).frame_bytes)
    return (f"<b>Ready</b> &nbsp; {frames} frames ({room}) and their tracks by {escape(bench.pipeline.name)} go into a "
            "new session")  # fmt: skip


def done(last: reports.Recorded) -> tuple[str, str]:
    """What was recorded last, and where it is; and a colour."""
    colours = theme.current()
    account, path = last.account, Path(last.path).absolute()
    said = between(last)
    if not account.recorded:
        why = account.problem or ("no trigger came" if account.announced else "no frame came")
        words = escape("; ".join((why, *said)))
        words += "" if last.kept else "; there is no such file"
        return f"<b>Stopped</b> &nbsp; nothing was recorded into {escape(path.name)}: {words}", colours.warn
    lost = f"; {account.dropped} lost ({NO_ROOM})" if account.dropped else "" if said else ", none was lost"
    text = f"<b>Stopped</b> &nbsp; {escape(path.name)}: {account.recorded} frames"
    text += f" recorded, {size_text(account.bytes)}{lost}"
    text += "".join(f"; {escape(one)}" for one in (*said, *gap(last), *triggers(last)))
    text += f"; {escape(account.problem)}" if account.problem else f" &nbsp; in {escape(short(path.parent))}"
    ink = colours.bad if account.dropped or account.problem else colours.warn if said else colours.good
    return text, ink


def going(bench: Workbench, elapsed: float, waits: bool, before: int) -> str:
    """How it goes, after so many seconds; of one that waits for a trigger, and keeps frames before it."""
    colours = theme.current()
    clock = f"{int(elapsed) // 60}:{int(elapsed) % 60:02d}"
    disk = look(bench.readings).disk
    head = f'<span style="color:{colours.bad}">●</span> <b>Recording</b> {clock}'
    if disk is None:
        asked = " &nbsp; the trigger is taken with the first frame" if waits and bench.trigger_asked else ""
        return f"<b>Beginning</b> {clock}{asked}"
    if waits and (armed := _armed(bench, before)):
        head = f'<span style="color:{colours.warn}">●</span> <b>{armed[0]}</b> {clock}'
        return f"{head}{_paused(bench, 'kept')} &nbsp; {armed[1]}"
    left = until_full(disk.seconds_left)
    rate = f"{size_text(disk.bytes_a_second)}/s" if math.isfinite(disk.bytes_a_second) else "… /s"
    lost = colours.bad if disk.dropped else colours.muted
    late = colours.warn if disk.queue.room and disk.queue.now > disk.queue.room / 2 else colours.muted
    return (
        f"{head}{_paused(bench, 'recorded')} &nbsp; <b>{disk.recorded}</b> frames &nbsp; {rate} &nbsp; "
        f'<span style="color:{late}">queue {disk.queue.now} of {disk.queue.room}</span> &nbsp; '
        f'<span style="color:{lost}">{disk.dropped} lost</span> &nbsp; disk full in {left}'
    )


def _paused(bench: Workbench, done: str) -> str:
    """What a pause does to the frames that are `done` so; "" where it goes on."""
    if bench.state is not RunState.PAUSED:
        return ""
    return f' &nbsp; <span style="color:{theme.current().warn}">paused: {done}, but without tracks (Space)</span>'


def _armed(bench: Workbench, before: int) -> tuple[str, str] | None:
    """State and words of a recording that waits for a trigger; None where one has come whose frames are recorded."""
    account = bench.measured.recording if bench.measured is not None else None
    if account is None:
        return None
    if not bench.triggered:
        if bench.trigger_asked:
            return "Triggered", "its frames are on their way"
        return None if account.recorded else (
            "Armed", f"the last {before} frames are kept; G or the button triggers")  # fmt: skip
    if any(one.until is None or account.announced < one.until for one in bench.triggered):
        return None
    words = f"{account.recorded} frames recorded; {trigger_words(bench.triggered[-1])}; G or the button triggers again"
    return "Armed again", escape(words)


def clip_going(job: Job) -> str:
    """How the recording of a clip goes."""
    colours = theme.current()
    left = f", {duration(job.seconds_left)} left" if math.isfinite(job.seconds_left) else ""
    return (f'<span style="color:{colours.bad}">●</span> <b>Recording</b> &nbsp; {job.done} of {job.total or "…"} '
            f"frames{left}")  # fmt: skip


def short(folder: Path, most: int = 48) -> str:
    """A folder in few letters: "~" for the home, its end if it is long."""
    with suppress(ValueError, RuntimeError):
        folder = "~" / folder.relative_to(Path.home())
    text = str(folder)
    return text if len(text) <= most else "…" + text[-most:]
