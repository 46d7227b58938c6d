"""A whole batch: find, plan, run, report. The folder of results is locked while it works."""

from __future__ import annotations

import os
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.batch.configuration import Configuration, digest
from app.batch.display import Display, outcome_line, showing
from app.batch.executors import FINISHED, PROGRESS, STARTED, Executor
from app.batch.finding import Found, find, read_list
from app.batch.folders import LOGS, PAGE, TRACKS, scan
from app.batch.job import DONE, FAILED, SKIPPED, STOPPED, Order, Row
from app.batch.lock import FolderLock
from app.batch.merging import merge
from app.batch.planning import Planned, plan, words
from app.batch.report import FINISHED as ALL_DONE
from app.batch.report import INTERRUPTED, BatchReport, command_text, machine
from app.ending import HANGUP, heard, let_go_of_terminal
from app.files.atomic import make_folder
from app.path_kinds import BATCH_REPORT
from app.results import TRACKS_PARQUET
from app.version import __version__
from kernels.errors import InputError

TICK = 0.2
SHOWN = 10
"""Failures that are listed at the end."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What to do.

    Args:
        patterns: clips, patterns, folders.
        out: the folder of all results.
        configuration: how each clip is run.
        list_file: a file with more patterns, or None.
        timeout: seconds a clip may take, or None.
        retries: how often a clip is tried again whose process died.
        redo: also run what is done.
        quiet: no progress.
        command: what was typed, for the report.
    """

    patterns: Sequence[str]
    out: Path
    configuration: Configuration
    list_file: str | None = None
    timeout: float | None = None
    retries: int = 1
    redo: bool = False
    quiet: bool = False
    command: Sequence[str] = ()


def dry_run(batch: Batch) -> int:
    """Say what would be run and why; writes nothing. Plug-ins must have been loaded."""
    found = _find(batch)
    facts = batch.configuration.facts()
    planned = plan(found.clips, scan(batch.out, clear=False), batch.configuration, facts, batch.redo)
    for p in planned:
        detail = f": {p.detail}" if p.detail else ""
        missing = f" (it will fail: {p.clip.missing})" if p.clip.missing else ""
        print(f"{'run ' if p.run else 'skip'}  {p.clip.name} -> {batch.out / p.folder}  ({p.why}{detail}){missing}")
    print("\n".join((*words(planned), *_left_out(found), "nothing was run (--dry-run)")))
    return 0


def run_batch(batch: Batch, make: Callable[[int], Executor]) -> int:
    """Run it; returns the exit code: 0, 1 if a clip failed, 130 if it was stopped. Plug-ins must have been loaded.

    Args:
        make: gives the executor for so many jobs; not called where nothing is to do.

    Raises:
        InputError: nothing matches, a setting is wrong, another batch is at work there.
    """
    facts = batch.configuration.facts()
    found = _find(batch)
    out = make_folder(batch.out).absolute()
    # Before the scan: another batch's halves must not be cleared up under its hands.
    with FolderLock(out):
        folders = scan(out, clear=True)
        planned = plan(found.clips, folders, batch.configuration, facts, batch.redo)
        known = {
            "command": command_text(batch.command), "pipeline": facts["pipeline"], "configuration": facts,
            "root": str(found.root), "unmatched": found.unmatched, "machine": machine(), "executor": {},
            "files": [BATCH_REPORT, TRACKS],
        }  # fmt: skip
        report = BatchReport(out, planned, known)
        wanted = [p for p in planned if p.run]
        with showing(batch.quiet) as display, _signals() as pressed:
            cleared = [f"{folders.cleared} unfinished folders of a batch that was killed were removed"]
            for line in (*words(planned), *_left_out(found), *(cleared if folders.cleared else [])):
                display.say(line)
            if wanted:
                with closing(make(len(wanted))) as executor:
                    report.fact("executor", executor.facts)
                    _Loop(batch, out, facts, wanted, executor, report, display, pressed).run()
        return _finish(batch, out, planned, report)


