"""The process of one job: takes an order on stdin, tells how it goes on stdout, and ends with whoever started it.

What is told are lines of JSON: {"label", "total"} when it is known how much is to do, {"done", "bad"} now and then,
{"rows"} with all clips of a batch, {"row"} for one, and at the end one of {"result"}, {"stopped"} and {"failed",
"details"}.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from app.batch.configuration import Configuration
from app.batch.driver import Batch, available_processors, local_jobs, run_batch
from app.batch.executors import FINISHED, PROGRESS, STARTED, Event, Executor, LocalExecutor
from app.batch.folders import PAGE, REPORT
from app.batch.job import Order
from app.cameras.opening import list_cameras
from app.controller import TRACKS_PARQUET
from app.desk.jobs.analysing import analysed
from app.desk.jobs.events_export import write_events
from app.desk.jobs.handover import taken_over
from app.desk.jobs.orders import (
    AnalyseOrder,
    BatchOrder,
    CamerasOrder,
    EventsOrder,
    ExportOrder,
    JobOrder,
    RecordOrder,
    RehearseOrder,
    ReplayOrder,
    RetrackOrder,
    RunOrder,
    SpectraOrder,
    Task,
)
from app.desk.jobs.retracking import retrack
from app.desk.jobs.running import record, rehearsed, run, run_facts
from app.desk.jobs.spectra_export import write_order
from app.desk.jobs.stopping import Stop
from app.desk.jobs.telling import Tell, telling
from app.desk.tracks.steps import packed
from app.exports.export import Exported, export_results
from app.exports.summary import json_text, versions, write_summary
from app.exports.tables import write_tracks_parquet
from app.live.replay import Wish, replay
from app.results import SUMMARY
from kernels.errors import FusetrackError, is_memory
from kernels.plugins import load_plugin

LINES = 20
"""Lines of a clip's log that a report about its failure has."""
ORPHANED = 75
"""The exit code of a process whose starter is gone."""


def main() -> None:
    """Do one order."""
    task: Task = pickle.loads(_exactly(int.from_bytes(_exactly(8), "little")))
    # File 1 becomes the log, too; what is told has a file of its own.
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    lock, stop = threading.Lock(), Stop()

    def tell(event: dict[str, Any]) -> None:
        with lock, suppress(OSError):
            told.write(json_text(event, indent=None) + "\n")
            told.flush()

    stop.take_signal()
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()
    tell(outcome(task.order, tell, stop, task.plugins))
    sys.stdout.flush()
    os._exit(0)  # nothing is left to do, and a library's clean-up cannot crash or hang any more


def _exactly(count: int) -> bytes:
    """So many bytes of stdin and no more, for the rest is another's."""
    data = b""
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            os._exit(ORPHANED)
        data += part
    return data


def _listen(stop: Stop) -> None:
    while True:
        data = os.read(0, 4096)
        if not data:
            os._exit(ORPHANED)
        stop.stop()


def outcome(order: JobOrder, tell: Tell, stop: Stop, plugins: Sequence[str] = ()) -> dict[str, Any]:
    """Do it, with the files of `plugins` loaded; what is to be told at the end, whatever happens."""
    try:
        return _outcome(order, tell, stop, plugins)
    finally:
        stop.over()


def _outcome(order: JobOrder, tell: Tell, stop: Stop, plugins: Sequence[str]) -> dict[str, Any]:
    try:
        for plugin in plugins:
            load_plugin(plugin)
        result = _do(order, tell, stop, tuple(plugins))
    except KeyboardInterrupt:
        stop.over()
        return {"stopped": "stopped; nothing half is left"}
    except FusetrackError as error:
        return {"failed": str(error), "details": ""}
    except Exception as error:
        if is_memory(error):
            return {"failed": "there was not enough memory; take a part of the frames or of the picture", "details": ""}
        if isinstance(error, OSError):
            what = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
            return {"failed": what, "details": traceback.format_exc()}
        said = " ".join(str(error).split())[:200]
        return {"failed": f"{type(error).__name__}: {said} (a defect)", "details": traceback.format_exc()}
    return result


def _do(order: JobOrder, tell: Tell, stop: Stop, plugins: tuple[str, ...]) -> dict[str, Any]:
    match order:
        case RunOrder():
            made = run(order, tell, stop)
            kept = "stopped; what was done is kept" if made.report.interrupted else ""
            return {"stopped" if kept else "result": kept or run_facts(made), "partial": run_facts(made)}
        case BatchOrder():
            return _batch(order, tell, plugins)
        case ExportOrder():
            return _export(order, tell, stop)
        case AnalyseOrder():
            return {"result": analysed(order)}
        case SpectraOrder():
            return {"result": write_order(order)}
        case EventsOrder():
            return {"result": write_events(order)}
        case RetrackOrder():
            rows = retrack(order, telling(tell), stop.started)
            if rows is None:
                return {"stopped": "stopped; the track stays as it was"}
            return {"result": {"rows": len(rows), "packed": packed(rows)}}
        case RecordOrder():
            return record(order, tell, stop)
        case ReplayOrder():
            replayed = replay(Wish(order.session, check=True, device=order.device), telling(tell), stop.started)
            if replayed.report.interrupted:
                return {"stopped": "stopped before the end"}
            likeness = replayed.likeness
            words = "there is nothing to compare with" if likeness is None else likeness.describe()
            return {"result": {"sentence": words, "identical": replayed.identical, "remarks": list(replayed.remarks)}}
        case CamerasOrder():
            entries, notes = list_cameras()
            return {"result": {"cameras": [asdict(entry) for entry in entries], "notes": notes}}
        case RehearseOrder():
            return rehearsed(order)


