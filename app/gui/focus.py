"""Keys and the widgets that have the focus: a field takes what can be typed into it, everything else is a shortcut.

Qt offers each key to the widget with the focus first, and a field for numbers takes all of them, though it can use
digits alone: after a number was typed, Space would no longer play. A letter is no command there either, or a word that
is typed into the wrong field would do a dozen things: it is refused by the field. Enter and Escape give the keys back
to the video, and so does whatever has the focus and goes: a field of a tool that ends, a button that hides itself, a
dialog. Qt would hand them to the next field of the window, in which one press of Down may choose another pipeline.
What was reached with Tab has the keys that work it: Space presses a button, arrows move a slider.
"""

from __future__ import annotations

from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets, isQObjectAlive

_BUTTONS = (QtWidgets.QAbstractButton, QtWidgets.QComboBox, QtWidgets.QAbstractSlider)
_KEYS = QtCore.Qt.Key
_OWN = {
    QtWidgets.QAbstractButton: (_KEYS.Key_Space,),
    QtWidgets.QComboBox: (_KEYS.Key_Up, _KEYS.Key_Down),
    QtWidgets.QAbstractSlider: (_KEYS.Key_Left, _KEYS.Key_Right, _KEYS.Key_Up, _KEYS.Key_Down, _KEYS.Key_Home,
                                _KEYS.Key_End, _KEYS.Key_PageUp, _KEYS.Key_PageDown),
}  # fmt: skip
"""Keys that work what was reached with Tab, though they have another meaning in the window."""
NUMBER = frozenset("0123456789.,+-eE%")


def by_tab_alone(root: QtWidgets.QWidget) -> None:
    """Have buttons, sliders and choices below a widget take the focus from Tab, not from a click: after a click Space
    plays, as it does before."""
    for widget in root.findChildren(_BUTTONS):
        if widget.focusPolicy() & QtCore.Qt.FocusPolicy.TabFocus:
            widget.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)


class Focus(QtCore.QObject):  # type: ignore[misc]
    """Looks at the keys that go to whichever widget of the window has the focus.

    Args:
        window: whose fields.
        home: gets the focus back.
    """

    def __init__(self, window: QtWidgets.QWidget, home: Callable[[], QtWidgets.QWidget]) -> None:
        super().__init__(window)
        self._window, self._home = window, home
        self._before: QtWidgets.QWidget | None = None  # what had the focus when a list of choices opened
        app = QtWidgets.QApplication.instance()
        assert app is not None
        app.focusChanged.connect(self._moved)  # not a filter of the program: that would be called for every event

    def _moved(self, old: QtWidgets.QWidget | None, new: QtWidgets.QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        listed = old is not None and isQObjectAlive(old) and _in_list(old)
        if new is not None and _in_list(new) and not listed:
            self._before = old
        if new is not None and new.window() is self._window:
            new.installEventFilter(self)
            # A list that was opened with the mouse gives the keys back, one that was reached with Tab keeps them.
            clicked = listed and isinstance(new, QtWidgets.QComboBox) and self._before is not new
            if clicked or (old is not None and _gone(old, self._window)):
                # After Qt is done with moving it.
                QtCore.QTimer.singleShot(0, lambda: self._home().setFocus() if _same(new) else None)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Letters that are typed into fields are no commands; Enter and Escape end typing."""
        kind = event.type()
        if kind not in (QtCore.QEvent.Type.ShortcutOverride, QtCore.QEvent.Type.KeyPress):
            return False
        if not isinstance(watched, QtWidgets.QWidget):
            return False
        if kind == QtCore.QEvent.Type.ShortcutOverride:
            if _typed(watched) and event.key() == QtCore.Qt.Key.Key_Escape:  # it leaves the field before all else
                event.accept()
                return True
            if not event.modifiers() and any(isinstance(watched, k) and event.key() in v for k, v in _OWN.items()):
                event.accept()
                return True
            if _number(watched) and event.key() == QtCore.Qt.Key.Key_Space and not event.modifiers():
                event.ignore()  # it plays
                return True
            if _number(watched) and _no_number(event):
                event.accept()  # the field's own, which refuses it
                return True
            return False
        keys = QtCore.Qt.Key
        if event.key() in (keys.Key_Return, keys.Key_Enter, keys.Key_Escape) and _typed(watched):
            # After the field itself has had the key.
            QtCore.QTimer.singleShot(0, lambda: self._home().setFocus() if _same(watched) else None)
        return False


def _in_list(widget: QtWidgets.QWidget) -> bool:
    """Whether it is in a list of choices that is open."""
    return bool(widget.window().windowType() == QtCore.Qt.WindowType.Popup)


def _gone(widget: QtWidgets.QWidget, window: QtWidgets.QWidget) -> bool:
    """Whether a widget of the window, or of a dialog of its own, lost the focus because it hides or can no longer be
    used; lists of choices come and go with the field that opened them."""
    if not isQObjectAlive(widget):
        return True
    if widget.window() is window:
        return not (widget.isVisible() and widget.isEnabled())
    return isinstance(widget.window(), QtWidgets.QDialog) and not widget.isVisible()


def _same(widget: QtWidgets.QWidget) -> bool:
    now = QtWidgets.QApplication.focusWidget()
    return now is not None and (now is widget or now is widget.parent() or widget is now.parent())


def _number(widget: QtWidgets.QWidget) -> bool:
    return isinstance(widget, QtWidgets.QAbstractSpinBox) or isinstance(widget.parent(), QtWidgets.QAbstractSpinBox)


def _typed(widget: QtWidgets.QWidget) -> bool:
    return _number(widget) or isinstance(widget, QtWidgets.QLineEdit)


def _no_number(event: QtGui.QKeyEvent) -> bool:
    """Whether a key types something that no number has."""
    flags = QtCore.Qt.KeyboardModifier
    modifiers = event.modifiers() & ~(flags.ShiftModifier | flags.KeypadModifier)
    text = event.text()
    return not modifiers and bool(text) and text.isprintable() and text not in NUMBER
