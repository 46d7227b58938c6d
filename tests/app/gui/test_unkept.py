"""A home that cannot be written: nothing that a window remembers is lost without a word."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine.link import EngineLink
from app.gui.settings_file import SettingsFile
from kernels.errors import InputError
from pipelines.definition import load
from tests.app.gui.conftest import Desk


@pytest.fixture
def blocked(desk: Desk, tmp_path: Path) -> Iterator[Path]:
    """A window whose settings lie below a file, so that nobody can write them; without that file all is well."""
    stone = tmp_path / "home"
    stone.touch()
    desk.window.settings._kept = SettingsFile(stone / "settings.json")
    yield stone
    desk.window.leaving._lost = True


def warnings(desk: Desk) -> list[str]:
    return [one.sentence for one in desk.bench.messages if one.level is Level.WARNING]


def test_the_window_says_once_that_nothing_is_remembered_and_when_it_is_again(desk: Desk, blocked: Path) -> None:
    desk.open()
    desk.window.unsaved.keep()
    (said,) = warnings(desk)
    assert "nothing is remembered for the next start" in said
    assert str(blocked) in said
    strip = desk.window.strips["unkept"]
    assert "unless you save it" in strip.label.text()
    desk.bench.editor.set_param("bright", "level", 0.07)
    desk.window.unsaved.keep()
    assert len(warnings(desk)) == 1
    strip.buttons["Try again"].click()
    assert "unkept" in desk.window.strips
    blocked.unlink()
    strip.buttons["Try again"].click()
    assert "unkept" not in desk.window.strips
    assert "written again" in desk.bench.messages[-1].sentence
    again = SettingsFile(blocked / "settings.json")
    assert any("level = 0.07" in str(again.value(name)) for name in again.names())


def test_a_window_that_would_lose_a_pipeline_asks_before_it_closes(
    desk: Desk, blocked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.open()
    desk.bench.editor.set_param("bright", "level", 0.07)
    desk.window.close()
    assert desk.window.isVisible()
    strip = desk.window.strips["lost"]
    assert "<b>blobs</b> are in no file and cannot be kept" in strip.label.text()
    strip.buttons["Stay"].click()
    assert "lost" not in desk.window.strips
    desk.window.close()
    monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine.toml"), ""))
    desk.window.strips["lost"].buttons["Save…"].click()
    assert load(tmp_path / "mine.toml").nodes == desk.bench.pipeline.nodes
    desk.window.close()
    assert not desk.window.isVisible()


def test_a_window_without_changes_closes_and_tells_the_terminal(
    desk: Desk, blocked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.open()
    desk.window.close()
    assert not desk.window.isVisible()
    said = capsys.readouterr().err
    assert "layout" in said
    assert str(blocked) in said


def test_what_is_closed_all_the_same_lies_in_a_folder_for_temporary_files(
    desk: Desk, blocked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    desk.open()
    desk.bench.editor.set_param("bright", "level", 0.07)
    desk.window.close()
    desk.window.strips["lost"].buttons["Close all the same"].click()
    assert not desk.window.isVisible()
    (found,) = (tmp_path / "tmp").glob("*/blobs.toml")
    assert load(found).nodes == desk.bench.pipeline.nodes
    assert str(found) in capsys.readouterr().err


def test_a_machine_without_a_folder_for_temporary_files_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(InputError, match="TMPDIR"):
        EngineLink()


def test_a_window_whose_terminal_is_gone_closes(desk: Desk, blocked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def write(self, _: str) -> int:
            raise OSError("Input/output error")

    for stream in (Gone(), None):  # programs without a console have none under Windows
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            desk.window.unsaved.last_words()
    assert blocked.is_file()