def _find(batch: Batch) -> Found:
    patterns = [*batch.patterns, *(read_list(batch.list_file) if batch.list_file is not None else [])]
    if not patterns:
        raise InputError("there is nothing to run: give clips, patterns or folders, or a --list with some lines")
    return find(patterns, batch.out)


def _left_out(found: Found) -> list[str]:
    lines = [f"nothing matches {pattern!r}" for pattern in found.unmatched]
    if found.twice:
        lines.append(f"{found.twice} matched more than once, each is run once")
    if found.left_out:
        lines.append(f"{found.left_out} other files there are left out: they are no clips, or results of earlier runs")
    return lines


class _Loop:
    """Hands orders out and books what becomes of them."""

    def __init__(
        self, batch: Batch, out: Path, facts: Mapping[str, Any], wanted: Sequence[Planned], executor: Executor,
        report: BatchReport, display: Display, pressed: list[int],
    ) -> None:  # fmt: skip
        self._batch, self._out, self._facts, self._executor = batch, out, facts, executor
        self._report, self._display, self._pressed = report, display, pressed
        self._planned = {str(k): p for k, p in enumerate(wanted)}
        self._attempts = dict.fromkeys(self._planned, 0)
        self._open = set(self._planned)
        self._configuration = asdict(batch.configuration.anywhere())
        self._heard = 0

    def run(self) -> None:
        """Until every clip has its row."""
        for key in self._planned:
            self._submit(key)
        self._report.save(force=True)
        while self._open:
            for event in self._executor.events(TICK):
                # A job that was given up may still say something.
                if event.key not in self._open:
                    continue
                path = self._planned[event.key].clip.path
                if event.kind == STARTED:
                    self._report.begin(path, self._attempts[event.key], event.facts.get("where", ""))
                elif event.kind == PROGRESS:
                    self._report.progress(path, event.facts)
                elif event.kind == FINISHED:
                    self._end(event.key, event.facts)
            self._obey()
            self._report.save()
            self._display.show(self._report)

    def _obey(self) -> None:
        # Signals only count; what they ask for is done here, outside of the handler.
        if len(self._pressed) > self._heard:
            if not self._heard:
                self._display.say("stopping: what runs ends after the frames in hand; once more breaks off")
            self._heard = len(self._pressed)
            self._executor.cancel(now=self._heard > 1)

    def _submit(self, key: str) -> None:
        planned = self._planned[key]
        self._attempts[key] += 1
        final = self._out / planned.folder
        # Another one each attempt: jobs that work on one clip by mistake do not meet.
        token = uuid.uuid4().hex[:8]
        self._executor.submit(Order(
            key, planned.clip.path, planned.clip.name, str(final), str(final.with_name(f".{final.name}.{token}.part")),
            str(self._out / LOGS / f"{planned.folder}.log"), self._configuration, self._hash_of(planned), __version__,
            self._batch.timeout, self._attempts[key],
        ))  # fmt: skip

    def _hash_of(self, planned: Planned) -> str:
        with suppress(InputError):  # the job says what is missing
            return digest(self._batch.configuration.facts_of(self._facts, planned.clip.path, planned.clip.name))
        return ""

    def _end(self, key: str, row: Row) -> None:
        planned, attempt = self._planned[key], self._attempts[key]
        if row["status"] == FAILED and row.get("again") and attempt <= self._batch.retries and not self._pressed:
            self._display.say(f"{planned.clip.name}: attempt {attempt} failed, trying again: {row['reason']}")
            self._submit(key)
            return
        self._open.discard(key)
        row = {**row, "attempts": attempt}
        # Results of an earlier batch stay where they are.
        if row["status"] != DONE and planned.marker is not None:
            row["earlier_results"] = True
        self._report.end(planned.clip.path, row)
        place = f"[{len(self._planned) - len(self._open)}/{len(self._planned)}]"
        if row["status"] != STOPPED:
            self._display.say(outcome_line(self._report.rows[planned.clip.path], place))


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Gathers Ctrl-C and other requests to end (`ENDS`) instead of breaking off."""
    pressed: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def note(number: int, _: object) -> None:
        let_go_of_terminal()
        # System and shell both send it for a closed terminal: the second one is no wish to break off.
        if number != HANGUP or not pressed:
            pressed.append(number)

    before = heard()
    for number in before:
        signal.signal(number, note)
    try:
        yield pressed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _finish(batch: Batch, out: Path, planned: Sequence[Planned], report: BatchReport) -> int:
    """The table of all tracks, the last report, the closing words; the exit code."""
    scan(out, clear=True)  # what workers of a cluster left that died
    troubles, stopped = [], report.count(STOPPED) > 0
    good = [row for row in report.rows.values() if row["status"] in (DONE, SKIPPED)]
    try:
        tables = [(row["name"], out / row["folder"] / TRACKS_PARQUET) for row in good]
        facts = {"configuration": batch.configuration.facts(), "clips": {row["name"]: row["clip"] for row in good},
                 "complete": len(good) == len(planned)}  # fmt: skip
        rows, lost = merge(out / TRACKS, tables, facts)
        # A table that cannot be written costs no clip.
        report.fact("merged", {"file": TRACKS, "rows": rows, "left_out": lost})
        troubles += lost
    except InputError as error:
        troubles.append(str(error))
        report.fact("merged", {"file": None, "rows": 0, "left_out": [str(error)]})
    report.state = INTERRUPTED if stopped else ALL_DONE
    report.save(force=True)
    troubles += [report.trouble] if report.trouble else []
    totals = report.totals()
    bad = [row for row in report.rows.values() if row["status"] == FAILED]
    print(f"{totals[DONE]} done, {totals[SKIPPED]} done before, {totals[FAILED]} failed"
          + (f", {totals[STOPPED]} stopped" if totals[STOPPED] else "")
          + f"; {totals['processed']} frames, {totals['tracks']} tracks")  # fmt: skip
    for row in bad[:SHOWN]:
        print(f"failed   {row['name']}: {row['reason']}")
    if len(bad) > SHOWN:
        print(f"failed   and {len(bad) - SHOWN} more, all in {out / BATCH_REPORT}")
    none = [row["name"] for row in good if not row["tracks"]]
    if none:
        more = f" and {len(none) - 5} more" if len(none) > 5 else ""
        print(f"warning  no tracks in {', '.join(none[:5])}{more}")
    odd = [row for row in good if row["frames"]["bad"]]
    for row in odd[:SHOWN]:
        frames = row["frames"]
        print(f"warning  {row['name']}: {frames['bad']} of {frames['announced']} frames could not be read")
    if len(odd) > SHOWN:
        print(f"warning  and {len(odd) - SHOWN} more clips with such frames, all in {out / BATCH_REPORT}")
    for trouble in troubles:
        print(f"fusetrack: {trouble}", file=sys.stderr)
    print(f"results  {batch.out / PAGE}, {BATCH_REPORT}, {TRACKS}")
    if stopped:
        return 130
    return 1 if bad or troubles else 0


def local_jobs(available: int, jobs: int | None, threads: int | None, clips: int) -> tuple[int, int]:
    """Processes at a time and threads of each.

    Args:
        available: processors.
        jobs, threads: what the user asked for, or None.
        clips: how many there are to run.

    >>> local_jobs(8, 2, None, 100), local_jobs(8, None, 8, 100), local_jobs(8, 16, 1, 3)
    ((2, 4), (1, 8), (3, 1))
    """
    if jobs is None:
        # One core computes while the other decodes and draws; more jobs than that only share the disk.
        jobs = max(1, available // (threads or 2))
        jobs = min(jobs, max(1, _memory() // MEMORY_A_JOB))
    jobs = max(1, min(jobs, clips))
    return jobs, threads or max(1, available // jobs)


MEMORY_A_JOB = 1 << 30


def _memory() -> int:
    """Bytes of memory that are free or can be freed; a great number if unknown."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return sys.maxsize


def available_processors() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
