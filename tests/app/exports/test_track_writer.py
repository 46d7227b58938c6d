from __future__ import annotations

import errno
import itertools
import os
import signal
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exports import track_writer
from app.exports.columns import ordered, to_csv
from app.exports.tables import read_meta, read_tracks, write_tracks_parquet
from app.exports.track_writer import TrackWriter
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, Tracks
from pipelines.trackers.base import confirmed
from tests.app.exports.made import assert_same, lives, random_tracks
from tests.tracks_csv import write_tracks_csv


def _write(folder: Path, blocks: list[Tracks], **options: object) -> TrackWriter:
    writer = TrackWriter(folder / "t.csv", folder / "t.parquet", {"source": "s"}, **options)  # type: ignore[arg-type]
    with writer:
        for block in blocks:
            writer.append(block)
    return writer


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), frames=st.integers(1, 120), batch=st.integers(1, 9), group=st.integers(1, 200))
def test_streaming_equals_confirming_the_whole(
    tmp_path_factory: pytest.TempPathFactory, seed: int, frames: int, batch: int, group: int
) -> None:
    folder = tmp_path_factory.mktemp("stream")
    rows = lives(frames, seed)
    blocks = [np.concatenate(rows[i : i + batch]) for i in range(0, frames, batch)]
    writer = _write(folder, blocks, group_rows=group)
    whole = np.concatenate(rows)
    wanted = ordered(confirmed(whole))
    write_tracks_csv(folder / "one.csv", wanted)
    if len(whole):
        assert (folder / "t.csv").read_bytes() == (folder / "one.csv").read_bytes()
        assert_same(read_tracks(folder / "t.parquet"), wanted)
    counts = writer.counts
    assert counts.rows == len(wanted)
    assert counts.tracks == len(np.unique(wanted["track"]))
    assert counts.dropped_rows == len(whole) - len(wanted)
    assert counts.dropped_tracks == len(np.unique(whole["track"])) - counts.tracks


def test_memory_stays_flat(tmp_path: Path) -> None:
    writer = TrackWriter(tmp_path / "t.csv", None, {}, group_rows=100)
    most = 0
    for rows in lives(3000, 1):
        writer.append(rows)
        most = max(most, writer._waiting_rows)
    writer.close()
    assert most < 700


def test_tracks_that_stay_undecided_for_ever_are_kept_and_counted(tmp_path: Path) -> None:
    rows = np.zeros(1, TRACK_DTYPE)  # tentative, never confirmed and never lost
    writer = TrackWriter(tmp_path / "t.csv", None, {}, group_rows=10, most_waiting=50)
    for frame in range(300):
        rows["frame"] = frame
        writer.append(rows)
        assert writer._waiting_rows <= 110
    counts = writer.close()
    assert (counts.rows, counts.undecided_tracks, counts.tracks, counts.dropped_tracks) == (300, 1, 1, 0)


def test_an_interrupted_run_leaves_whole_files(tmp_path: Path) -> None:
    rows = [r[r["track"] < 3] for r in np.split(random_tracks(20, 5, mixed=False), 20)]
    with pytest.raises(KeyboardInterrupt), TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {}) as writer:  # noqa: PT012
        for frame, block in enumerate(rows):
            writer.append(block)
            if frame == 11:
                raise KeyboardInterrupt
    kept = np.concatenate(rows[:12])
    assert_same(read_tracks(tmp_path / "t.parquet"), kept)
    assert len(read_tracks(tmp_path / "t.csv")) == len(kept)
    assert read_meta(tmp_path / "t.parquet")["complete"] is False
    assert sorted(os.listdir(tmp_path)) == ["t.csv", "t.parquet"]


def test_ctrl_c_in_the_middle_of_a_block_tears_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = to_csv
    calls = []

    def pressed(rows: Tracks) -> bytes:
        calls.append(len(rows))
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return real(rows)

    monkeypatch.setattr(track_writer, "to_csv", pressed)
    rows = random_tracks(50, 4, mixed=False)
    with (  # noqa: PT012
        pytest.raises(KeyboardInterrupt),
        TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {}, group_rows=8) as writer,
    ):
        for block in np.split(rows, 50):
            writer.append(block)
    back = read_tracks(tmp_path / "t.parquet")
    assert 0 < len(back) < len(rows)
    assert_same(back, rows[: len(back)])
    assert len(read_tracks(tmp_path / "t.csv")) == len(back)


def test_a_finished_run_says_so_and_has_row_groups(tmp_path: Path) -> None:
    rows = random_tracks(50, 4, mixed=False)
    _write(tmp_path, np.split(rows, 50), group_rows=30)
    assert read_meta(tmp_path / "t.parquet")["complete"] is True
    assert read_meta(tmp_path / "t.parquet")["source"] == "s"
    assert pyarrow.parquet.read_metadata(tmp_path / "t.parquet").num_row_groups > 3
    write_tracks_parquet(tmp_path / "one.parquet", rows, {})
    assert_same(read_tracks(tmp_path / "one.parquet"), read_tracks(tmp_path / "t.parquet"))


def test_nothing_to_keep_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {}):
        raise RuntimeError
    assert os.listdir(tmp_path) == []
    with TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {}):
        pass
    assert sorted(os.listdir(tmp_path)) == ["t.csv", "t.parquet"]  # a run without tracks has empty tables


