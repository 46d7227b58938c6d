"""What all files beside a clip have in common."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.desk.sidecars.sidecar import SidecarFile, set_by
from tests.patience import PATIENCE


@dataclass(frozen=True)
class Wanted:
    path: Path
    text: str

    @property
    def key(self) -> Path:
        return self.path


class Texts(SidecarFile[Wanted]):
    what = "texts"

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def _write(self, wanted: Wanted) -> str:
        self.begun.set()
        self.go_on.wait(PATIENCE)
        wanted.path.write_text(wanted.text)
        return "there" if wanted.text == "note" else ""

    def _write_copy(self, wanted: Wanted, path: Path) -> None:
        path.write_text(wanted.text)

    def _is_worth_a_copy(self, wanted: Wanted) -> bool:
        return bool(wanted.text)


def test_what_failed_is_not_written_over_what_is_being_written(tmp_path: Path) -> None:
    texts, path = Texts(), tmp_path / "folder" / "a.txt"
    with pytest.raises(FileNotFoundError):
        texts.save(Wanted(path, "old"))
    path.parent.mkdir()
    texts.go_on.clear()
    texts.begun.clear()
    texts.save_soon(Wanted(path, "new"))
    assert texts.begun.wait(PATIENCE)
    (said,) = texts.close(0.01, tmp_path / "rescue")
    assert said.startswith("the newest texts are still being written")
    texts.go_on.set()
    assert texts.flush(60)
    assert path.read_text() == "new"
    assert not texts.failed
    assert texts.close(60, tmp_path / "rescue") == []


def test_what_can_be_written_nowhere_beside_its_clip_lies_elsewhere(tmp_path: Path) -> None:
    texts, missing = Texts(), tmp_path / "no"
    for name, text in (("a.txt", "a"), ("b.txt", "")):
        with pytest.raises(FileNotFoundError):
            texts.save(Wanted(missing / name, text))
    (said,) = texts.close(0.0, tmp_path / "rescue")  # of b there is nothing to be lost
    assert "so the texts are not kept: No such file" in said
    assert f"they are in {tmp_path / 'rescue' / 'a.txt.kept'}" in said
    assert (tmp_path / "rescue" / "a.txt.kept").read_text() == "a"
    (tmp_path / "file").touch()
    (said,) = texts.close(0.0, tmp_path / "file")
    assert f"nor in {tmp_path / 'file'}" in said


def test_what_is_found_is_said_once_and_names_beside_are_free(tmp_path: Path) -> None:
    texts = Texts()
    texts.save_soon(Wanted(tmp_path / "a.txt", "note"))
    texts.flush()
    texts.save_soon(Wanted(tmp_path / "no" / "a.txt", "b"))
    texts.flush()
    said = texts.poll()
    assert [error for error, _ in said] == [False, True]
    assert said[0][1] == "there"
    assert texts.poll() == []
    names = []
    for _ in range(3):
        names.append(set_by(tmp_path / "a.txt", "old").name)
        (tmp_path / names[-1]).touch()
    assert names == ["a.txt.old", "a.txt.old2", "a.txt.old3"]
