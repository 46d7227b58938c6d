"""The queue of a batch, with jobs that only listen."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from app.desk.events import Event
from app.desk.jobs import batch_queue
from app.desk.jobs.batch_queue import BatchQueue
from app.desk.jobs.jobs import Job, Jobs
from app.desk.jobs.kept_orders import order_of, plain
from app.desk.jobs.orders import BatchOrder, JobOrder, RunOrder
from app.sources.reading import Reading
from kernels.errors import InputError
from pipelines.definition import load, loads


class Listening(Jobs):
    """Starts nothing; a test says what the process would."""

    def __init__(self) -> None:
        super().__init__()
        self.stopped: list[Job] = []

    def start(self, title: str, order: JobOrder) -> Job:
        job = Job(len(self.all) + 1, title, order)
        self.all.append(job)
        self._tell(job)
        return job

    def stop(self, job: Job) -> None:
        self.stopped.append(job)

    def say(self, job: Job, event: dict[str, object]) -> None:
        job.take(event)
        self._tell(job)


@pytest.fixture
def queue() -> tuple[BatchQueue, Listening]:
    jobs = Listening()
    return BatchQueue(jobs), jobs


def test_clips_are_queued_once_and_taken_out(queue: tuple[BatchQueue, Listening], tmp_path: Path) -> None:
    made, _ = queue
    heard: list[int] = []
    made.on(lambda: heard.append(1))
    made.add(["/a/x.mp4", "/a/y.mp4", "/a/x.mp4", str(tmp_path), "sim:beam"])
    assert [line.name for line in made.lines.values()] == [
        "x.mp4", "y.mp4", f"{tmp_path.name}/  (all clips in it)", "sim:beam"]  # fmt: skip
    made.remove(["/a/y.mp4", "unknown"])
    assert [*made.lines] == ["/a/x.mp4", str(tmp_path), "sim:beam"]
    assert len(heard) == 2


def test_rows_of_the_batch_become_lines_and_folders_their_clips(
    queue: tuple[BatchQueue, Listening], tmp_path: Path
) -> None:
    made, jobs = queue
    with pytest.raises(InputError, match="nothing to run"):
        made.start(load("blobs"), "out")
    made.add(["/a/x.mp4", str(tmp_path)])
    with pytest.raises(InputError, match="where the results go"):
        made.start(load("blobs"), " ")
    job = made.start(load("blobs"), str(tmp_path / "out"), at_once=2, reading=Reading(500.0), overlay=False)
    assert job.title == "batch"  # of how many clips, only the folder knows
    order = job.order
    assert isinstance(order, BatchOrder)
    assert order.clips == ("/a/x.mp4", str(tmp_path))
    assert (order.at_once, order.reading.fps, order.overlay, order.redo) == (2, 500.0, False, False)
    assert loads(order.pipeline) == load("blobs")
    with pytest.raises(InputError, match="runs already"):
        made.start(load("blobs"), "out")
    inner = str(tmp_path / "b.npy")
    jobs.say(job, {"rows": [
        {"clip": "/a/x.mp4", "name": "x.mp4", "status": "skipped", "folder": "x", "tracks": 4},
        {"clip": inner, "name": "b.npy", "status": "waiting"},
    ]})  # fmt: skip
    jobs.say(job, {"row": {"clip": inner, "name": "b.npy", "status": "running", "done": 5, "total": 20}})
    assert [*made.lines] == ["/a/x.mp4", inner]
    assert made.lines["/a/x.mp4"].folder == str(tmp_path / "out" / "x")
    assert made.lines["/a/x.mp4"].share == 1
    assert made.lines[inner].share == 0.25
    made.remove([inner])
    assert inner in made.lines
    jobs.say(job, {"row": {"clip": inner, "status": "failed", "reason": "it is cut short"}})
    jobs.say(job, {"result": {"folder": "out", "code": 1}})
    assert (made.lines[inner].status, made.lines[inner].note) == ("failed", "it is cut short")
    assert not made.running


def test_a_batch_that_ends_early_says_so_on_every_line(queue: tuple[BatchQueue, Listening]) -> None:
    made, jobs = queue
    made.add(["/a/x.mp4", "/a/y.mp4"])
    job = made.start(load("blobs"), "out")
    made.stop()
    assert jobs.stopped == [job]
    jobs.say(job, {"row": {"clip": "/a/x.mp4", "name": "x.mp4", "status": "done", "fps": 812.0, "tracks": 3}})
    jobs.say(job, {"stopped": "stopped; what was done is kept"})
    assert {line.name: line.status for line in made.lines.values()} == {"x.mp4": "done", "y.mp4": "stopped"}
    job = made.start(load("blobs"), "out")
    jobs.say(job, {"failed": "another batch is at work"})
    assert [(line.status, line.note) for line in made.lines.values()] == [("failed", "another batch is at work")] * 2


def test_a_run_of_its_own_has_its_line(queue: tuple[BatchQueue, Listening]) -> None:
    made, jobs = queue
    job = made.run(RunOrder("/a/x.mp4", "", (5, 25)), "x.mp4, frames 5 to 24")
    (line,) = made.lines.values()
    assert (line.status, line.own) == ("running", job.number)
    jobs.say(job, {"label": "x", "total": 20})
    jobs.say(job, {"done": 10})
    assert line.share == 0.5
    with pytest.raises(InputError, match="nothing to run"):
        made.start(load("blobs"), "out")
    made.stop()
    assert jobs.stopped == [job]
    jobs.say(job, {"result": {"folder": "/out/x", "tracks": 7, "fps": 900.0}})
    assert (line.status, line.folder, line.tracks, line.fps) == ("done", "/out/x", 7, 900.0)
    assert line.note == "in x", "two runs of a clip can be told apart"


def test_another_window_goes_on_with_the_list(queue: tuple[BatchQueue, Listening], tmp_path: Path) -> None:
    made, jobs = queue
    made.run(RunOrder("/a/x.mp4", "", (5, 25)), "x.mp4, frames 5 to 24")
    job = made.run(RunOrder("/a/y.mp4", ""), "y.mp4")
    jobs.say(job, {"result": {"folder": str(tmp_path / "gone"), "tracks": 7, "fps": 900.0}})
    kept = json.loads(json.dumps(made.kept()))
    kept += [{"path": "/a/z.mp4", "fps": "fast", "unknown": 1}]
    again = BatchQueue(Listening())
    again.take_up(kept)
    x, y, z = again.lines.values()
    assert (x.name, x.status, x.note) == (
        "x.mp4, frames 5 to 24", "stopped", "the window was closed before it was done")  # fmt: skip
    assert (y.status, y.tracks, y.folder) == ("done", 7, "")
    assert "no longer in" in y.note
    assert (z.name, z.status, z.fps) == ("z.mp4", "waiting", 0.0)
    assert [again.repeatable(key) for key in again.lines] == [True, True, True]
    own = again.run(RunOrder("/a/x.mp4", ""), "x.mp4")
    assert again.lines[f"job {own.number}"].status == "running", "no line of before stands in its way"
    assert x.status == "stopped"
    with patch.object(batch_queue, "MOST_KEPT", 1):
        assert [line["name"] for line in again.kept()] == ["y.mp4", "z.mp4", "x.mp4"], "what has ended first goes first"


def test_orders_of_single_runs_are_kept_as_they_were_and_of_the_newest_only(
    queue: tuple[BatchQueue, Listening],
) -> None:
    made, _ = queue
    order = RunOrder("sim:face", "name = 'x'", (None, 25), Reading(500.0), (1, 2, 30, 40), "/out", False, "cpu",
                     (Event(3, "blink"),))  # fmt: skip
    assert order_of(json.loads(json.dumps(plain(order)))) == order
    for other in ({"roi": [1, 2]}, {"frames": [0.5, 2]}, {"reading": {"fps": "fast"}}, {"reading": {"fps": -1.0}},
                  {"reading": {"zoom": 2}}, {"clip": 7}, {"events": [[1]]}):  # fmt: skip
        assert order_of({**plain(order), **other}) is None, other
    assert order_of([order]) is None
    for k in range(4):
        made.run(order, f"run {k}")
    with patch.object(batch_queue, "MOST_ORDERS", 2):
        assert ["order" in line for line in made.kept()] == [False, False, True, True]
