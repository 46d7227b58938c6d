"""Which clips are found, what they are called, where their results go, and when they count as the same."""

from __future__ import annotations

import os
import shutil
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.batch import identity as identities
from app.batch.configuration import Configuration, digest
from app.batch.finding import DONE, Clip, find, missing_words, read_list
from app.batch.folders import Folders, Marker, choose, commit, read_marker, scan, write_marker
from app.batch.identity import identity, same
from app.batch.job import Control, Order, work
from app.batch.lock import FolderLock
from app.files.summary import write_summary
from app.version import __version__
from kernels.errors import InputError
from kernels.opencv import cv2
from tests.app.batch.made import write_clip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*patterns: str) -> list[str]:
    return [clip.name for clip in find(patterns, Path("out")).clips]


def test_patterns_folders_and_names_lead_to_each_clip_once(here: Path) -> None:
    for name in ("a/x.npy", "a/x10.npy", "a/x2.npy", "b/x.npy", "b/.hidden.npy", "out/old/x.npy"):
        write_clip(here / name)
    (here / "a/x.truth.csv").write_text("frame\n")
    write_clip(here / "kept/y.npy")
    (here / "kept/overlay.mp4").write_bytes(b"of an earlier run")
    write_summary(here / "kept/summary.json", {})
    (here / "b/link.npy").symlink_to(here / "a/x.npy")
    every = ["a/x2.npy", "a/x10.npy", "a/x.npy", "b/x.npy", "kept/y.npy"]
    assert names(".") == names("**/*.npy") == names("**/*") == every
    assert names("a/x.npy", "a/*", "a", str(here / "a/../a/x.npy")) == ["x2.npy", "x10.npy", "x.npy"]
    assert find(("a", "a/x.npy"), Path("out")).twice == 1
    assert names("a/x.npy", "b/*", "sim:vortex") == ["a/x.npy", "b/x.npy", "sim:vortex"]
    assert find(("a", "c/*.cine"), Path("out")).unmatched == ["c/*.cine"]
    (here / "a/[1].npy").write_bytes((here / "a/x.npy").read_bytes())
    assert names("a/[1].npy") == ["[1].npy"]


def test_a_link_back_to_where_it_is_does_not_rename_clips(here: Path) -> None:
    write_clip(here / "clips/x.npy")
    (here / "clips/loop").symlink_to(here / "clips")
    assert names("clips/**/*.npy") == ["x.npy"]


def test_numbered_images_are_one_clip_and_photron_pairs_too(here: Path) -> None:
    for k in range(3):
        for folder, ending in (("s", "png"), ("t", "tif")):
            (here / folder).mkdir(exist_ok=True)
            cv2.imwrite(str(here / f"{folder}/f_{k}.{ending}"), np.zeros((8, 8), np.uint8))
    cv2.imwrite(str(here / "s/logo.png"), np.zeros((8, 8), np.uint8))
    (here / "p.cihx").write_bytes(b"")
    (here / "p.mraw").write_bytes(b"")
    assert names(".") == ["p.mraw", "s/f_0.png", "t/f_0.tif"]
    assert names("p.*") == ["p.mraw"]
    before = identity(str(here / "s/f_0.png"))
    assert before["files"] == 3
    cv2.imwrite(str(here / "s/f_2.png"), np.ones((8, 8), np.uint8))
    assert not same(before, identity(str(here / "s/f_0.png")))


def test_a_pattern_of_numbered_images_is_there_where_images_are(here: Path) -> None:
    for k in range(3):
        cv2.imwrite(str(here / f"shot_{k:04d}.png"), np.zeros((4, 4), np.uint8))
    write_clip(here / "x.npy")
    (here / "link.npy").symlink_to("gone.npy")
    found = find(("shot_%04d.png", "shot_####.png", "x.npy", "link.npy", "frame_%d.png", "sim:face"), Path("out")).clips
    told = {clip.name: clip.missing for clip in found if clip.missing}
    assert sorted(told) == ["frame_%d.png"]
    assert told["frame_%d.png"] == f"no image file matches {here / 'frame_%d.png'}"
    assert missing_words(str(here / "gone.npy")).startswith(f"{here / 'gone.npy'} does not exist")


