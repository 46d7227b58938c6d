"""The file of what windows remember: whole or as it was, whatever the disk says, and shared by all windows."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui import settings as module
from app.gui.settings import Settings
from app.gui.settings_file import SettingsFile, Value
from tests.app.gui.conftest import Desk
from tests.letters import LETTERS

resource = pytest.importorskip("resource")
VALUES = st.one_of(st.text(LETTERS), st.binary(), st.lists(st.text(LETTERS)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settings.json"


@given(st.dictionaries(st.text(LETTERS), VALUES), st.lists(st.text(LETTERS)))
def test_what_is_kept_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, kept: dict[str, Value],
                                           gone: list[str]) -> None:  # fmt: skip
    file = SettingsFile(tmp_path_factory.mktemp("kept") / "settings.json")
    for name, value in kept.items():
        file.set(name, value)
    for name in gone:
        file.set(name, None)
    file.sync()
    assert file.trouble == ""
    again = SettingsFile(file.path)
    left = {name: value for name, value in kept.items() if name not in gone}
    assert {name: again.value(name) for name in again.names()} == left
    assert {name: file.value(name) for name in file.names()} == left


def test_windows_of_several_processes_keep_each_others(path: Path) -> None:
    one, other = SettingsFile(path), SettingsFile(path)
    one.set("a", "1")
    other.set("b", "2")
    other.set("c", "3")
    one.sync()
    other.sync()
    one.sync()
    one.set("c", None)
    one.sync()
    other.sync()
    assert {name: other.value(name) for name in other.names()} == {"a": "1", "b": "2"}
    assert SettingsFile.shared(path) is SettingsFile.shared(path)


def test_a_full_disk_leaves_the_file_whole_and_is_said(path: Path) -> None:
    file = SettingsFile(path)
    file.set("a", "old")
    file.sync()
    whole = path.read_bytes()
    file.set("b", "x" * 5000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))
    try:
        file.sync()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "beyond what the disk" in file.trouble
    assert ";" not in file.trouble
    assert path.read_bytes() == whole
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    file.sync()
    assert file.trouble == ""
    assert SettingsFile(path).value("b") == "x" * 5000


def test_a_place_that_cannot_be_written_is_said_and_written_once_it_can(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    file = SettingsFile(tmp_path / "home" / "settings.json")
    assert file.trouble == ""
    file.set("a", "kept")
    file.sync()
    assert str(tmp_path / "home") in file.trouble
    (tmp_path / "home").unlink()
    file.sync()
    assert file.trouble == ""
    assert SettingsFile(file.path).value("a") == "kept"


def test_what_another_program_writes_just_now_is_waited_for_and_not_written_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SettingsFile(path)
    file.set("a", "1")
    path.parent.mkdir()
    holder = subprocess.Popen(
        [sys.executable, "-c", "import sys\nfrom pyqtgraph.Qt import QtCore\nlock = QtCore.QLockFile(sys.argv[1])\n"
                               "print(lock.lock(), flush=True)\nsys.stdin.read()", f"{path}.lock"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert holder.stdout is not None
    assert holder.stdout.readline().strip() == b"True"
    file.sync()
    assert "being written by another program" in file.trouble
    assert not path.exists()
    holder.communicate()
    file.sync()
    assert (file.trouble, SettingsFile(path).value("a")) == ("", "1")


@pytest.mark.parametrize("text", ["{", "[]", '{"a": {"no": 1}}', ""])
def test_a_file_that_cannot_be_read_is_put_aside(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    file = SettingsFile(path)
    assert file.damaged is not None
    assert file.damaged.read_text() == text
    assert file.names() == []
    file.set("a", "1")
    file.sync()
    assert json.loads(path.read_text()) == {"a": "1"}


def test_what_was_set_is_written_soon_without_being_told(desk: Desk) -> None:
    desk.window.settings.theme = "light"
    loop = QtCore.QEventLoop()
    QtCore.QTimer.singleShot(20 * module.LATER, loop.quit)
    loop.exec_()
    QtWidgets.QApplication.processEvents()
    assert json.loads(desk.window.settings.path.read_text())["theme"] == "light"


def test_what_an_earlier_version_kept_is_taken_over_once(tmp_path: Path) -> None:
    code = """
from pyqtgraph.Qt import QtCore
from app.gui.settings import Settings
old = QtCore.QSettings("fusetrack", "fusetrack")
old.setValue("theme", "light"); old.setValue("recent", ["/a.mp4", "/b.mp4"]); old.setValue("windows/1", "{}")
old.setValue("geometry", QtCore.QByteArray(b"\\x00\\x01")); old.sync()
new = Settings()
assert (new.theme, new.recent, new.names("windows/")) == ("light", ["/a.mp4", "/b.mp4"], ["windows/1"])
assert new.bytes("geometry").data() == b"\\x00\\x01"
new.theme = "dark"
new.sync()
print(new.path)
"""
    env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == tmp_path / "fusetrack" / "settings.json"
    assert json.loads(Path(done.stdout.strip()).read_text())["theme"] == "dark"
    assert "light" in (tmp_path / "fusetrack" / "fusetrack.conf").read_text()
    assert Settings(Path(done.stdout.strip())).theme == "dark"


def test_what_cannot_be_read_is_not_written_over(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that takes files one could be put over it all the same."""
    first = SettingsFile(path)
    first.set("a", "1")
    first.sync()
    whole = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refused)
        other = SettingsFile(path)
        other.set("b", "2")
        other.sync()
    assert other.trouble == f"{path} cannot be read: Permission denied"
    assert path.read_bytes() == whole
    other.sync()
    assert other.trouble == ""
    assert {name: other.value(name) for name in other.names()} == {"a": "1", "b": "2"}


def refused(_: Path) -> bytes:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_of_two_windows_that_take_over_what_was_before_the_newest_word_counts(path: Path) -> None:
    one, other = (SettingsFile(path, {"recent": ["old"], "theme": "light"}) for _ in range(2))
    one.set("recent", ["new", "old"])
    one.sync()
    other.set("folder", "x")
    other.sync()
    again = SettingsFile(path)
    assert {name: again.value(name) for name in again.names()} == {
        "recent": ["new", "old"], "theme": "light", "folder": "x"}  # fmt: skip


def test_an_empty_list_of_before_is_none(tmp_path: Path) -> None:
    """Qt keeps it as nothing valid."""
    (tmp_path / "fusetrack").mkdir()
    (tmp_path / "fusetrack" / "fusetrack.conf").write_text("[General]\nrecent=@Invalid()\ntheme=light\n")
    code = ("import os; os.environ['QT_QPA_PLATFORM'] = 'offscreen'\nfrom app.gui.settings import Settings\n"
            "made = Settings()\nprint(made.recent, made.theme)")  # fmt: skip
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                           env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path)})  # fmt: skip
    assert found.stdout.split("\n")[0] == "[] light"
