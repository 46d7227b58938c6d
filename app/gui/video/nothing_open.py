"""What is shown in place of the video while nothing is open: what to do next, and what was open last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.workbench import Workbench
from app.gui.actions import Actions
from app.gui.compiling_words import compiling_words
from app.gui.icons import icon
from app.gui.start import CAMERA, SCENE

TITLE = "Drop a clip here"
ROW = 30
"""Pixels of a file's row, at least."""
MOST_RECENT = 5
"""Files that are offered; the menu has them all."""
BUTTONS = (("open", "Open a clip or session"), ("camera", "Open a camera"), ("sample", "Try the sample clip"))


class NothingOpen(QtWidgets.QFrame):  # type: ignore[misc]
    """See the module; it covers its parent and lets drops through.

    Args:
        parent: the video.
        bench: the state behind the window.
        actions: of the window; the buttons are theirs.
        recent: what was opened last, newest first.
        open_: opens one of these.

    Attributes:
        buttons: by the action's name. files: by what they open.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, bench: Workbench, actions: Actions, recent: Callable[[], Sequence[str]],
        open_: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self.setObjectName("nothingOpen")
        self._bench, self._actions, self._recent, self._open = bench, actions, recent, open_
        self._listed: tuple[tuple[str, str], ...] = ()
        self.title = QtWidgets.QLabel(TITLE)
        font = self.title.font()
        font.setPointSizeF(1.5 * font.pointSizeF())
        font.setWeight(600)
        self.title.setFont(font)
        self.words = QtWidgets.QLabel("video, high-speed raw files, folders of pictures, a recorded session, a project")
        self.words.setProperty("muted", True)
        self.words.setWordWrap(True)
        for label in (self.title, self.words):
            label.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
        self.buttons: dict[str, QtWidgets.QPushButton] = {}
        self.more = QtWidgets.QWidget()
        self.more.setFixedWidth(340)
        column = QtWidgets.QVBoxLayout(self.more)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.words)
        column.addSpacing(10)
        for name, text in BUTTONS:
            action = actions.made[name]
            keys = action.shortcut().toString()
            button = QtWidgets.QPushButton(f"  {text}" + (f"   {keys}" if keys else ""))
            button.setToolTip(action.toolTip())
            button.setDefault(name == "open")
            button.clicked.connect(lambda _checked, action=action: action.trigger())
            self.buttons[name] = button
            column.addWidget(button)
        self.head = QtWidgets.QLabel("Opened last")
        self.head.setProperty("muted", True)
        column.addSpacing(10)
        column.addWidget(self.head)
        self.files: dict[str, QtWidgets.QToolButton] = {}
        self._list = QtWidgets.QVBoxLayout()
        self._list.setSpacing(0)
        column.addLayout(self._list)
        layout = QtWidgets.QVBoxLayout(self)
        layout.addStretch()
        layout.addWidget(self.title)
        layout.addWidget(self.more, 0, QtCore.Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()
        parent.installEventFilter(self)
        self.themed()
        self.refresh()

    def refresh(self) -> None:
        """Follow what is open, and the list of files."""
        opening, seen = self._bench.opening, self._bench.opened is None
        if seen:
            now = self._bench.compiling
            how_far = "" if now is None else f"\n{compiling_words(now)}"
            self.title.setText(TITLE if opening is None else f"Opening {short(opening.what)} …{how_far}")
            self.more.setVisible(opening is None)
            for name, button in self.buttons.items():
                button.setEnabled(self._actions.made[name].isEnabled())
            self._fill()
            self.head.setVisible(bool(self.files))
            self.setGeometry(self.parentWidget().rect())
            self._room()
            self.raise_()
        self.setVisible(seen)

    def _fill(self) -> None:
        recent = tuple((what, why_not(what)) for what in self._recent()[:MOST_RECENT])
        if recent == self._listed:
            return
        self._listed = recent
        for button in self.files.values():
            self._list.removeWidget(button)
            button.deleteLater()
        self.files = {}
        for what, why in recent:
            button = QtWidgets.QToolButton()
            button.setText(f"{short(what)}  ({why})" if why else short(what))
            button.setToolButtonStyle(QtCore.Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setToolTip(f"{what}\n{why}" if why else what)
            button.setMinimumHeight(ROW)
            button.setEnabled(not why)
            button.clicked.connect(lambda _checked, what=what: self._open(what))
            self.files[what] = button
            self._list.addWidget(button)
        self.themed()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:  # noqa: N802
        """Grow with the video."""
        if event.type() == QtCore.QEvent.Type.Resize and isinstance(watched, QtWidgets.QWidget):
            self.setGeometry(watched.rect())
            self._room()
        return False

    def _room(self) -> None:
        """Offer as many files as have room: none is cut, and neither are the words."""
        self.words.setMinimumHeight(self.words.heightForWidth(self.more.width()))  # which a column does not ask for
        buttons = list(self.files.values())
        for button in buttons:
            button.hide()
        self.head.setVisible(bool(buttons))
        left = self.height() - self.layout().minimumSize().height()
        for k, button in enumerate(buttons):
            button.setMinimumHeight(max(ROW, button.sizeHint().height()))
            left -= button.minimumHeight()
            button.setVisible(left >= 0)
            if not k and left < 0:
                self.head.hide()

    def themed(self) -> None:
        """Take the colours of the theme."""
        for name, button in self.buttons.items():
            if not button.isDefault():  # its ground would need an ink of its own
                button.setIcon(icon({"sample": "play"}.get(name, name)))
        for what, button in self.files.items():
            button.setIcon(icon("camera" if _named(what) else "open"))


def _named(what: str) -> bool:
    """Whether it is a camera or a scene, not a file."""
    return what.startswith((CAMERA, SCENE))


def why_not(what: str) -> str:
    """Why something that was open once cannot be opened, "" where it can."""
    if _named(what):
        return ""
    path = Path(what)
    try:
        path.stat()
    except FileNotFoundError:
        return "no longer there" if path.parent.is_dir() else "its folder is not there"
    except OSError as error:  # a drive that is away, a folder that may not be read
        return (error.strerror or "cannot be read").lower()
    return ""


def short(what: str) -> str:
    """What it is called where there is little room: a file without its folder, a camera without its settings."""
    return what.partition("?")[0] if _named(what) else Path(what).name
