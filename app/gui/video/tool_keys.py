"""Keys that a tool takes before the window's shortcuts do, while the video has the focus."""

from __future__ import annotations

from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui.video.tools import Tool


class ToolKeys(QtCore.QObject):  # type: ignore[misc]
    """Offers keys to the tool in hand.

    Args:
        video: what has the focus then.
        tool: the one in hand.
        taken: called after a key that it took.
    """

    def __init__(self, video: QtWidgets.QWidget, tool: Callable[[], Tool], taken: Callable[[], object]) -> None:
        super().__init__(video)
        self._tool, self._taken = tool, taken
        video.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Claim them from the shortcuts, and do what they do."""
        del watched
        kinds = QtCore.QEvent.Type
        if event.type() not in (kinds.ShortcutOverride, kinds.KeyPress):
            return False
        tool = self._tool()
        if not tool.takes(event.key(), event.modifiers()):
            return False
        event.accept()
        if event.type() == kinds.KeyPress:
            tool.press(event.key(), event.modifiers())
            self._taken()
        return True
