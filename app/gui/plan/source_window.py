"""The generated code in a window of its own, as large as one likes."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.plan.source_view import SourceView

SIZE = (1000, 760)
"""Of the window when it is first shown, where the screen is large enough."""


class SourceWindow(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module; Esc closes it.

    Attributes:
        view: the code. closed: a signal: the window was closed.
    """

    closed = QtCore.pyqtSignal()

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        kinds = QtCore.Qt.WindowType
        super().__init__(parent, kinds.Window | kinds.WindowMinMaxButtonsHint | kinds.WindowCloseButtonHint)
        self.setWindowTitle("Generated code")
        self.setSizeGripEnabled(True)
        self.view = SourceView(alone=True)
        column = QtWidgets.QVBoxLayout(self)
        column.setContentsMargins(4, 6, 4, 4)
        column.addWidget(self.view)
        free = QtWidgets.QApplication.primaryScreen().availableSize()
        self.resize(min(SIZE[0], free.width() * 9 // 10), min(SIZE[1], free.height() * 9 // 10))

    def hideEvent(self, event: QtGui.QHideEvent) -> None:  # noqa: N802
        """Closed, by whatever."""
        super().hideEvent(event)
        self.closed.emit()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:  # noqa: N802
        """Return searches on and presses nothing."""
        if event.key() not in (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter):
            super().keyPressEvent(event)
