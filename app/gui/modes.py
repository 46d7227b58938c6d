"""How much of the screen the window takes: its size at the first start, the full screen, the video alone."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

SMALL = (1280, 800)
SHARE = 0.85
"""Of a screen that has more room than `SMALL` needs, the window takes so much at the first start."""


def first_size(free: QtCore.QSize) -> QtCore.QSize:
    """A size that suits a screen with so much room: all of a small screen, a good part of a large one.

    Args:
        free: in the units of widgets, without task bars.
    """

    def side(room: int, small: int) -> int:
        return room if room <= small else max(small, min(int(SHARE * room), 2 * small))

    return QtCore.QSize(side(free.width(), SMALL[0]), side(free.height(), SMALL[1]))


def dock_sizes(window: QtCore.QSize) -> tuple[int, int, int]:
    """What docks take of a window by default: the widths at the left and at the right, and the height below; of a
    large window more than of a small one, so that plots can be read and words are not cut."""
    wide, high = window.width(), window.height()
    return min(max(250, round(0.13 * wide)), 320), min(max(372, round(0.18 * wide)), 460), max(240, round(0.28 * high))


class Modes:
    """Switches between the modes.

    Args:
        window: the window; its docks and bars are hidden and come back.
        version: of its layout.
    """

    def __init__(self, window: QtWidgets.QMainWindow, version: int) -> None:
        self._window, self._version = window, version
        self._before: QtCore.QByteArray | None = None
        self._bars: list[QtWidgets.QWidget] = []

    @property
    def full(self) -> bool:
        """Whether the window takes the whole screen."""
        return bool(self._window.isFullScreen())

    @property
    def alone(self) -> bool:
        """Whether the video is alone."""
        return self._before is not None

    @property
    def layout(self) -> QtCore.QByteArray:
        """The docks as they are, or as they come back."""
        return self._before if self._before is not None else self._window.saveState(self._version)

    def set_full(self, full: bool) -> None:
        """Take the whole screen, or leave it."""
        states = QtCore.Qt.WindowState
        now = self._window.windowState()
        self._window.setWindowState((now | states.WindowFullScreen) if full else (now & ~states.WindowFullScreen))

    def set_alone(self, alone: bool) -> None:
        """Hide everything but the video and the row below it, or show it again."""
        if alone == self.alone:
            return
        window = self._window
        if not alone:
            before, self._before = self._before, None
            for bar in self._bars:
                bar.show()
            window.restoreState(before, self._version)
            return
        self._before = window.saveState(self._version)
        bars = [window.menuBar(), window.statusBar(), *window.findChildren(QtWidgets.QToolBar, options=_DIRECT)]
        self._bars = [bar for bar in bars if not bar.isHidden()]
        for part in (*self._bars, *window.findChildren(QtWidgets.QDockWidget, options=_DIRECT)):
            part.hide()


_DIRECT = QtCore.Qt.FindChildOption.FindDirectChildrenOnly