def test_full_disk_keeps_the_rows_that_were_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(track_writer, "to_arrow", full)
    rows = random_tracks(30, 3, mixed=False)
    with (  # noqa: PT012
        pytest.raises(InputError, match=r"the disk is full: t\.parquet .* up to frame \d+ are kept in t\.part\.csv"),
        TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {}, group_rows=5) as writer,
    ):
        for block in np.split(rows, 30):
            writer.append(block)
    assert os.listdir(tmp_path) == ["t.part.csv"]
    kept = read_tracks(tmp_path / "t.part.csv")
    assert 0 < len(kept) < len(rows)
    assert_same(kept, read_back(tmp_path, rows[: len(kept)]))
    TrackWriter(tmp_path / "t.csv", None, {}).close()  # the next run clears up
    assert sorted(os.listdir(tmp_path)) == ["same.csv", "t.csv"]


@pytest.mark.parametrize(("call", "least"), [("fsync", 0), ("fsync", 1), ("replace", 0), ("replace", 1)])
def test_what_is_said_to_be_kept_is_there(
    call: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system refuses from some call on, while the files get their names."""
    plain, calls = getattr(os, call), list[object]()

    def refuse(*given: object) -> object:
        calls.append(given)
        if len(calls) > least:
            raise OSError(errno.ENOSPC, "No space left on device")
        return plain(*given)

    (tmp_path / "t.csv").write_text("of an earlier run")
    writer = TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {})
    writer.append(random_tracks(30, 3, mixed=False))
    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(InputError, match=r"the tracks up to frame 29 are kept in [\w.-]+$") as caught:
        writer.close()
    assert len(read_tracks(tmp_path / str(caught.value).rpartition(" ")[2])) == 90
    assert not (tmp_path / "t.parquet").exists()


def test_what_is_gone_is_not_said_to_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {})
    writer.append(random_tracks(30, 3, mixed=False))
    for file in tmp_path.glob("*.part.csv"):
        file.unlink()
    with pytest.raises(InputError) as caught:
        writer.close()
    assert "kept" not in str(caught.value)


def read_back(folder: Path, rows: Tracks) -> Tracks:
    """The rows with the digits that CSV keeps."""
    write_tracks_csv(folder / "same.csv", rows)
    return read_tracks(folder / "same.csv")


@pytest.mark.parametrize("kinds", [("t.csv", None), (None, "t.parquet"), ("t.csv", "t.parquet")])
def test_full_disk_on_a_real_disk(small_disk: Path, kinds: tuple[str | None, str | None], tmp_path: Path) -> None:
    csv, parquet = (small_disk / name if name else None for name in kinds)
    rows = random_tracks(1000, 20, mixed=False)
    with (  # noqa: PT012
        pytest.raises(InputError, match="the disk is full") as caught,
        TrackWriter(csv, parquet, {}, group_rows=500) as writer,
    ):
        for block in np.split(rows, 1000):
            writer.append(block)
    assert os.listdir(small_disk) == ([] if csv is None else ["t.part.csv"])
    if csv is not None:
        kept = read_tracks(small_disk / "t.part.csv")
        assert len(kept) > 1000
        assert_same(kept, read_back(tmp_path, rows[: len(kept)]))
        assert f"up to frame {kept['frame'][-1]} are kept in t.part.csv" in str(caught.value)


def test_rows_reach_the_disk_while_the_run_goes_on(tmp_path: Path) -> None:
    now = 0.0
    rows = random_tracks(30, 3, mixed=False)
    writer = TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {}, clock=lambda: now)
    for block in np.split(rows, 30):
        writer.append(block)
        now += 0.25
    (part,) = tmp_path.glob("t.*.part.csv")  # what a killed process would leave, and where people see it
    assert 60 < len(read_tracks(part)) < len(rows)
    writer.close()
    assert_same(read_tracks(tmp_path / "t.parquet"), rows)


def test_the_files_do_not_depend_on_when_rows_were_decided(tmp_path: Path) -> None:
    rows = random_tracks(40, 3, mixed=False)
    made = []
    for name, step in (("a", 0.0), ("b", 10.0)):
        ticks = itertools.count(0.0, step)
        with TrackWriter(None, tmp_path / name, {}, group_rows=16, clock=ticks.__next__) as writer:
            for block in np.split(rows, 40 if step else 8):
                writer.append(block)
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]


def test_another_writer_that_fails_is_told_what_is_kept(tmp_path: Path) -> None:
    with (  # noqa: PT012
        pytest.raises(InputError, match=r"^no overlay; the tracks up to frame 4 are kept in t\.csv and t\.parquet$"),
        TrackWriter(tmp_path / "t.csv", tmp_path / "t.parquet", {}) as writer,
    ):
        for block in np.split(random_tracks(5, 2, mixed=False), 5):
            writer.append(block)
        raise InputError("no overlay")
    assert read_meta(tmp_path / "t.parquet")["complete"] is False


def test_misuse(tmp_path: Path) -> None:
    writer = TrackWriter(tmp_path / "t.csv", None, {})
    rows = random_tracks(2, 1, mixed=False)
    writer.append(rows[1:])
    with pytest.raises(ValueError, match="frame 0 came after frame 1"):
        writer.append(rows[:1])
    with pytest.raises(ValueError, match="TRACK_DTYPE"):
        writer.append(np.zeros(2))
    writer.close()
    assert writer.close().rows == writer.counts.rows
    with pytest.raises(ValueError, match="closed"):
        writer.append(rows)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        TrackWriter(tmp_path / "t.csv", tmp_path / "no" / "t.parquet", {})
    assert os.listdir(tmp_path) == []