@pytest.mark.parametrize("rows", ["x_px,y_px\n30,40\n", "30;40.5\n", "track\tx\ty\tstate\n0\t-1.5e2\t7.\ttracked\n",
                                  "x.npy\n1,2,,\n", "time\n0.1\n"])  # fmt: skip
def test_a_table_is_no_list(here: Path, rows: str) -> None:
    (here / "points.csv").write_text(rows)
    with pytest.raises(InputError, match=r"points\.csv is a table \(line [12]: "):
        read_list("points.csv")


def test_names_with_numbers_and_commas_are_a_list(here: Path) -> None:
    (here / "2026").mkdir()
    (here / "30,40").mkdir()
    lines = ["2026", "30,40", "run 1,shot 2,left.npy", "1,clip.npy", "a/**/*.npy"]
    (here / "list.txt").write_text("# monday\n\n" + "\n".join(lines) + "\n")
    assert read_list("list.txt") == lines


def test_large_clips_are_known_by_samples_and_time(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identities, "WHOLE", 1000)
    monkeypatch.setattr(identities, "BLOCK", 16)
    clip = here / "x.npy"
    clip.write_bytes(bytes(5000))
    os.utime(clip, ns=(5, 5))
    first = identity(str(clip))
    assert not first["whole"]
    assert same(first, identity(str(clip)))
    os.utime(clip, ns=(6, 6))
    assert not same(first, identity(str(clip)))
    for place in (0, 4999):
        clip.write_bytes(bytes(place) + b"!" + bytes(4999 - place))
        os.utime(clip, ns=(5, 5))
        assert not same(first, identity(str(clip)))
    before = identity(str(clip))
    (here / f"{clip.name}.times.csv").write_text("frame")  # speeds depend on it
    assert not same(before, identity(str(clip)))
    (here / f"{clip.name}.times.csv").unlink()
    assert same(before, identity(str(clip)))
    (here / "x.truth.csv").write_text("frame")  # the score depends on it
    clip.write_bytes(bytes(5000))
    os.utime(clip, ns=(5, 5))
    assert not same(first, identity(str(clip)))


_PART = st.sampled_from(["a", "A", "b", "logs", ".h", "report.json"])
_NAME = st.tuples(st.lists(_PART, max_size=2), st.sampled_from(["a", "b", "logs", "tracks"]),
                  st.sampled_from([".npy", ".mp4", ""])).map(lambda t: "/".join((*t[0], t[1] + t[2])))  # fmt: skip


@given(st.lists(_NAME, min_size=1, max_size=12, unique=True))
@settings(max_examples=60, deadline=None)
def test_every_clip_has_a_folder_of_its_own_and_none_lies_in_another(found: list[str]) -> None:
    clips = [Clip(f"/c/{name}", name) for name in found]
    chosen = choose(clips, Folders(Path("/nowhere")))
    assert [*chosen] == [clip.path for clip in clips]
    places = [Path(folder.casefold()) for folder in chosen.values()]
    for k, place in enumerate(places):
        assert str(place) not in ("logs", "report.json", "report.html", "tracks.parquet", ".")
        assert not any(part.startswith(".") for part in place.parts)
        assert not any(i != k and place.is_relative_to(other) for i, other in enumerate(places))


def marker(clip: str, hashed: str = "h", **files: int) -> Marker:
    return Marker(clip, {"digest": clip, "whole": True}, hashed, {}, True, files, {"status": "done"})


def whole(folder: Path, made: Marker, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "tracks").write_text(text)
    write_marker(folder, made)
    return folder


