"""Two windows that correct tracks of one clip, and corrections that cannot be written: nothing goes in silence."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.bench.topics import Level
from app.desk.sidecars import corrections_file, corrections_writer
from app.desk.sidecars.corrections_file import CorrectionsChanged, Provenance, merged, path_for
from app.desk.sidecars.corrections_writer import CorrectionsWriter
from app.desk.sidecars.sidecar import locked
from app.desk.tracks.steps import FIRST_OWN, Action, Delete, Merge, Move, Rename, Split
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.frame import SourceInfo
from tests.app.desk.bench.test_workbench import CLIP
from tests.app.desk.services.test_corrector import Bench
from tests.app.desk.sidecars.test_corrections_writer import MADE_OF, followed
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def info() -> Iterator[SourceInfo]:
    source = open_source(CLIP)
    yield source.info
    source.close()


@pytest.fixture
def windows(tmp_path: Path, info: SourceInfo) -> tuple[Bench, Bench]:
    """Two of one clip with four tracks."""
    both = Bench(tmp_path, info), Bench(tmp_path, info)
    for one in both:
        one.rows(0, 9, (0, 1, 2, 3))
    return both


def on_disk(desk: Bench) -> tuple[Action, ...]:
    return corrections_file.load(path_for(desk.clip))[0]


def test_what_both_do_is_put_together(windows: tuple[Bench, Bench]) -> None:
    first, second = windows
    first.corrector.rename(0, "wing")
    second.corrector.delete([3])
    assert [action.words for action in on_disk(first)] == ["rename 0", "delete 3"]
    assert second.bench.names == {0: "wing"}
    assert 3 not in second.bench.store.all()["track"]
    said = next(m.sentence for m in reversed(second.bench.messages) if "another window" in m.sentence)
    assert "its 1 step and yours are put together" in said
    first.corrector.rename(1, "tip")  # which meets what the second one did
    assert first.bench.names == {0: "wing", 1: "tip"}
    assert 3 not in first.bench.store.all()["track"]
    assert [action.words for action in on_disk(first)] == ["rename 0", "delete 3", "rename 1"]
    second.corrector.undo()
    assert [action.words for action in on_disk(first)][:2] == ["rename 0", "delete 3"]
    assert second.corrector.kept.theirs is not None, "it cannot take back what the first one has built on"


def test_tracks_that_both_split_off_get_numbers_of_their_own(windows: tuple[Bench, Bench]) -> None:
    first, second = windows
    assert first.corrector.split(0, 5) == FIRST_OWN
    assert second.corrector.split(1, 5) == FIRST_OWN
    second.corrector.rename(FIRST_OWN + 1, "tail")
    tracks = set(second.bench.store.all()["track"].tolist())
    assert tracks == {0, 1, 2, 3, FIRST_OWN, FIRST_OWN + 1}
    assert len(second.bench.store.track(FIRST_OWN + 1)) == 5
    assert second.bench.tracks.name(FIRST_OWN + 1) == "tail"


def clash(windows: tuple[Bench, Bench]) -> tuple[Bench, Bench, list[int]]:
    """The second one takes back what it wrote, while the first one has gone on from it."""
    first, second = windows
    second.corrector.rename(0, "wing")
    first.corrector.delete([3])  # meets it
    asked: list[int] = []
    second.corrector.kept.asked = lambda: asked.append(1)
    second.corrector.undo()
    return first, second, asked


def test_what_cannot_be_put_together_is_asked_about_and_not_written(windows: tuple[Bench, Bench]) -> None:
    first, second, asked = clash(windows)
    assert asked == [1]
    assert second.bench.messages[-1].level is Level.WARNING
    assert "nothing is written until you say" in second.bench.messages[-1].sentence
    second.corrector.rename(2, "mine")
    assert [action.words for action in on_disk(first)] == ["rename 0", "delete 3"]
    second.corrector.kept.take_theirs()
    assert second.bench.names == {0: "wing"}
    mine = path_for(first.clip).with_name(path_for(first.clip).name + ".mine")
    assert [action.words for action in corrections_file.load(mine)[0]] == ["rename 2"]
    second.corrector.rename(1, "tip")
    assert len(on_disk(first)) == 3


def test_or_mine_are_kept_and_theirs_lie_beside(windows: tuple[Bench, Bench]) -> None:
    first, second, _ = clash(windows)
    second.corrector.rename(2, "mine")
    second.corrector.kept.keep_mine()
    assert second.corrector.kept.theirs is None
    assert [action.words for action in on_disk(first)] == ["rename 2"]
    other = path_for(first.clip).with_name(path_for(first.clip).name + ".other")
    assert len(corrections_file.load(other)[0]) == 2


def test_whoever_leaves_without_an_answer_finds_his_beside(windows: tuple[Bench, Bench], tmp_path: Path) -> None:
    first, second, _ = clash(windows)
    second.corrector.rename(2, "mine")
    assert second.corrector.kept.close(5.0, tmp_path / "rescue") == []
    mine = path_for(first.clip).with_name(path_for(first.clip).name + ".mine")
    assert [action.words for action in corrections_file.load(mine)[0]] == ["rename 2"]
    assert len(on_disk(first)) == 2


def test_a_file_that_was_removed_is_written_anew(windows: tuple[Bench, Bench]) -> None:
    first, _ = windows
    first.corrector.rename(0, "wing")
    path_for(first.clip).unlink()
    first.corrector.rename(1, "tip")
    assert len(on_disk(first)) == 2


def test_a_pipeline_that_was_saved_under_another_name_finds_its_corrections(
    windows: tuple[Bench, Bench], tmp_path: Path
) -> None:
    first, second = windows
    first.corrector.rename(0, "wing")
    second.bench.files.save(tmp_path / "mine.toml")
    second.bench.open(second.clip)
    second.answer()
    assert second.bench.names == {0: "wing"}


def test_nothing_is_written_over_what_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    rename = Action("rename", (Rename(1, "tip"),))
    first = corrections_file.save(path, (rename,), MADE_OF, "")
    before = path.read_bytes()
    for known in ("", "00"):
        with pytest.raises(CorrectionsChanged, match=r"a\.json was changed by another window"):
            corrections_file.save(path, (followed(2),), MADE_OF, known)
        with pytest.raises(CorrectionsChanged):
            corrections_file.save(path, (), MADE_OF, known)
    assert path.read_bytes() == before
    second = corrections_file.save(path, (rename, followed(2)), MADE_OF, first)
    assert corrections_file.there(path, MADE_OF) == ((rename, followed(2)), second)
    other = Provenance("a.mp4", 480, 384, 288, "blobs", "1111")
    corrections_file.save(path, (rename,), other, "")  # of other settings: those before are put aside
    assert corrections_file.there(path, MADE_OF) == ((rename, followed(2)), second)
    with pytest.raises(CorrectionsChanged):
        corrections_file.save(path, (rename,), MADE_OF, "")  # they are there, though not in this file
    corrections_file.save(path, (rename,), MADE_OF, second)
    assert corrections_file.there(path, other)[0] == (rename,)
    assert sorted(os.listdir(tmp_path)) == ["a-1111.json", "a.json"]


def test_of_two_that_write_at_once_one_waits(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path, order = tmp_path / "a.json", []

    def other() -> None:
        with locked(tmp_path):
            order.append("other")

    with locked(tmp_path):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "other"]
    assert not path.exists()


def test_merging_knows_what_both_began_with() -> None:
    base = (Action("a", (Rename(1, "x"),)),)
    ours, theirs = (*base, Action("b", (Delete((2,)),))), (*base, Action("c", (Merge(3, 4),)))
    assert merged(base, ours, theirs) == (*theirs, ours[1])
    assert merged(base, (), theirs) is None
    assert merged(base, ours, ()) is None
    split = Action("s", (Split(1, 5, FIRST_OWN), Rename(FIRST_OWN, "s b")))
    later = Action("m", (Move(FIRST_OWN, 6, 0.0, 1.0, 2.0), Delete((FIRST_OWN, 9)), Merge(1, FIRST_OWN)))
    made = merged((), (split, later), (Action("s", (Split(2, 5, FIRST_OWN),)),))
    assert made is not None
    new = FIRST_OWN + 1
    assert made[1].steps == (Split(1, 5, new), Rename(new, "s b"))
    assert made[2].steps == (Move(new, 6, 0.0, 1.0, 2.0), Delete((new, 9)), Merge(1, new))


def test_what_cannot_be_written_is_tried_again_and_else_kept_elsewhere(
    windows: tuple[Bench, Bench], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, other = windows[0], str(tmp_path / "other.mp4")
    save = corrections_file.save

    def read_only(path: Path, *rest: object) -> str:
        if path.parent == tmp_path:
            raise InputError(f"{path} cannot be written, so the corrections are not kept: Read-only file system")
        return save(path, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(corrections_file, "save", read_only)
        desk.corrector.rename(0, "wing")
        assert desk.bench.messages[-1].level is Level.ERROR
        clip, desk.clip = desk.clip, other
        desk.bench.open(other)
        desk.answer()
        assert desk.bench.names == {}
        desk.bench.open(clip)
        desk.answer()
        assert desk.bench.names == {0: "wing"}, "it was kept in memory"
        (said,) = desk.corrector.kept.close(5.0, tmp_path / "rescue")
    kept = tmp_path / "rescue" / "clip.mp4.corrections.json.kept"
    assert "Read-only file system" in said
    assert str(kept) in said
    assert corrections_file.load(kept)[0][0].words == "rename 0"
    assert desk.corrector.kept.close(5.0, tmp_path / "rescue") == [], "now it can be written"
    assert corrections_file.load(path_for(clip))[0][0].words == "rename 0"


def test_the_end_waits_for_what_is_being_written_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrections_writer, "AT_ONCE", 0)
    go, save = threading.Event(), corrections_file.save

    def slow(*arguments: object) -> str:
        assert go.wait(PATIENCE)
        return save(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(corrections_file, "save", slow)
    keeper = CorrectionsWriter()
    keeper.keep(tmp_path / "a.json", (followed(1),), MADE_OF)
    (said,) = keeper.close(0.05, tmp_path / "rescue")
    assert "still being written" in said
    go.set()
    assert keeper.close(30.0, tmp_path / "rescue") == []
    assert corrections_file.load(tmp_path / "a.json")[0] == (followed(1),)


def test_what_another_window_wrote_is_met_before_another_clip_is_open(
    windows: tuple[Bench, Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrections_writer, "AT_ONCE", -1)  # all by the thread, as tracks that were followed anew
    first, second = windows
    second.corrector.rename(0, "wing")
    second.corrector.kept._writer.flush()
    first.corrector.delete([3])
    path, other = path_for(first.clip), Path(first.clip).with_name("other.mp4")
    made_of = corrections_file.load(path)[1]
    first.bench.open(str(other))
    first.info = replace(first.info, name="other.mp4", frames=first.info.frames - 1)
    first.answer()
    first.corrector.kept._writer.flush()
    first.bench.tick()
    first.corrector.kept.poll()
    found, of = corrections_file.load(path)
    assert [action.words for action in found] == ["rename 0", "delete 3"]
    assert of == made_of, "they are not another clip's"
    assert not path_for(other).exists()
    assert not first.corrector.corrections.actions
    assert not first.bench.names
