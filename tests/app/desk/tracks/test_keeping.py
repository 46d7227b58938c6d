"""Corrections reach their file from a thread, the newest last, and what goes wrong is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.desk.tracks import corrections_file, keeping
from app.desk.tracks.corrections_file import Provenance
from app.desk.tracks.keeping import Keeper
from app.desk.tracks.steps import Action, Rename, Retrack, packed
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE

MADE_OF = Provenance("a.mp4", 480, 384, 288, "blobs", "00ff")


def followed(frame: int) -> Action:
    rows = np.zeros(50, TRACK_DTYPE)
    rows["frame"] = np.arange(frame, frame + 50)
    return Action("re-track", (Retrack(0, frame, 1.5, 2.5, -1, packed(rows)),))


def test_what_is_short_is_written_at_once_and_fails_at_once(tmp_path: Path) -> None:
    keeper = Keeper()
    keeper.keep(tmp_path / "a.json", (Action("rename", (Rename(1, "tip"),)),), MADE_OF)
    assert corrections_file.load(tmp_path / "a.json")[0][0].words == "rename"
    with pytest.raises(InputError, match="cannot be written"):
        keeper.keep(tmp_path / "no" / "a.json", (Action("rename", (Rename(1, "tip"),)),), MADE_OF)


def test_what_is_long_is_written_aside_and_the_newest_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "AT_ONCE", 0)
    keeper, path, actions = Keeper(), tmp_path / "a.json", tuple(followed(frame) for frame in range(8))
    for count in range(1, 9):
        keeper.keep(path, actions[:count], MADE_OF)
    keeper.flush()
    assert corrections_file.load(path) == (actions, MADE_OF)
    assert keeper.poll() == ""
    keeper.keep(tmp_path / "no" / "a.json", actions, MADE_OF)
    keeper.flush()
    assert "cannot be written" in keeper.poll()
    assert keeper.poll() == ""
    keeper.keep(path, (), MADE_OF)  # without any the file goes
    assert not path.exists()
