"""A job on a worker of a Dask cluster: in a child process of it, stopped when the cluster wants no more of it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import distributed

from app.batch.job import Order
from app.batch.supervise import KILL, STOP, supervise

_UNWANTED = ("cancelled", "released", "forgotten", "resumed")


def run(given: dict[str, Any], topic: str) -> dict[str, Any]:
    """Run an order; progress goes to `topic`.

    The child dies with the worker. If the driver dies or cancels, the task's state says so, and the child is stopped.
    """
    worker = distributed.get_worker()
    task = worker.get_current_task()
    order = Order(**given)
    # The cluster may call this again for the same order, after or even beside a run that it believes dead.
    part = Path(order.part)
    order = replace(order, part=str(part.with_name(f"{part.name.rsplit('.', 2)[0]}.{uuid.uuid4().hex[:8]}.part")))
    where = str(worker.address)

    def tell(facts: dict[str, Any]) -> None:
        worker.log_event(topic, {"key": order.key, "attempt": order.attempt, "facts": facts})

    def wish() -> str:
        state = worker.state.tasks.get(task)
        if state is None or state.state in _UNWANTED:
            return KILL if state is None else STOP
        return ""

    tell({"where": where})
    row = supervise(order, tell, wish)
    return {**row, "worker": where}
