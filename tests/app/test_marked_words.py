from __future__ import annotations

import pytest

from app.marked_words import marked


def test_marks_are_left_out_where_no_terminal_reads_and_brackets_of_others_are_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    say, safe = marked()
    say(f"[bold]no tracks[/]: [yellow]hint[/] {safe('take [bold] [0, 3] :smile:')}[dim]![/dim]")
    assert capsys.readouterr().out == "no tracks: hint take [bold] [0, 3] :smile:!\n"


def test_a_terminal_shows_them(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    say, safe = marked()
    say(f"[bold]tracks[/] {safe('[bold]')}")
    assert capsys.readouterr().out == "\x1b[1mtracks\x1b[0m [bold]\n"
