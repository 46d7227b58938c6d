"""One clip of a batch, in the process that runs it: from the order to a folder of results with its marker."""

from __future__ import annotations

import errno
import re
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.batch.configuration import Configuration, digest
from app.batch.folders import Marker, commit, read_marker, write_marker
from app.batch.identity import identity, same
from app.batch.thumbnail import NAME as THUMBNAIL
from app.batch.thumbnail import Thumbnail
from app.cautions import rate_warnings, track_hints
from app.controller import Outcome, Stoppable, run_clip
from app.files.atomic import write_error
from app.progress import Progress, ToldProgress
from app.version import __version__
from kernels.errors import FusetrackError, InputError, is_memory
from kernels.plugins import load_plugin
from pipelines.analysis.point_grid import parse_grid
from pipelines.streaming.clip.runner import Runner

DONE, FAILED, STOPPED, SKIPPED, WAITING, RUNNING = "done", "failed", "stopped", "skipped", "waiting", "running"
"""What the report says of a clip."""
TELL_EVERY = 0.2
"""Seconds between two words about progress."""
Row = dict[str, Any]
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says where a disk takes no more; people want to know which."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a job is to do; small, and JSON-able by `asdict`, for it goes to other processes and machines.

    Args:
        key: names the job in events; unique in the batch.
        clip, name: path, and what people see.
        final, part, log: absolute paths: of the results, of where they are written first, of the log.
        configuration: fields of `Configuration`, with absolute paths.
        hash: of the configuration; a process that finds another one has another version or a changed file.
        version: of fusetrack.
        timeout: seconds, or None.
        attempt: counted from 1.
        threads: of the kernels; the executor's to say.
    """

    key: str
    clip: str
    name: str
    final: str
    part: str
    log: str
    configuration: Mapping[str, Any]
    hash: str
    version: str
    timeout: float | None = None
    attempt: int = 1
    threads: int = 1


def failed(reason: str, again: bool = False) -> Row:
    """The row of a job that failed.

    Args:
        reason: a sentence.
        again: whether another attempt might do better.
    """
    return {"status": FAILED, "reason": reason, "again": again}


class Control:
    """Stops the run in this process, whenever that begins."""

    def __init__(self) -> None:
        self._wanted = threading.Event()
        self._runner: Stoppable | None = None

    def stop(self) -> None:
        """End the run after the frames in hand. Safe from any thread."""
        self._wanted.set()
        if self._runner is not None:
            self._runner.stop()

    def started(self, runner: Stoppable) -> None:
        """Take the runner that `stop` is about."""
        # First known, then asked: a stop that comes in between meets one or the other.
        self._runner = runner
        if self._wanted.is_set():
            runner.stop()

    @property
    def wanted(self) -> bool:
        return self._wanted.is_set()


def work(order: Order, tell: Callable[[Row], None], control: Control) -> Row:
    """Run the clip; returns its row for the report, whatever happens.

    Args:
        tell: takes {"total": frames} once and {"done": frames, "bad": unreadable ones} now and then.
    """
    try:
        return _work(order, tell, control)
    except FusetrackError as error:
        return failed(_plain(str(error), order))
    except Exception as error:
        if is_memory(error):
            return failed("there was not enough memory; take fewer --jobs or a part of the picture (--roi)", again=True)
        if isinstance(error, OSError):
            what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
            if error.errno in FULL:
                what = str(write_error(Path(error.filename or order.part), error))
            return failed(_plain(what, order), again=True)
        with suppress(OSError):  # the log may lie on a disk that is full
            traceback.print_exc()
        text = " ".join(str(error).split())[:200]
        return failed(f"{type(error).__name__}: {text} (a defect; the log has all of it)")


def _plain(sentence: str, order: Order) -> str:
    """The sentence with the name of the folder that people will look for. What it says was kept goes with the folder
    of a clip that is not done, which the next call begins anew."""
    sentence = re.sub(r"; the tracks up to frame -?\d+ are kept in [^;]*$", "", sentence)
    return sentence.replace(order.part, order.final).replace(Path(order.part).name, Path(order.final).name)


def _work(order: Order, tell: Callable[[Row], None], control: Control) -> Row:
    if order.version != __version__:
        raise InputError(f"this batch is of fusetrack {order.version}, and {socket.gethostname()} has {__version__}; "
                         "install the same version everywhere")  # fmt: skip
    configuration = Configuration.of(order.configuration)
    for file in configuration.plugins:
        load_plugin(file)
    facts = configuration.facts_of(configuration.facts(), order.clip, order.name)
    # Results would carry a hash that is not theirs.
    if digest(facts) != order.hash:
        raise InputError(f"{configuration.pipeline} or a plug-in is not what it was when the batch began; begin again")
    # Again after the run: a clip that changes meanwhile has no results.
    before = identity(order.clip)
    final, part = Path(order.final), Path(order.part)
    there = read_marker(final)
    if there is not None and there.answers(before, order.hash, configuration.overlay) and not there.lost(final):
        return dict(there.row)  # an earlier attempt died after its work was done
    part.mkdir(parents=True)
    begin, sinks = time.perf_counter(), []

    def started(runner: Stoppable) -> None:
        if isinstance(runner, Runner):
            sinks.append(Thumbnail((runner.ledger.first + runner.ledger.end) // 2))
            runner.sinks = [*runner.sinks, *sinks]
        control.started(runner)

    outcome = run_clip(
        order.clip, configuration.pipeline, settings=configuration.settings, roi=_whole_numbers(configuration.roi),
        frames=_pair(configuration.frames), reading=configuration.reading, out=part, overlay=configuration.overlay,
        device=configuration.device, exact=configuration.exact, progress=_telling(tell), started=started,
        columns=configuration.columns, key=configuration.key, scale=facts.get("--scale"), y_up=configuration.y_up,
        origin=None if configuration.origin is None else (configuration.origin[0], configuration.origin[1]),
        points=parse_grid(configuration.grid) if configuration.grid else [
            tuple(point) for point in facts.get("--points", ())],
    )  # fmt: skip
    if outcome.report.interrupted or control.wanted:
        ledger = outcome.report.ledger
        return {"status": STOPPED, "reason": f"stopped after {ledger.processed} of {ledger.announced} frames; the next "
                                             "call begins again"}  # fmt: skip
    counts = outcome.report.ledger
    if counts.announced and counts.bad == counts.announced:
        raise InputError(f"{order.clip}: none of its {counts.bad} frames could be read; the first: "
                         f"{next(iter(counts.reasons))}")  # fmt: skip
    pictured = [sink.save(part / THUMBNAIL) for sink in sinks]
    if not same(before, identity(order.clip)):
        raise InputError(f"{order.clip} changed while it was read (is it still being copied?); run the batch again")
    files = {file.name: file.stat().st_size for file in sorted(part.iterdir())}
    row = {**_row(outcome), "thumbnail": THUMBNAIL if any(pictured) else "", "files": [*files],
           "seconds": time.perf_counter() - begin, "host": socket.gethostname()}  # fmt: skip
    marker = Marker(order.clip, before, order.hash, facts, configuration.overlay, files, row)
    write_marker(part, marker)
    first = commit(part, final, lambda other: other.answers(before, order.hash, configuration.overlay))
    return row if first else dict((read_marker(final) or marker).row)


def _whole_numbers(roi: Any) -> tuple[int, int, int, int] | None:
    return None if roi is None else (roi[0], roi[1], roi[2], roi[3])


def _pair(frames: Any) -> tuple[int | None, int | None] | None:
    return None if frames is None else (frames[0], frames[1])


def _row(outcome: Outcome) -> Row:
    """What the report says of a run."""
    summary, info = outcome.summary, outcome.source
    tracks = summary["tracks"]["list"]
    hints = [*summary["hints"]]
    if tracks:
        hints = track_hints(tracks, outcome.report.ledger.processed, outcome.pipeline) + hints
    full = [f"{node} had no room for {rows} rows; raise {node}.capacity or its threshold"
            for node, rows in outcome.report.overflow.items()]  # fmt: skip
    note = summary["back_end"]["note"]
    return {
        "status": DONE,
        "reason": "",
        "frames": summary["frames"],
        "fps": summary["fps"],
        "width": info.width,
        "height": info.height,
        "capture_fps": info.time.fps if info.time.fps > 0 else None,
        "tracks": summary["tracks"]["tracks"],
        "rows": summary["tracks"]["rows"],
        "longest": tracks[0]["seen_frames"] if tracks else 0,
        "scores": None if outcome.scores is None else asdict(outcome.scores),
        "compared_with": outcome.compared or None,
        "hints": hints,
        "warnings": [*rate_warnings(info), *info.warnings, *full, *([note] if note else [])],
        "device": summary["back_end"]["device"],
    }


def _telling(tell: Callable[[Row], None]) -> Callable[[str, int], Any]:
    @contextmanager
    def progress(label: str, total: int) -> Iterator[Progress]:
        print(f"{label}: {total} frames", flush=True)
        tell({"total": total})
        teller = ToldProgress(tell, TELL_EVERY)
        yield teller
        teller.say()

    return progress
