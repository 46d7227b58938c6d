from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.files.atomic import (
    PendingFile,
    check_target,
    errno_of,
    make_folder,
    replacing,
    uninterrupted,
    write_bytes,
    write_error,
)
from kernels.errors import InputError


def test_the_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with replacing(target) as temporary:
        temporary.write_text("new")
        assert target.read_text() == "old"
        assert temporary.suffix == ".csv"
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_an_exception_leaves_the_old_file_and_no_rubbish(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt), replacing(target) as temporary:  # noqa: PT012
        temporary.write_text("half")
        raise KeyboardInterrupt
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_files_get_the_permissions_that_the_user_wants(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_bytes(tmp_path / "a", b"x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_full_disk_on_a_real_disk(small_disk: Path) -> None:
    with pytest.raises(InputError, match=r"the disk is full: big\.bin could not be written .* choose another place"):
        write_bytes(small_disk / "big.bin", bytes(1 << 20))
    assert os.listdir(small_disk) == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota is used up"),
        (errno.EACCES, "no permission"),
        (errno.EROFS, "read-only"),
        (errno.ENOTDIR, "is a file, not a folder"),
        (errno.EFBIG, "grew beyond"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_each_refusal_is_one_sentence_with_the_path_and_a_remedy(tmp_path: Path, code: int, words: str) -> None:
    with pytest.raises(InputError) as caught, replacing(tmp_path / "t.csv") as temporary:  # noqa: PT012
        temporary.write_bytes(b"abc")
        raise OSError(code, os.strerror(code))
    text = str(caught.value)
    assert words in text
    assert "t.csv" in text or str(tmp_path) in text
    assert "choose another place" in text or "create it" in text
    assert "\n" not in text
    assert os.listdir(tmp_path) == []


def test_missing_folder_and_folder_as_target(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the folder .*nowhere does not exist"):
        PendingFile(tmp_path / "nowhere" / "a.csv")
    with pytest.raises(InputError, match="is a folder"):
        PendingFile(tmp_path)


def test_make_folder(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a" / "b").is_dir()
    assert make_folder(tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file, not a folder"):
        make_folder(tmp_path / "file")
    with pytest.raises(InputError, match="not a folder"):
        make_folder(tmp_path / "file" / "below")


def test_error_number_behind_wrapped_errors() -> None:
    outer = RuntimeError("encoder failed")
    outer.__cause__ = OSError(errno.ENOSPC, "x")
    assert errno_of(outer) == errno.ENOSPC
    assert errno_of(Exception("IOError: No space left on device")) == errno.ENOSPC
    assert errno_of(ValueError("x")) == 0
    assert "x y" in str(write_error(Path("/a/b"), ValueError("x\ny")))


def test_ctrl_c_waits_for_the_end_of_the_block() -> None:
    done = False
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        done = True
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_at_the_end_of_the_block_loses_no_later_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may come when one of the two handlers is back and the other is not."""
    real, terminated = signal.signal, list[int]()

    def restored(number: int, handler: Any) -> Any:
        before = real(number, handler)
        if number == signal.SIGINT and handler is signal.default_int_handler:
            raise KeyboardInterrupt
        return before

    was = real(signal.SIGTERM, lambda number, _: terminated.append(number))
    try:
        with monkeypatch.context() as patch:
            patch.setattr("app.files.atomic.signal.signal", restored)
            with pytest.raises(KeyboardInterrupt), uninterrupted():
                pass
        signal.raise_signal(signal.SIGTERM)
    finally:
        real(signal.SIGTERM, was)
    assert terminated == [signal.SIGTERM]


def test_what_a_dead_process_left_is_cleared_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    dead, living = process.pid, os.getppid()
    left = [f".a.{dead}-0.part.csv", f"a.{dead}-3.part.csv", "a.part.csv"]
    stay = [f".a.{living}-0.part.csv", f".a.{dead}-0.part.txt", f".ab.{dead}-0.part.csv", "a.b.part.csv"]
    for name in (*left, *stay):
        (tmp_path / name).write_text("x")
    write_bytes(tmp_path / "a.csv", b"y")
    assert sorted(os.listdir(tmp_path)) == sorted(["a.csv", *stay])


def test_a_target_is_checked_before_long_work(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("old")
    check_target(tmp_path / "old.json")
    check_target(tmp_path / "new.json")
    assert [file.name for file in tmp_path.iterdir()] == ["old.json"]
    with pytest.raises(InputError, match=r"the folder .* does not exist"):
        check_target(tmp_path / "missing" / "a.json")


def test_a_folder_that_takes_no_files_is_told_before_long_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(InputError, match="no permission to write"):
        check_target(tmp_path / "a.json")


@pytest.mark.skipif(os.name != "posix", reason="names are no bytes there")
def test_a_name_that_is_not_utf8_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    name = tmp_path / os.fsdecode(b"vor\xf6")
    with pytest.raises(InputError, match="not UTF-8"):
        make_folder(name)
    with pytest.raises(InputError, match="not UTF-8"):
        PendingFile(name)
    assert not list(tmp_path.iterdir())
