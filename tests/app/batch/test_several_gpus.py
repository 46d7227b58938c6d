"""A batch on a machine with several GPUs: the jobs share them."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.batch import executors
from app.batch.executors import FINISHED, LocalExecutor
from app.batch.job import FAILED, Order
from app.cli import main
from app.commands import batch
from tests.app.batch.made import write_clip
from tests.patience import PATIENCE


def order(key: int) -> Order:
    return Order(str(key), "clip", "clip", "out", "part", "log", {"device": "cuda", "fps": None}, "hash", "1.0")


def given(monkeypatch: pytest.MonkeyPatch, jobs: int, devices: tuple[str, ...], orders: int) -> list[Any]:
    """The devices of the jobs, in no order; `jobs` of them always run at the same time."""
    seen: list[Any] = []
    together = threading.Barrier(jobs)

    def supervise(made: Order, *_: Any) -> Any:
        assert made.configuration["fps"] is None
        seen.append(made.configuration["device"])
        together.wait(PATIENCE)
        return {"status": FAILED, "reason": "nothing was run"}

    monkeypatch.setattr(executors, "supervise", supervise)
    executor = LocalExecutor(jobs, 1, devices)
    for key in range(orders):
        executor.submit(order(key))
    ended: set[str] = set()
    while len(ended) < orders:
        ended |= {event.key for event in executor.events(30) if event.kind == FINISHED}
    assert executor.facts.get("devices", []) == list(devices)
    executor.close()
    return seen


def test_jobs_at_a_time_are_on_gpus_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Counter(given(monkeypatch, 2, ("cuda:0", "cuda:1"), 8)) == {"cuda:0": 4, "cuda:1": 4}
    assert Counter(given(monkeypatch, 4, ("cuda:0", "cuda:1"), 8)) == {"cuda:0": 4, "cuda:1": 4}
    assert set(given(monkeypatch, 1, ("cuda:0", "cuda:1"), 3)) == {"cuda:0"}
    assert set(given(monkeypatch, 2, (), 4)) == {"cuda"}  # as it was asked for


@pytest.mark.parametrize(
    ("options", "shared"),
    [(["--device", "cuda"], True), (["--device", "cuda:1"], False), (["--device", "cuda", "--fast"], False),
     (["--device", "cpu"], False)],
)  # fmt: skip
def test_what_the_command_shares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], shared: bool
) -> None:
    made: list[Any] = []

    class Noted(LocalExecutor):
        def __init__(self, jobs: int, threads: int, devices: Any = ()) -> None:
            made.append(tuple(devices))
            super().__init__(jobs, threads, devices)

    monkeypatch.setattr(batch, "back_end", lambda _: SimpleNamespace(gpus=("cuda:0", "cuda:1")))
    monkeypatch.setattr(batch, "LocalExecutor", Noted)
    monkeypatch.setattr(executors, "supervise", lambda *_: {"status": FAILED, "reason": "nothing was run"})
    write_clip(tmp_path / "a.npy")
    assert main(["batch", str(tmp_path / "a.npy"), "--out", str(tmp_path / "out"), "--quiet", *options]) == 1
    assert made == [("cuda:0", "cuda:1") if shared else ()]
