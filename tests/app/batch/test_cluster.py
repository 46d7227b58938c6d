"""The same jobs on a Dask cluster of processes: nothing lost, nothing done twice, the same results."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from app.batch.finding import DONE
from app.cli import main
from tests.app.batch.made import EXIT, SLOW, alive, halves, report, run, start, statuses, write_clip, write_fate
from tests.patience import PATIENCE

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="distributed is not installed"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc and signals"),
    pytest.mark.filterwarnings("default"),  # of the cluster's own
    pytest.mark.sharp,  # what a worker draws is compared with what a process of ours draws
]
SAME = ("tracks.csv", "tracks.parquet", "trajectories.png", "thumbnail.jpg")


@pytest.fixture(autouse=True, scope="module")
def dask() -> Iterator[None]:
    """The cluster's processes are forked from one that has loaded it, too."""
    from tests.nursery import POSSIBLE, Nursery, born_in

    if not POSSIBLE:
        yield
        return
    nursery = Nursery(more=("distributed", "distributed.nanny", "app.batch.cluster"))
    before = dict(os.environ)
    with born_in(nursery):
        yield
    nursery.close()
    os.environ.clear()  # nannies leave settings of malloc there, with which later processes would not be forked
    os.environ.update(before)


@pytest.fixture(scope="module")
def cluster(dask: None) -> Iterator[Any]:
    """Two workers, processes of one thread each, watched by nannies."""
    import distributed  # not above: it takes a tenth of the time in which all tests are collected

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  host="127.0.0.1", silence_logs=50) as made:  # fmt: skip
        yield made


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def wait_for_job(out: Path, process: subprocess.Popen[str]) -> int:
    """The process of slow.npy, once it reads frames."""
    log, until = out / "logs/slow.log", time.monotonic() + PATIENCE
    while not log.exists() or "frames\n" not in log.read_text():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    return int(re.findall(r"process (\d+)", log.read_text())[-1])


def test_a_worker_killed_in_mid_job_loses_and_doubles_nothing(here: Path, cluster: Any) -> None:
    write_clip(here / "clips/quick.npy")
    write_clip(here / "clips/exit.npy", EXIT)
    write_clip(here / "clips/slow.npy", SLOW, frames=30)
    fate = write_fate(here)
    process = start(here, "clips", "--out", "far", "--scheduler", cluster.scheduler_address, *fate)
    far = here / "far"
    child = wait_for_job(far, process)
    worker = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1])  # its parent
    assert worker in {nanny.pid for nanny in cluster.workers.values()}
    os.kill(worker, signal.SIGKILL)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, told
    assert "Traceback" not in told
    assert not alive(child)
    assert statuses(far) == {"quick.npy": "done", "exit.npy": "failed", "slow.npy": "done"}, told
    assert "ended by itself with code 7" in report(far)["rows"]["exit.npy"]["reason"]
    assert len([*far.rglob(DONE)]) == 2
    assert not halves(far)
    assert report(far)["executor"]["kind"] == "dask"

    near = here / "near"
    (here / "clips/exit.npy").unlink()
    assert run(here, "clips", "--out", "near", "--jobs", "2", *fate) == 0
    for name in ("quick", "slow"):
        for file in SAME:
            assert (far / name / file).read_bytes() == (near / name / file).read_bytes(), (name, file)
    one, other = (pyarrow.parquet.read_table(out / "tracks.parquet") for out in (far, near))
    assert one.equals(other)
    # What the cluster has done counts here, too.
    assert run(here, "clips", "--out", "far", *fate) == 0
    assert set(statuses(far).values()) == {"skipped"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_the_driver_ends_its_jobs(here: Path, cluster: Any, number: signal.Signals) -> None:
    write_clip(here / "clips/slow.npy", SLOW, frames=6000)
    process = start(here, "clips", "--out", "far", "--scheduler", cluster.scheduler_address, *write_fate(here))
    far = here / "far"
    child = wait_for_job(far, process)
    process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert statuses(far) == {"slow.npy": "stopped"}
    until = time.monotonic() + PATIENCE
    while alive(child):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert not [*far.rglob(DONE)]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_scheduler_that_does_not_answer_is_one_sentence(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr("app.batch.cluster.PATIENCE", 1.0)
    write_clip(here / "clips/a.npy")
    assert main(["batch", "clips", "--out", "far", "--quiet", "--scheduler", address]) == 2
    said = capsys.readouterr().err
    assert len(said.strip().splitlines()) == 1
    assert f"no Dask scheduler answers at {address!r}" in said


def test_a_scheduler_that_dies_is_a_sentence_a_clip(here: Path) -> None:
    """It has no workers, so that jobs wait."""
    write_clip(here / "clips/a.npy")
    write_clip(here / "clips/b.npy", seed=2)
    (here / "cluster.py").write_text(INSTALLED.replace("n_workers=1", "n_workers=0"))
    scheduler = subprocess.Popen([sys.executable, "cluster.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 text=True)  # fmt: skip
    try:
        assert scheduler.stdout is not None
        process = start(here, "clips", "--out", "far", "--scheduler", scheduler.stdout.readline().strip())
        until = time.monotonic() + PATIENCE
        while not (here / "far/report.json").exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        scheduler.kill()
        scheduler.communicate()
    said, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    lost = "the cluster lost the job (its scheduler went away)"
    assert [line for line in said.splitlines() if line.startswith("failed")] == [
        f"failed   a.npy: {lost}", f"failed   b.npy: {lost}"
    ]  # fmt: skip
    assert all(line.startswith(("2 clips", "[")) for line in told.splitlines()), told


INSTALLED = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None,
                      host="127.0.0.1", silence_logs=50) as made:
        print(made.scheduler_address, flush=True)
        sys.stdin.read()
"""


def test_a_cluster_that_has_fusetrack_installed_and_not_yet_imported(here: Path) -> None:
    """There `app` is no module until somebody imports fusetrack, neither for the scheduler nor for the workers."""
    home = here / "site/fusetrack"
    home.mkdir(parents=True)
    # By a link, so that it finds the folders of this tree, whose bytecode is there already: copies would be compiled.
    (home / "__init__.py").symlink_to(Path(__file__).resolve().parents[3] / "app/launcher.py")
    (here / "cluster.py").write_text(INSTALLED)
    write_clip(here / "clips/quick.npy")
    with subprocess.Popen([sys.executable, here / "cluster.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, env={**os.environ, "PYTHONPATH": str(home.parent)}) as far:  # fmt: skip
        assert far.stdout is not None
        address = far.stdout.readline().strip()
        assert run(here, "clips", "--out", "far", "--scheduler", address, *write_fate(here)) == 0
        far.communicate("", timeout=PATIENCE)
    assert statuses(here / "far") == {"quick.npy": "done"}