def test_a_clip_keeps_its_folder_and_takes_no_other(here: Path) -> None:
    out = here / "out"
    clip = str(write_clip(here / "a/x.npy"))
    whole(out / "deep/x", marker(clip), "1")
    (out / "y").mkdir()
    (out / "y/mine.txt").write_text("of the user")
    found = scan(out, clear=True)
    assert choose([Clip(clip, "x.npy"), Clip("/b/y.npy", "y.npy")], found) == {clip: "deep/x", "/b/y.npy": "y.npy"}
    assert choose([Clip("/b/x.npy", "deep/x.npy")], found) == {"/b/x.npy": "deep/x.npy"}
    os.unlink(clip)  # the clip has moved: the folder is the next one's
    assert choose([Clip("/b/x.npy", "deep/x.npy")], found) == {"/b/x.npy": "deep/x"}


def test_the_first_of_two_that_do_the_same_stays_and_others_are_replaced(here: Path) -> None:
    final = here / "out/x"
    old = marker("c", "old", tracks=1)
    whole(final, old, "0")
    (final / "notes").write_text("mine")
    first = whole(here / "out/.x.00000001.part", marker("c", tracks=1), "1")
    second = whole(here / "out/.x.00000002.part", marker("c", tracks=1), "2")
    assert commit(first, final, lambda other: other.hash == "h")
    assert not commit(second, final, lambda other: other.hash == "h")
    assert (final / "tracks").read_text() == "1"
    assert (final / "notes").read_text() == "mine"
    assert [path.name for path in (here / "out").iterdir()] == ["x"]


def test_what_a_killed_job_left_is_cleared_up(here: Path) -> None:
    out = here / "out"
    whole(out / "a/.x.00000001.part", marker("c"), "half")
    whole(out / "a/.y.00000002.old", marker("d", tracks=3), "old")  # killed between two renames
    whole(out / "a/z", marker("e", tracks=3), "new")
    whole(out / "a/.z.00000003.old", marker("e", "old", tracks=3), "old")
    (out / "a/.z.00000003.old/notes").write_text("mine")
    found = scan(out, clear=False)
    assert set(found.markers) == {"a/z"}
    assert len([*(out / "a").iterdir()]) == 4
    found = scan(out, clear=True)
    assert set(found.markers) == {"a/y", "a/z"}
    assert sorted(path.name for path in (out / "a").iterdir()) == ["y", "z"]
    assert (out / "a/z/notes").read_text() == "mine"
    (out / "a/y" / DONE).write_text('{"format": 1, "clip":')
    assert read_marker(out / "a/y") is None


def test_a_folder_is_locked_until_its_holder_is_gone(here: Path) -> None:
    with FolderLock(here), pytest.raises(InputError, match=f"process {os.getpid()} on .* since"), FolderLock(here):
        pass
    with FolderLock(here):
        pass


def test_a_job_refuses_what_is_not_what_was_planned(here: Path) -> None:
    clip = write_clip(here / "x.npy")
    configuration = Configuration("blobs", overlay=False)
    order = Order("0", str(clip), "x.npy", str(here / "x"), str(here / ".x.00000001.part"), "", asdict(configuration),
                  digest(configuration.facts()), __version__)  # fmt: skip

    def done(**changed: str) -> dict[str, object]:
        return work(Order(**(asdict(order) | changed)), lambda event: None, Control())

    assert "install the same version everywhere" in str(done(version="0.0")["reason"])
    assert "is not what it was when the batch began" in str(done(hash="other")["reason"])
    assert not (here / "x").exists()
    row = done()
    assert row["status"] == "done"
    # Done is done: a second job for the same gives the first one's answer and touches nothing.
    kept = (here / "x/summary.json").stat().st_mtime_ns
    assert done(part=str(here / ".x.00000002.part"))["seconds"] == row["seconds"]
    assert (here / "x/summary.json").stat().st_mtime_ns == kept
    shutil.rmtree(here / "x")
