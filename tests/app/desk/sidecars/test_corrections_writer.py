"""Corrections reach their file from a thread, the newest last, and what goes wrong is said."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from app.desk.sidecars import corrections_file, corrections_writer, sidecar
from app.desk.sidecars.corrections_file import Provenance
from app.desk.sidecars.corrections_writer import CorrectionsWriter
from app.desk.tracks.steps import Action, Rename, Retrack, packed
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE

MADE_OF = Provenance("a.mp4", 480, 384, 288, "blobs", "00ff")


def followed(frame: int) -> Action:
    rows = np.zeros(50, TRACK_DTYPE)
    rows["frame"] = np.arange(frame, frame + 50)
    return Action("re-track", (Retrack(0, frame, 1.5, 2.5, -1, packed(rows)),))


def test_what_is_short_is_written_at_once_and_fails_at_once(tmp_path: Path) -> None:
    keeper = CorrectionsWriter()
    keeper.keep(tmp_path / "a.json", (Action("rename", (Rename(1, "tip"),)),), MADE_OF)
    assert corrections_file.load(tmp_path / "a.json")[0][0].words == "rename"
    with pytest.raises(InputError, match="cannot be written"):
        keeper.keep(tmp_path / "no" / "a.json", (Action("rename", (Rename(1, "tip"),)),), MADE_OF)


def test_what_is_long_is_written_aside_and_the_newest_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrections_writer, "AT_ONCE", 0)
    keeper, path, actions = CorrectionsWriter(), tmp_path / "a.json", tuple(followed(frame) for frame in range(8))
    for count in range(1, 9):
        keeper.keep(path, actions[:count], MADE_OF)
    keeper.flush()
    assert corrections_file.load(path) == (actions, MADE_OF)
    assert keeper.poll() == []
    keeper.keep(tmp_path / "no" / "a.json", actions, MADE_OF)
    keeper.flush()
    ((failed, sentence),) = keeper.poll()
    assert failed
    assert "cannot be written" in sentence
    assert keeper.poll() == []
    keeper.keep(path, (), MADE_OF)  # without any the file goes
    assert not path.exists()


def test_what_nobody_thought_of_is_said_and_later_corrections_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrections_writer, "AT_ONCE", 0)
    keeper, path = CorrectionsWriter(), tmp_path / "a.json"

    def unforeseen(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(corrections_file, "_in_the_way", unforeseen)
        keeper.keep(path, (followed(1),), MADE_OF)
        keeper.flush()
    ((failed, sentence),) = keeper.poll()
    assert failed
    assert "corrections are not kept" in sentence
    keeper.keep(path, (followed(2),), MADE_OF)
    keeper.flush()
    assert keeper.poll() == []
    assert corrections_file.load(path) == ((followed(2),), MADE_OF)


@pytest.mark.parametrize("steps", ['["x"]', '"x"', "3", "[[]]"])
def test_a_file_that_somebody_spoiled_is_put_away(tmp_path: Path, steps: str) -> None:
    path, actions = tmp_path / "a.json", (Action("rename", (Rename(1, "tip"),)),)
    corrections_file.save(path, actions, MADE_OF)
    head = path.read_text("utf-8").partition('"actions"')[0]
    path.write_text(f'{head}"actions": [{{"words": "w", "steps": {steps}}}]}}', "utf-8")
    with pytest.raises(InputError, match="holds no corrections"):
        corrections_file.load(path)
    corrections_file.save(path, actions, MADE_OF)
    assert corrections_file.load(path) == (actions, MADE_OF)
    assert path.with_name("a.json.old").exists()


def test_two_windows_that_write_at_once_leave_a_whole_file_and_no_drafts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, mine, theirs = tmp_path / "a.json", (followed(1),), (followed(2),)
    replace = os.replace
    monkeypatch.setattr(sidecar, "PATIENCE", 0.01)  # the folder is held for as long as the other wants it

    def other_first(source: Path, target: Path) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", replace)
            patch.setattr(os, "getpid", lambda: 1)
            corrections_file.save(path, theirs, MADE_OF)
        replace(source, target)

    monkeypatch.setattr(os, "replace", other_first)
    corrections_file.save(path, mine, MADE_OF)
    assert corrections_file.load(path) == (mine, MADE_OF)
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_full_disk_leaves_no_half_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, actions = tmp_path / "a.json", (followed(1),)
    corrections_file.save(path, actions, MADE_OF)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="No space left"):
        corrections_file.save(path, (followed(2),), MADE_OF)
    assert os.listdir(tmp_path) == ["a.json"]
    assert corrections_file.load(path) == (actions, MADE_OF)
