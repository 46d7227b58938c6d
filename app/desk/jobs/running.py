"""Runs and recordings of a clip, and trials of a disk, as jobs."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.controller import Job, Outcome, Watch, run_job
from app.desk.jobs.orders import RecordOrder, RehearseOrder, RunOrder
from app.desk.jobs.stopping import Stop
from app.desk.jobs.telling import Tell, telling
from app.desk.sidecars.events_file import path_for, write
from app.live.recording import record_clip
from app.live.wanted import Wanted
from app.results import EVENTS
from app.sessions.rehearsal import rehearse
from app.sessions.sentences import creation_error
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.definition import loads

SWEEP = 3.0
"""Seconds in which a rehearsal that is broken off is cleared away."""


def run(order: RunOrder, tell: Tell, stop: Stop) -> Outcome:
    """Run a clip; what came of it.

    Raises:
        FusetrackError: it cannot be run.
    """
    pipeline = loads(order.pipeline)
    job = Job(order.clip, pipeline.name, roi=order.roi, frames=order.frames, reading=order.reading,
              out=order.out or None, overlay=order.overlay, device=order.device)  # fmt: skip
    with closing(open_source(order.clip, order.reading)) as source:
        made = run_job(job, source, pipeline, Watch(telling(tell), stop.started), spare=True)
        first, ledger = made.summary["range"][0], made.report.ledger
        done = range(first, first + ledger.processed + ledger.bad)
        if chosen := [event for event in order.events if event.frame in done]:
            write(made.folder / EVENTS, chosen, source.info.time)
    return made


def run_facts(made: Outcome) -> dict[str, Any]:
    """The result of a run in plain values, as its job reports it."""
    ledger = made.report.ledger
    return {
        "folder": str(made.folder.absolute()), "frames": ledger.processed, "bad": ledger.bad, "fps": made.report.fps,
        "tracks": len(made.summary["tracks"]["list"]), "notes": list(made.notes),
    }  # fmt: skip


def record(order: RecordOrder, tell: Tell, stop: Stop) -> dict[str, Any]:
    """Record a clip; what is told of it.

    Raises:
        FusetrackError: it cannot be recorded.
    """
    with tempfile.TemporaryDirectory(prefix="fusetrack-record-") as folder:
        pipeline = Path(folder) / "pipeline.toml"
        pipeline.write_text(order.pipeline, "utf-8")
        made = record_clip(
            Wanted(order.clip, Path(order.session), str(pipeline), frames=order.frames, reading=order.reading,
                   roi=order.roi, device=order.device),
            telling(tell), stop.started,
        )  # fmt: skip
    if made.account is None:
        raise InputError("; ".join(made.problems))
    chosen = [event for event in order.events if event.frame < made.account.recorded]
    if chosen and order.time is not None:
        write(path_for(made.path), chosen, order.time)
    account = {**asdict(made.account), "state": int(made.account.state), "seconds_left": 0.0}
    facts = {"path": str(made.path), "account": account, "notes": [*made.notes, *made.problems]}
    if made.interrupted:
        return {"stopped": "stopped; what was recorded is kept", "partial": facts}
    return {"result": facts}


def rehearsed(order: RehearseOrder) -> dict[str, Any]:
    """Try what a disk sustains; what is told of it.

    Raises:
        FusetrackError: nothing can be written there.
    """
    try:
        place = Path(tempfile.mkdtemp(prefix=".rehearsal-", dir=order.folder))
    except OSError as error:
        raise creation_error(Path(order.folder) / "rehearsal.mcap", error) from error
    try:
        found = rehearse(place, order.picture, seconds=order.seconds)
    finally:
        end = time.monotonic() + SWEEP
        while place.exists() and time.monotonic() < end:  # a recorder that is broken off may just make its file
            shutil.rmtree(place, ignore_errors=True)
            time.sleep(0.02)
    known = order.fps > 0
    words = found.describe(order.fps) if known else f"{found.fps:.0f} frames/s can be recorded here"
    return {"result": {"sentence": words, "enough": not known or found.sustains(order.fps), "fps": found.fps}}