class _Telling:
    """An executor of a batch that also tells its events, with the clip that each is about."""

    def __init__(self, inner: Executor, tell: Tell, out: Path) -> None:
        self._inner, self._tell, self._out = inner, tell, out
        self._names: dict[str, tuple[str, str]] = {}
        self._rows_told = False

    @property
    def slots(self) -> int:
        return self._inner.slots

    @property
    def facts(self) -> dict[str, Any]:
        return self._inner.facts

    def submit(self, order: Order) -> None:
        self._names[order.key] = order.clip, order.name
        self._inner.submit(order)

    def events(self, wait: float) -> Sequence[Event]:
        if not self._rows_told:  # by now the report has all clips, those that are skipped too
            self._rows_told = True
            self._tell({"rows": _rows(self._out / REPORT)})
        found = self._inner.events(wait)
        for event in found:
            clip, name = self._names[event.key]
            facts = {STARTED: {"status": "running", "done": 0}, PROGRESS: event.facts, FINISHED: event.facts}
            self._tell({"row": {"clip": clip, "name": name, **facts.get(event.kind, {})}})
        return found

    def cancel(self, now: bool = False) -> None:
        self._inner.cancel(now)

    def close(self) -> None:
        self._inner.close()


def _batch(order: BatchOrder, tell: Tell, plugins: tuple[str, ...]) -> dict[str, Any]:
    out = Path(order.out).absolute()
    with tempfile.TemporaryDirectory(prefix="fusetrack-batch-") as folder:
        pipeline = Path(folder) / "pipeline.toml"
        pipeline.write_text(order.pipeline, "utf-8")
        configuration = Configuration(str(pipeline), reading=order.reading, device=order.device, overlay=order.overlay,
                                      plugins=plugins)  # fmt: skip
        batch = Batch(order.clips, out, configuration, redo=order.redo, quiet=True, command=("gui",))

        def make(clips: int) -> Executor:
            at_once, threads = local_jobs(available_processors(), order.at_once, None, clips)
            return _Telling(LocalExecutor(at_once, threads), tell, out)

        code = run_batch(batch, make)
    tell({"rows": _rows(out / REPORT)})
    facts = {"folder": str(out), "page": str(out / PAGE), "code": code}
    if code == 130:
        return {"stopped": "stopped; what was done is kept", "partial": facts}
    return {"result": facts, "details": _failures(out, _rows(out / REPORT))}


def _failures(out: Path, rows: Sequence[dict[str, Any]]) -> str:
    """Why clips failed, with the last lines of their logs, to copy into a report."""
    found = []
    for row in rows:
        if row.get("status") != "failed":
            continue
        said = ""
        with suppress(OSError, TypeError):
            said = (out / str(row["log"])).read_text("utf-8", "replace") if row.get("log") else ""
        tail = "\n".join(f"    {line}" for line in said.splitlines()[-LINES:])
        found.append(f"{row.get('clip')}: {row.get('reason', '')}\n{tail}".rstrip())
    return "\n".join(found)


def _rows(report: Path) -> list[dict[str, Any]]:
    """The clips of a batch's report."""
    with suppress(OSError, ValueError, KeyError):
        return list(json.loads(report.read_text("utf-8"))["clips"])
    return []


def _export(order: ExportOrder, tell: Tell, stop: Stop) -> dict[str, Any]:
    if order.run is not None:
        outcome = run(order.run, tell, stop)
        if outcome.report.interrupted:
            raise KeyboardInterrupt
        stop.started(None)  # the run is over, the rest is broken off
        order = replace(order, source=str(outcome.folder.absolute()), frames=None, run=None)
    if order.rows_file:
        tell({"label": "the tracks", "total": 0})
        order = replace(order, rows=taken_over(order), rows_file="")
    if order.rows is not None:
        rows = order.rows[np.isin(order.rows["track"], order.tracks)] if order.tracks else order.rows
        with tempfile.TemporaryDirectory(prefix="fusetrack-export-") as folder:
            write_tracks_parquet(Path(folder) / TRACKS_PARQUET, rows, {})
            write_summary(Path(folder) / SUMMARY, {"versions": versions(), **order.about})
            return _export(replace(order, source=folder, rows=None), tell, stop)
    made: Exported = export_results(
        order.source, order.to, order.out, frames=order.frames, fps=order.reading.fps,
        turn=order.reading.turn, bits=order.reading.bits, scale=order.scale or None,
        y_up=order.y_up, tracks="all" if order.every else "confirmed", guesses=order.guesses, force=order.force,
        progress=telling(tell), axes=order.axes, names=order.names, clip=order.clip or None,
        colour=order.colour,
    )  # fmt: skip
    return {"result": {
        "files": [str(file) for file in made.files], "notes": list(made.notes), "tracks": made.tracks,
        "rows": made.rows, "frames": made.frames,
    }}  # fmt: skip
