"""A small field over the timeline in which an event is named: typed, or chosen by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

_WIDE = 220


class Namer(QtWidgets.QFrame):  # type: ignore[misc]
    """Asks for one name at a time; Enter takes it, Esc and a click elsewhere leave it.

    Args:
        parent: the window.

    Attributes:
        field: the name. choices: buttons of names, in the order of their numbers.
    """

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent, QtCore.Qt.WindowType.Popup)
        self.setFrameShape(QtWidgets.QFrame.Shape.StyledPanel)
        self._done: Callable[[str], object] = lambda _: None
        self._names: Sequence[str] = ()
        self.choices: list[QtWidgets.QToolButton] = []
        self.words = QtWidgets.QLabel()
        self.field = QtWidgets.QLineEdit()
        self.field.setMinimumWidth(_WIDE)
        self.field.setToolTip("Enter marks, Esc leaves it; a number takes the name behind it, unless you have begun to "
                              "type")  # fmt: skip
        self.field.returnPressed.connect(lambda: self.take(self.field.text()))
        self.field.installEventFilter(self)
        self._column = QtWidgets.QVBoxLayout(self)
        self._column.setContentsMargins(8, 6, 8, 8)
        self._column.setSpacing(2)
        self._column.addWidget(self.words)
        self._column.addWidget(self.field)

    def ask(
        self, words: str, proposed: str, names: Sequence[str], at: QtCore.QPoint, done: Callable[[str], object]
    ) -> None:
        """Ask for a name.

        Args:
            words: what is named.
            proposed: is in the field, selected.
            names: used before; the first nine have a number.
            at: where the middle of the lower edge is to be, on the screen.
            done: called with the name, if there is one.
        """
        self._done, self._names = done, names[:9]
        self.words.setText(words)
        for button in self.choices:
            self._column.removeWidget(button)
            button.deleteLater()
        self.choices = []
        for k, name in enumerate(self._names, 1):
            button = QtWidgets.QToolButton()
            button.setText(f"{k}   {name}".replace("&", "&&"))
            button.setToolTip(f"Mark as {name}  ({k})")
            button.setAutoRaise(True)
            button.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, name=name: self.take(name))
            self._column.addWidget(button)
            self.choices.append(button)
        self.field.setText(proposed)
        self.field.selectAll()
        self.adjustSize()
        screen = QtWidgets.QApplication.screenAt(at) or QtWidgets.QApplication.primaryScreen()
        room, size = screen.availableGeometry(), self.sizeHint()
        x = min(max(at.x() - size.width() // 2, room.left()), room.right() - size.width())
        self.move(x, max(at.y() - size.height(), room.top()))
        self.show()
        self.field.setFocus(QtCore.Qt.FocusReason.PopupFocusReason)

    def take(self, name: str) -> None:
        """It is called so."""
        self.close()
        self._done(name)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """A number chooses a name as long as nothing was typed."""
        if event.type() != QtCore.QEvent.Type.KeyPress or watched is not self.field:
            return False
        assert isinstance(event, QtGui.QKeyEvent)
        number = event.text()
        untouched = self.field.selectedText() == self.field.text()
        if untouched and number.isdecimal() and 1 <= int(number) <= len(self._names):
            self.take(self._names[int(number) - 1])
            return True
        return False
