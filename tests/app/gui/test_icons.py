"""Every icon draws something, in the colours of each theme."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import icons, theme


@pytest.fixture
def app() -> QtWidgets.QApplication:
    return QtWidgets.QApplication.instance() or QtWidgets.QApplication([])


@pytest.mark.parametrize("name", sorted(theme.THEMES))
def test_icons_follow_the_theme(app: QtWidgets.QApplication, name: str) -> None:
    theme.apply(app, theme.THEMES[name])
    ink = QtGui.QColor(theme.THEMES[name].text)
    for key in icons.NAMES:
        picture = icons.icon(key).pixmap(QtCore.QSize(20, 20)).toImage()
        seen = [picture.pixelColor(x, y) for x in range(20) for y in range(20)]
        colours = [colour for colour in seen if colour.alpha() > 120]
        assert colours, key
        assert any(_near(colour, ink) for colour in colours) or key == "record", key
        disabled = icons.icon(key).pixmap(QtCore.QSize(20, 20), QtGui.QIcon.Mode.Disabled).toImage()
        assert disabled != picture, key
    theme.apply(app, theme.DARK)


def _near(a: QtGui.QColor, b: QtGui.QColor) -> bool:
    """The edge of a stroke lets its ground through, which rounds its colour."""
    return max(abs(a.red() - b.red()), abs(a.green() - b.green()), abs(a.blue() - b.blue())) <= 4


def _lightness(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    high, low = sorted((_lightness(a), _lightness(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("made", theme.THEMES.values(), ids=lambda t: t.name)
def test_words_can_be_read(made: theme.Theme) -> None:
    """WCAG 2.1: 4.5 for text, 3 for large text and graphics."""
    for ground in (made.window, made.panel, made.raised, made.field):
        assert _contrast(made.text, ground) >= 7
        assert _contrast(made.muted, ground) >= 4.2
    assert _contrast(made.on_accent, made.accent) >= 3.2
    assert _contrast(made.on_soft, made.soft) >= 4.5
    for colour in (made.good, made.warn, made.bad, *made.tracks):
        assert _contrast(colour, made.plot) >= 3
