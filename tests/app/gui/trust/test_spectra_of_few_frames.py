"""The spectrum of points that have been seen in one frame, and of a clip that is another one: what cannot be worked out
is said, and nothing of before stays on show."""

from __future__ import annotations

from pathlib import Path

from PyQt5 import QtWidgets

from app.gui.traces.panel import TracesPanel
from tests.app.gui.trust.user import User


def _traces(user: User) -> TracesPanel:
    panel = user.window.panels["traces"]
    assert isinstance(panel, TracesPanel)
    return panel


def _tab(user: User, bar: QtWidgets.QTabBar, words: str) -> None:
    at = next(k for k in range(bar.count()) if bar.tabText(k) == words)
    user.click(bar, bar.tabRect(at).center())
    assert bar.currentIndex() == at


def test_spectra_come_and_go_with_what_is_known(user: User, clips: dict[str, Path]) -> None:
    traces = _traces(user)
    user.open(clips["beam"])
    user.pipeline("vibration")
    user.stand()
    user.place_points((121.0, 95.0), (309.0, 95.0))
    user.until(lambda: user.bench.compiling is None and len(user.window.video.overlay.rows) == 2, "points are followed")
    user.stand()
    _tab(user, traces.bar.tabs, "Spectrum")
    user.until(lambda: traces.bar.words.text(), "words about the spectrum")
    assert not traces.drawn.spectra
    assert not user.mistakes()
    user.window.grab()  # axes are drawn
    user.play_through()
    # The last of the frames bring the peak's words: on a slow machine, spectra of the first few have no peak yet.
    user.until(lambda: len(traces.drawn.spectra) == 2 and "Hz" in traces.bar.words.text(), "both spectra and a peak")
    user.window.grab()
    old = {id(spectrum) for _, spectrum in traces.drawn.spectra}
    user.open(clips["vortex"])
    user.until(lambda: not old & {id(spectrum) for _, spectrum in traces.drawn.spectra}, "the old spectra go")
    user.window.grab()
    assert not user.mistakes()


def test_an_old_spectrum_goes_with_its_points(user: User, clips: dict[str, Path]) -> None:
    traces = _traces(user)
    user.open(clips["vortex"])
    _tab(user, traces.bar.tabs, "Spectrum")
    user.play_through()
    user.until(lambda: len(traces.drawn.spectra) == 3)
    before = {name for name, _ in traces.drawn.spectra}
    user.stand()
    user.pipeline("vibration")
    user.until(lambda: not traces.drawn.spectra, "spectra of blobs go with them")
    assert before
    user.window.grab()
    assert not user.mistakes()
