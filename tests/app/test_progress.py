from __future__ import annotations

import io

import pytest

from app.progress import PlainProgress, showing


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_plain_lines_come_every_few_seconds() -> None:
    now = [0.0]
    out = io.StringIO()
    progress = PlainProgress("[clip].mp4", 1000, out, every=5.0, clock=lambda: now[0])
    for _ in range(10):
        now[0] += 1.0
        progress.advance(50, bad=1)
    progress.finish()  # what has just been said is not said again
    lines = [
        "[clip].mp4: 250/1000 frames, 50 fps, 15 s left, 5 unreadable",
        "[clip].mp4: 500/1000 frames, 50 fps, 10 s left, 10 unreadable",
    ]
    assert out.getvalue().splitlines() == lines
    progress.advance(10)
    progress.finish()
    assert out.getvalue().splitlines() == [*lines, "[clip].mp4: 510/1000 frames, 51 fps, 10 s left, 10 unreadable"]


def test_a_pipe_gets_plain_text_and_a_last_line() -> None:
    out = io.StringIO()
    with showing("clip", None, stream=out) as progress:
        progress.advance(3)
    assert out.getvalue().startswith("clip: 3 frames, ")
    assert "\x1b" not in out.getvalue()


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    out = _Terminal()
    with showing("[clip].mp4", 10, stream=out) as progress:
        progress.advance(6)
        progress.advance(4, bad=2)
    text = out.getvalue()
    assert "[clip].mp4" in text
    assert "10/10" in text
    assert "fps" in text
    assert "2 unreadable" in text


def test_an_interrupted_bar_gives_the_cursor_back() -> None:
    out = _Terminal()
    with pytest.raises(KeyboardInterrupt), showing("clip", 10, stream=out):
        raise KeyboardInterrupt
    assert out.getvalue().count("\x1b[?25h") >= out.getvalue().count("\x1b[?25l")


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with showing("clip", 10, quiet=True) as progress:
        progress.advance(10, bad=1)
    assert capsys.readouterr() == ("", "")


def test_a_run_that_fails_at_once_leaves_its_error_alone() -> None:
    out = io.StringIO()
    with pytest.raises(RuntimeError), showing("clip", 10, stream=out):
        raise RuntimeError
    assert out.getvalue() == ""
