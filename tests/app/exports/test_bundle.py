from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.exports.bundle import replacing_all
from kernels.errors import InputError


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def write(a: Path, b: Path, error: BaseException | None = None) -> None:
    with replacing_all(a, b) as (first, second):
        first.write_text("pixels")
        second.write_text("header")
        assert not a.exists()
        if error is not None:
            raise error


def test_all_or_none(tmp_path: Path) -> None:
    a, b = tmp_path / "a.mraw", tmp_path / "a.cih"
    write(a, b)
    assert (a.read_text(), b.read_text()) == ("pixels", "header")
    assert names(tmp_path) == {"a.mraw", "a.cih"}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("x"), OSError(28, "No space left on device")])
def test_an_error_leaves_what_was(tmp_path: Path, error: BaseException) -> None:
    a, b = tmp_path / "a.mraw", tmp_path / "a.cih"
    b.write_text("old")
    wanted = InputError if isinstance(error, OSError) else type(error)
    with pytest.raises(wanted):
        write(a, b, error)
    assert names(tmp_path) == {"a.cih"}
    assert b.read_text() == "old"


def test_the_second_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = tmp_path / "a.mraw", tmp_path / "a.cih"
    replace = os.replace

    def refused(source: Any, target: Any) -> None:
        if Path(target).suffix == ".cih":
            raise PermissionError(13, "Permission denied")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(InputError, match="no permission"):
        write(a, b)
    assert names(tmp_path) == set()


def test_a_full_disk_without_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=100))
    with pytest.raises(InputError, match="the disk is full"), replacing_all(tmp_path / "x"):
        raise OSError("4096 requested and 512 written")  # as NumPy says it
