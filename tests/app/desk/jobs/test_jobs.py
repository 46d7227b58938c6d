"""Jobs in processes of their own: what they give, how they are stopped, what becomes of those that die."""

from __future__ import annotations

import csv
import errno
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from app.desk.jobs import child
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import BatchOrder, ExportOrder, JobOrder, RehearseOrder, ReplayOrder, RunOrder
from app.desk.jobs.stopping import Stop
from app.desk.pipeline import editing
from app.exports.tables import read_tracks
from app.provenance import source_facts
from app.sessions.layout import Picture
from app.sources.opening import open_source
from app.sources.reading import Reading
from kernels.plugins import load_plugin
from pipelines.definition import load
from pipelines.features import TRACK_DTYPE, State
from pipelines.writing import dumps
from tests.patience import PATIENCE

PIPELINE = dumps(load("blobs"))
LONG = "sim:vortex?frames=100000&width=64&height=64"


FAST = Reading(fps=500.0)

@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


@pytest.fixture
def clip(tmp_path: Path) -> str:
    rng = np.random.default_rng(3)
    frames = rng.integers(0, 40, (12, 48, 64), np.uint8)
    for k in range(12):
        frames[k, 20:24, 10 + k : 14 + k] = 255
    np.save(tmp_path / "small.npy", frames)
    return str(tmp_path / "small.npy")


