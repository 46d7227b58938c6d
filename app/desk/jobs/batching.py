"""The job of a batch: its clips in processes of their own, and what becomes of each told as it happens."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.batch.configuration import Configuration
from app.batch.driver import Batch, available_processors, local_jobs, run_batch
from app.batch.executors import FINISHED, PROGRESS, STARTED, Event, Executor, LocalExecutor
from app.batch.folders import PAGE
from app.batch.job import Order
from app.desk.jobs.orders import BatchOrder
from app.desk.jobs.telling import Tell
from app.path_kinds import BATCH_REPORT

LINES = 20
"""Lines of a clip's log that a report about its failure has."""


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
            self._tell({"rows": _rows(self._out / BATCH_REPORT)})
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


def batched(order: BatchOrder, tell: Tell, plugins: tuple[str, ...]) -> dict[str, Any]:
    """Run the clips; what is to be told at the end (see `app.desk.jobs.child`)."""
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
    tell({"rows": _rows(out / BATCH_REPORT)})
    facts = {"folder": str(out), "page": str(out / PAGE), "code": code}
    if code == 130:
        return {"stopped": "stopped; what was done is kept", "partial": facts}
    return {"result": facts, "details": _failures(out, _rows(out / BATCH_REPORT))}


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
