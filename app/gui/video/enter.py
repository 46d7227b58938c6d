"""Enter belongs to the field that is being typed into, or to the list that is open, before it finishes a tool.

Qt offers a key to the shortcuts of the window first, unless the widget with the focus claims it; fields for numbers and
the lists of combo boxes do not claim Enter.
"""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

_ENTER = (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter)
_FIELDS = (QtWidgets.QLineEdit, QtWidgets.QAbstractSpinBox)


class EnterStays(QtCore.QObject):  # type: ignore[misc]
    """Claims Enter for whichever field or open list of the program has the focus.

    Args:
        parent: what it lives as long as.
    """

    def __init__(self, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        app = QtWidgets.QApplication.instance()
        assert app is not None
        app.focusChanged.connect(self._moved)

    def _moved(self, old: QtWidgets.QWidget | None, new: QtWidgets.QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if new is not None and (isinstance(new, _FIELDS) or _in_popup(new)):
            new.installEventFilter(self)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Claim it."""
        del watched
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and event.key() in _ENTER and not (
            event.modifiers() & ~QtCore.Qt.KeyboardModifier.KeypadModifier
        ):
            event.accept()  # and no more: the list of a combo box chooses and closes at this event
        return False


def _in_popup(widget: QtWidgets.QWidget) -> bool:
    return bool(widget.window().windowFlags() & QtCore.Qt.WindowType.Popup == QtCore.Qt.WindowType.Popup)