def until(jobs: Jobs, good: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not good():
        assert time.monotonic() < end, [(j.state, j.sentence, j.details) for j in jobs.all]
        jobs.tick()
        time.sleep(0.02)


def ended(jobs: Jobs, title: str, order: JobOrder) -> Job:
    job = jobs.start(title, order)
    assert job.running
    until(jobs, lambda: not job.running)
    return job


def here(order: JobOrder) -> tuple[dict[str, object], list[dict[str, object]]]:
    """What a job tells, without a process."""
    told: list[dict[str, object]] = []
    return child.outcome(order, told.append, Stop()), told


def test_a_run_in_a_process_of_its_own_tells_how_far_it_is(jobs: Jobs, clip: str, tmp_path: Path) -> None:
    heard: list[JobState] = []
    jobs.on(lambda job: heard.append(job.state))
    job = ended(jobs, "small", RunOrder(clip, PIPELINE, (2, 10), FAST, out=str(tmp_path / "out"), overlay=False))
    assert (job.state, job.done, job.total, job.share) == (JobState.DONE, 8, 8, 1.0), job.sentence
    assert job.result["frames"] == 8
    rows = read_tracks(Path(job.result["folder"]) / "tracks.parquet")
    assert set(rows["frame"]) <= set(range(2, 10))
    assert len(rows)
    assert heard[0] is JobState.RUNNING
    assert heard[-1] is JobState.DONE
    assert jobs.running == []


def test_a_run_that_is_stopped_keeps_what_is_done(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("long", RunOrder(LONG, PIPELINE, out=str(tmp_path / "out"), overlay=False))
    until(jobs, lambda: job.done > 0)
    assert 0 < job.share < 1
    assert job.seconds_left > 0
    jobs.stop(job)
    assert job.stopping
    until(jobs, lambda: not job.running)
    assert job.state is JobState.STOPPED
    assert "kept" in job.sentence
    assert (Path(job.result["folder"]) / "tracks.csv").is_file()


def test_a_process_that_is_killed_is_a_failure_with_a_sentence(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("long", RunOrder(LONG, PIPELINE, out=str(tmp_path / "out"), overlay=False))
    until(jobs, lambda: job.done > 0)
    process = jobs._workers[job.number]._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    until(jobs, lambda: not job.running)
    assert job.state is JobState.FAILED
    assert "was killed" in job.sentence


def test_a_job_can_be_stopped_before_its_process_is_there(jobs: Jobs, tmp_path: Path) -> None:
    job = jobs.start("long", RunOrder(LONG, PIPELINE, out=str(tmp_path / "out"), overlay=False))
    jobs.stop(job)
    jobs.stop(job)
    until(jobs, lambda: not job.running)
    assert job.state is JobState.STOPPED
    assert not (tmp_path / "out" / "summary.json").exists()


def test_a_batch_tells_every_clip_and_skips_what_is_done(jobs: Jobs, clip: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.npy"
    bad.write_bytes(b"no array at all")
    order = BatchOrder((clip, str(bad)), PIPELINE, str(tmp_path / "results"), 1, reading=FAST, overlay=False)
    job = ended(jobs, "batch", order)
    assert job.state is JobState.DONE, job.sentence + job.details
    by_name = {row["name"]: row for row in job.rows.values()}
    assert {name: row["status"] for name, row in by_name.items()} == {"small.npy": "done", "bad.npy": "failed"}
    assert "bad.npy" in by_name["bad.npy"]["reason"]
    assert job.result["code"] == 1
    assert str(bad) in job.details
    assert by_name["bad.npy"]["reason"] in job.details
    assert "small.npy" not in job.details
    assert Path(job.result["page"]).is_file()
    final, told = here(order)
    assert "result" in final
    (rows,) = [event["rows"] for event in told if "rows" in event][-1:]
    (small,) = [row for row in rows if row["name"] == "small.npy"]  # type: ignore[attr-defined]
    assert small["status"] == "skipped", small


def test_exports_write_the_file_or_say_why_not(clip: str, tmp_path: Path) -> None:
    out = tmp_path / "x.tif"
    final, told = here(ExportOrder(clip, "tiff", str(out), (3, 7), FAST))
    assert final["result"]["frames"] == 4  # type: ignore[index]
    assert told[-1] == {"done": 4, "bad": 0}
    with_source = open_source(out)
    assert with_source.info.frames == 4
    with_source.close()
    final, _ = here(ExportOrder(clip, "tiff", str(out)))
    assert "exists already" in str(final["failed"])
    assert final["details"] == ""


def test_an_export_can_run_the_clip_before(clip: str, tmp_path: Path) -> None:
    run = RunOrder(clip, PIPELINE, None, FAST, out=str(tmp_path / "out"), overlay=False)
    final, _ = here(ExportOrder("", "csv", str(tmp_path / "x.csv"), scale="0.5 mm/px", every=True, run=run))
    assert final["result"]["rows"] > 0  # type: ignore[index, operator]
    assert "x_mm" in (tmp_path / "x.csv").read_text().splitlines()[0]


def test_rows_of_a_window_are_exported_as_if_they_were_a_runs(clip: str, tmp_path: Path) -> None:
    rows = np.zeros(6, TRACK_DTYPE)
    rows["frame"], rows["track"] = [0, 0, 1, 1, 2, 2], [0, 1] * 3
    rows["time"], rows["x"], rows["y"], rows["state"] = rows["frame"] / 500, 10 + rows["frame"], 5, State.TRACKED
    source = open_source(clip, FAST)
    about = {"source": source_facts(source.info)}
    source.close()
    order = ExportOrder("", "csv", str(tmp_path / "w.csv"), (1, 3), scale="2 mm/px", y_up=True, rows=rows, about=about)
    final, _ = here(order)
    assert final["result"]["rows"] == 4, final  # type: ignore[index]
    with (tmp_path / "w.csv").open() as file:
        read = list(csv.DictReader(file))
    assert [float(row["x_mm"]) for row in read] == [22, 22, 24, 24]
    assert {float(row["y_mm"]) for row in read} == {2 * (47 - 5)}
    assert "holds frames" in str(here(ExportOrder(clip, "csv", str(tmp_path / "no.csv")))[0]["failed"])


@pytest.mark.parametrize("code", ["raise ImportError('half an update')", "import os\n\ndef main():\n    os._exit(1)"])
def test_what_a_process_said_before_it_died_is_always_there(
    jobs: Jobs, clip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    package = tmp_path / "home" / "app" / "desk" / "jobs"
    package.mkdir(parents=True)
    for folder in (package, *package.parents[:2]):
        (folder / "__init__.py").touch()  # a folder without it gives way to a checkout that is installed editable
    (package / "child.py").write_text(code, "utf-8")
    monkeypatch.setattr("app.desk.jobs.jobs.HOME", tmp_path / "home")
    job = ended(jobs, "run", RunOrder(clip, PIPELINE))
    assert job.state is JobState.FAILED
    assert job.sentence.startswith("its process ended by itself with code 1")
    if "raise" in code:
        assert job.sentence.endswith(": ImportError: half an update")
        assert "Traceback" in job.details
        assert "child.py" in job.details
    else:
        assert job.details == "its process ended by itself with code 1 and had printed nothing"


PLUGIN = """
from kernels.ir.expr import Expr
from kernels.stage import Plane, stage

@stage(per_channel=True)
def stage_of_the_users(image: Plane) -> Expr:
    '''The same.'''
    return image()
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "own_stage.py"
    path.write_text(PLUGIN, "utf-8")
    module = load_plugin(path)
    yield str(path)
    del sys.modules[module.__name__]


def test_jobs_know_the_users_own_stages(jobs: Jobs, clip: str, tmp_path: Path, plugin: str) -> None:
    pipeline = dumps(editing.add_stage(load("blobs"), "stage_of_the_users"))
    run = RunOrder(clip, pipeline, None, FAST, out=str(tmp_path / "out"), overlay=False)
    job = ended(jobs, "run", run)
    assert job.state is JobState.DONE, job.sentence
    batch = ended(jobs, "batch", BatchOrder((clip,), pipeline, str(tmp_path / "all"), 1, reading=FAST, overlay=False))
    assert [row["status"] for row in batch.rows.values()] == ["done"], batch.rows
    Path(plugin).unlink()
    assert "own_stage.py" in ended(jobs, "run", run).sentence


SWALLOWS = """
import time
from pathlib import Path

Path(__file__).with_suffix(".begun").touch()
try:
    time.sleep(60)
except:
    pass
"""


def test_a_job_whose_interrupt_a_library_has_swallowed_ends_all_the_same(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "swallows.py"
    path.write_text(SWALLOWS, "utf-8")
    monkeypatch.setattr("app.desk.jobs.jobs.plugins", lambda: (str(path),))
    job = jobs.start("export", ExportOrder(LONG, "tiff", str(tmp_path / "x.tif")))
    until(jobs, path.with_suffix(".begun").exists)
    jobs.stop(job)
    until(jobs, lambda: not job.running)
    assert (job.state, job.sentence) == (JobState.STOPPED, "stopped; nothing half is left"), "it was not killed"
    assert not [file for file in tmp_path.iterdir() if "tif" in file.name]


def test_a_rehearsal_is_one_sentence_and_leaves_nothing(tmp_path: Path, clip: str) -> None:
    source = open_source(clip)
    picture = Picture.of(source.info)
    source.close()
    final, _ = here(RehearseOrder(str(tmp_path), picture, 50.0, 0.3))
    result = final["result"]
    assert "frames/s" in result["sentence"]  # type: ignore[index]
    assert isinstance(result["enough"], bool)  # type: ignore[index]
    assert [f.name for f in tmp_path.iterdir()] == ["small.npy"]
    final, _ = here(RehearseOrder(str(tmp_path / "nowhere"), picture, 50.0, 0.3))
    assert "nowhere" in str(final["failed"])


def test_what_is_wrong_is_one_sentence(clip: str, tmp_path: Path) -> None:
    assert "is no recorded session" in str(here(ReplayOrder(clip))[0]["failed"])
    final, _ = here(RunOrder(str(tmp_path / "none.npy"), PIPELINE))
    assert "none.npy" in str(final["failed"])
    final, _ = here(RunOrder(clip, "= no toml"))
    assert "failed" in final


def test_a_disk_without_room_for_a_jobs_log_fails_it_with_a_sentence(
    jobs: Jobs, clip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    job = ended(jobs, "run", RunOrder(clip, PIPELINE))
    assert (job.state, job.sentence) == (
        JobState.FAILED, "no process can be started for it: No space left on device")  # fmt: skip


def test_an_order_that_cannot_be_handed_over_fails_rather_than_runs_for_ever(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("half of it")

    monkeypatch.setattr("app.desk.jobs.jobs.hand_over", broken)
    job = ended(jobs, "run", RunOrder("sim:vortex", "", out=str(tmp_path)))
    assert job.state is JobState.FAILED
    assert job.sentence == "RuntimeError: half of it (a defect)"


def test_no_process_is_started_for_an_order_that_cannot_be_pickled(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would wait for its order until somebody's garbage is taken."""
    started: list[object] = []
    monkeypatch.setattr("app.desk.jobs.jobs.subprocess.Popen", lambda *given, **_: started.append(given))
    job = ended(jobs, "run", RunOrder("sim:vortex", "", out=str(tmp_path), reading=lambda: 1))  # type: ignore[arg-type]
    assert job.state is JobState.FAILED
    assert "pickle" in job.sentence
    assert not started
