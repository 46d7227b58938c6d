"""The process of one job: takes an order on stdin, tells how it goes on stdout, and ends with whoever started it.

What is told are lines of JSON: {"label", "total"} when it is known how much is to do, {"done", "bad"} now and then,
{"note"} of a training, {"rows"} with all clips of a batch, {"row"} for one, and at the end one of {"result"},
{"stopped"} and {"failed", "details"}.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from app.desk.jobs.orders import (
    AnalyseOrder,
    BatchOrder,
    CalibrateOrder,
    CamerasOrder,
    EventsOrder,
    ExportOrder,
    JobOrder,
    LabelsOrder,
    ReconstructOrder,
    RecordOrder,
    RehearseOrder,
    ReplayOrder,
    RetrackOrder,
    RunOrder,
    SeeBoardOrder,
    SpectraOrder,
    Task,
    TrainOrder,
)
from app.desk.jobs.stopping import Stop
from app.desk.jobs.telling import Tell, telling
from app.files.summary import json_text
from kernels.errors import FusetrackError, is_memory
from kernels.plugins import load_plugin

ORPHANED = 75
"""The exit code of a process whose starter is gone."""


def main() -> None:
    """Do one order."""
    task: Task = pickle.loads(_exactly(int.from_bytes(_exactly(8), "little")))
    # File 1 becomes the log, too; what is told has a file of its own.
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    lock, stop = threading.Lock(), Stop()

    def tell(event: dict[str, Any]) -> None:
        # Several threads tell: a line must be written whole.
        with lock, suppress(OSError):
            events.write(json_text(event, indent=None) + "\n")
            events.flush()

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
        # Any byte asks to stop; the end of the stream says that the starter is gone.
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
    """Each order loads what it takes alone: with what all take together, a process would start half a second later."""
    match order:
        case RunOrder():
            from app.desk.jobs.running import run, run_facts

            made = run(order, tell, stop)
            kept = "stopped; what was done is kept" if made.report.interrupted else ""
            return {"stopped" if kept else "result": kept or run_facts(made), "partial": run_facts(made)}
        case BatchOrder():
            from app.desk.jobs.batching import batched

            return batched(order, tell, plugins)
        case ExportOrder():
            from app.desk.jobs.export_job import exported

            return exported(order, tell, stop)
        case AnalyseOrder():
            from app.desk.jobs.analysing import analysed

            return {"result": analysed(order)}
        case SpectraOrder():
            from app.desk.jobs.spectra_export import write_order

            return {"result": write_order(order)}
        case EventsOrder():
            from app.desk.jobs.events_export import write_events

            return {"result": write_events(order)}
        case RetrackOrder():
            from app.desk.jobs.retracking import retrack
            from app.desk.tracks.steps import packed

            rows = retrack(order, telling(tell), stop.started)
            if rows is None:
                return {"stopped": "stopped; the track stays as it was"}
            return {"result": {"rows": len(rows), "packed": packed(rows)}}
        case RecordOrder():
            from app.desk.jobs.running import record

            return record(order, tell, stop)
        case ReplayOrder():
            return _replayed(order, tell, stop)
        case LabelsOrder():
            from app.desk.jobs.labelled import write

            return {"result": write(order, tell)}
        case TrainOrder():
            from app.desk.jobs.labelled import train

            return train(order, tell, stop)
        case CamerasOrder():
            from app.cameras.opening import list_cameras

            entries, notes = list_cameras()
            return {"result": {"cameras": [asdict(entry) for entry in entries], "notes": notes}}
        case SeeBoardOrder():
            from app.desk.jobs.stereo import seen

            return {"result": seen(order, tell)}
        case CalibrateOrder():
            from app.desk.jobs.stereo import calibrated

            return {"result": calibrated(order, tell)}
        case ReconstructOrder():
            from app.desk.jobs.stereo import reconstructed

            return {"result": reconstructed(order)}
        case RehearseOrder():
            from app.desk.jobs.running import rehearsed

            return rehearsed(order)


def _replayed(order: ReplayOrder, tell: Tell, stop: Stop) -> dict[str, Any]:
    from app.live.replay import Wish, replay

    replayed = replay(Wish(order.session, check=True, device=order.device), telling(tell), stop.started)
    if replayed.report.interrupted:
        return {"stopped": "stopped before the end"}
    likeness = replayed.likeness
    words = "there is nothing to compare with" if likeness is None else likeness.describe()
    return {"result": {"sentence": words, "identical": replayed.identical, "remarks": list(replayed.remarks)}}
