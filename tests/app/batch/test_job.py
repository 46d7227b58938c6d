"""What a batch says of a clip whose run could not be written."""

from __future__ import annotations

import errno
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from app.batch import job, lock
from app.batch.configuration import Configuration, digest
from app.cli import main
from app.exports.track_writer import TrackWriter
from app.version import __version__
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State


def test_nothing_is_said_to_be_kept_where_all_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "clip.npy", np.zeros((3, 8, 8), np.uint8))
    configuration = Configuration(pipeline="blobs")
    order = job.Order(
        "1", str(tmp_path / "clip.npy"), "clip.npy", str(tmp_path / "clip"), str(tmp_path / "clip.part"),
        str(tmp_path / "log"), asdict(configuration), digest(configuration.facts()), __version__,
    )  # fmt: skip
    said = []

    def full(clip: str, pipeline: str, *, out: Path, **options: object) -> None:
        """The disk is full after 20 rows; the writer of the tracks says what a single run keeps."""
        rows = np.zeros(20, TRACK_DTYPE)
        rows["frame"], rows["state"] = np.arange(20), State.TRACKED
        try:
            with TrackWriter(out / "tracks.csv", out / "tracks.parquet", {}) as writer:
                writer.append(rows)
                raise InputError(f"the disk is full: overlay.mp4 could not be written in {out}")
        except InputError as error:
            said.append(str(error))
            raise

    monkeypatch.setattr(job, "run_clip", full)
    row = job.work(order, lambda _: None, job.Control())
    assert "are kept in tracks.csv" in said[0]
    assert row["status"] == job.FAILED
    assert row["reason"] == f"the disk is full: overlay.mp4 could not be written in {tmp_path / 'clip'}"

    def fuller(*given: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(job, "run_clip", fuller)
    row = job.work(replace(order, part=str(tmp_path / "other.part")), lambda _: None, job.Control())
    assert row["reason"].startswith(f"the disk is full: clip could not be written in {tmp_path} (")


def test_a_disk_that_does_not_take_the_lock_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(lock.socket, "gethostname", full)
    with pytest.raises(InputError, match="the disk is full"), lock.FolderLock(tmp_path):
        pass


def test_a_grid_of_points_is_part_of_what_decides_and_reaches_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "clip.npy", np.zeros((3, 64, 64), np.uint8))
    spelt = "12 in circle:30,30,20"
    configuration = Configuration(pipeline="template", grid=spelt).anywhere()
    assert configuration.facts()["--grid"] == spelt
    assert digest(configuration.facts()) != digest(Configuration(pipeline="template").facts())
    order = job.Order(
        "1", str(tmp_path / "clip.npy"), "clip.npy", str(tmp_path / "clip"), str(tmp_path / "clip.part"),
        str(tmp_path / "log"), asdict(configuration), digest(configuration.facts()), __version__,
    )  # fmt: skip
    given = []

    def run(*_: object, **options: object) -> None:
        given.append(options["points"])
        raise InputError("enough")

    monkeypatch.setattr(job, "run_clip", run)
    job.work(order, lambda _: None, job.Control())
    assert str(given[0]) == spelt
    for words, said in ((["--grid", "12 on"], "--grid takes STEP"),
                        (["--grid", "12", "--points", "p.csv"], "--points and --grid both say")):  # fmt: skip
        assert main(["batch", str(tmp_path / "clip.npy"), "-o", str(tmp_path / "out"), "-p", "template", *words]) == 2
        assert said in capsys.readouterr().err
