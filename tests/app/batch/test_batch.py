"""The command as people use it: what is run, what is skipped, what breaks and what it says."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from app.batch import supervise
from app.cli import main
from app.exports.tables import read_tracks
from tests.app.batch.made import (
    HANG,
    ONCE,
    RAISE,
    SEGFAULT,
    halves,
    report,
    run,
    start,
    statuses,
    torn,
    write_clip,
    write_fate,
)
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_skips_what_is_done_and_runs_what_changed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_clip(here / "clips/a/one.npy", seed=1)
    write_clip(here / "clips/b/one.npy", seed=2)
    (here / "clips/b/two.npy").write_bytes(b"no clip at all")
    call = ["batch", "clips/**/*.npy", "clips/a", "--out", "out", "--no-overlay", "--fps", "500", "--quiet"]
    call += ["--set", "bright.level=0.1"]
    assert main(call) == 1
    said = capsys.readouterr().out
    assert "2 done, 0 done before, 1 failed" in said
    assert "failed   b/two.npy: " in said
    rows = report(here / "out")["rows"]
    assert {name: row["status"] for name, row in rows.items()} == {
        "a/one.npy": "done", "b/one.npy": "done", "b/two.npy": "failed"
    }  # fmt: skip
    # One name in two folders, each with its own results; the sentence of the bad one names it.
    one, other = (read_tracks(here / "out" / side / "one" / "tracks.parquet") for side in "ab")
    assert len(one)
    assert not np.array_equal(one["x"], other["x"])
    assert "b/two.npy" in rows["b/two.npy"]["reason"]
    assert rows["a/one.npy"]["frames"]["processed"] == 8
    assert rows["a/one.npy"]["tracks"] == 1
    assert (here / "out/logs/b/two.log").read_text().strip().endswith(rows["b/two.npy"]["reason"])
    merged = pyarrow.parquet.read_table(here / "out/tracks.parquet").to_pydict()
    assert list(dict.fromkeys(merged["clip"])) == ["a/one.npy", "b/one.npy"]
    np.testing.assert_array_equal(merged["x_px"], [*one["x"], *other["x"]])
    html = (here / "out/report.html").read_text("utf-8")
    assert html.index("What went wrong") < html.index("<table>")

    # Again: a touched clip is the same, a changed one and the failed one are not.
    os.utime(here / "clips/a/one.npy", ns=(1, 1))
    kept = (here / "out/a/one/tracks.csv").stat().st_mtime_ns
    write_clip(here / "clips/b/one.npy", seed=3)
    (here / "out/b/one/my notes.txt").write_text("keep me")
    write_clip(here / "clips/b/two.npy", seed=4)
    assert main(call) == 0
    rows = report(here / "out")["rows"]
    assert {name: (row["status"], row["why"]) for name, row in rows.items()} == {
        "a/one.npy": ("skipped", "done before: same clip, settings and version"),
        "b/one.npy": ("done", "the clip changed"), "b/two.npy": ("done", "new"),
    }  # fmt: skip
    assert (here / "out/a/one/tracks.csv").stat().st_mtime_ns == kept
    assert (here / "out/b/one/my notes.txt").read_text() == "keep me"
    assert not halves(here / "out")
    merged = pyarrow.parquet.read_table(here / "out/tracks.parquet")
    assert set(merged["clip"].to_pylist()) == {"a/one.npy", "b/one.npy", "b/two.npy"}

    # What would be run, without a trace: another setting, lost results.
    (here / "out/a/one/tracks.csv").unlink()
    before = sorted(p for p in here.rglob("*"))
    capsys.readouterr()
    assert main([*call, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "run   a/one.npy -> out/a/one  (results are missing: tracks.csv)" in said
    assert "skip  b/two.npy" in said
    assert main([*call[:-1], "bright.level=0.2", "--dry-run"]) == 0
    assert capsys.readouterr().out.count("(other settings: bright.level 0.1 -> 0.2)") == 3
    assert sorted(p for p in here.rglob("*")) == before


def test_a_clip_that_ends_its_process_stops_no_other(here: Path) -> None:
    for name, first in (("segfault", SEGFAULT), ("raise", RAISE), ("once", ONCE), ("good", 0)):
        write_clip(here / f"clips/{name}.npy", first)
    process = start(here, "clips", "--out", "out", "--jobs", "2", *write_fate(here), FATE=str(here / "fate"))
    said, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, told
    assert "Traceback" not in told
    rows = report(here / "out")["rows"]
    assert {name: row["status"] for name, row in rows.items()} == {
        "segfault.npy": "failed", "raise.npy": "failed", "once.npy": "done", "good.npy": "done",
    }  # fmt: skip
    assert rows["segfault.npy"]["reason"].startswith("its process crashed (SIGSEGV)")
    assert "fate says no" in rows["raise.npy"]["reason"]
    assert rows["once.npy"]["attempts"] == 2
    assert "Fatal Python error: Segmentation fault" in (here / "out/logs/segfault.log").read_text()
    assert "attempt 2" in (here / "out/logs/once.log").read_text()
    assert "2 failed" in said
    assert not halves(here / "out")


def test_a_clip_that_hangs_is_ended(here: Path) -> None:
    write_clip(here / "hang.npy", HANG)
    assert run(here, "hang.npy", "--out", "out", "--timeout", "3", *write_fate(here)) == 1
    row = report(here / "out")["rows"]["hang.npy"]
    assert "longer than the 3 s of --timeout" in row["reason"]
    assert row["attempts"] == 1  # it would only hang again
    assert not halves(here / "out")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no/*.cine"], "no clip matches 'no/*.cine'"),
        (["no.cine"], "no.cine does not exist"),
        ([], "there is nothing to run"),
        (["clips", "--pipeline", "blops"], "did you mean 'blobs'?"),
        (["clips", "--set", "bright.levle=1"], "bright"),
        (["clips", "--jobs", "0"], "--jobs must be 1 or more, not 0"),
        (["clips", "--timeout", "-1"], "--timeout must be a positive number"),
        (["clips", "--list", "none.txt"], "the list none.txt cannot be read"),
        (["clips", "--roi", "1,2"], "--roi takes four"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    write_clip(here / "clips/a.npy")
    assert main(["batch", *arguments, "--out", "out"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert said.err.startswith("fusetrack: ")
    assert sentence in said.err
    assert not (here / "out").exists()


def test_a_missing_clip_of_a_list_fails_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, start = [], supervise._start
    monkeypatch.setattr(supervise, "_start", lambda order, log: started.append(order.name) or start(order, log))
    write_clip(here / "clips/a.npy")
    (here / "list.txt").write_text("# monday\n\nclips/a.npy\n./clips/../clips/a.npy\nclips/gone.npy\n")
    assert main(["batch", "--list", "list.txt", "--out", "out", "--no-overlay", "--quiet", "--retries", "0"]) == 1
    assert statuses(here / "out") == {"a.npy": "done", "gone.npy": "failed"}
    assert "gone.npy does not exist" in report(here / "out")["rows"]["gone.npy"]["reason"]
    assert "gone.npy" not in started  # it takes no process to see that
    assert started
    # The same clip elsewhere under the same name is not taken for it, nor does it take its folder.
    write_clip(here / "other/a.npy", seed=5)
    assert main(["batch", "other", "--out", "out", "--no-overlay", "--quiet"]) == 0
    assert report(here / "out")["rows"]["a.npy"]["folder"] != "a"
    assert (here / "out/a/done.json").is_file()
    shutil.rmtree(here / "out/a")


def test_frames_that_could_not_be_read_are_told_at_the_end(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The clip is done, and its report has them; nobody who looks at the last lines alone shall miss them."""
    torn(here / "clips/torn.avi", 3)
    assert main(["batch", "clips", "--out", "out", "--no-overlay", "--quiet"]) == 0
    assert report(here / "out")["rows"]["torn.avi"]["frames"]["bad"] == 5
    assert "warning  torn.avi: 5 of 8 frames could not be read\n" in capsys.readouterr().out


def test_a_clip_without_any_frame_that_can_be_read_fails(here: Path) -> None:
    """An empty table of tracks would pass for a clip without particles."""
    torn(here / "clips/torn.avi", 0)
    assert main(["batch", "clips", "--out", "out", "--no-overlay", "--quiet"]) == 1
    row = report(here / "out")["rows"]["torn.avi"]
    assert row["status"] == "failed"
    assert "none of its 8 frames could be read; the first: its data are damaged" in row["reason"]
