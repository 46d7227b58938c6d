"""All that can be done from menus, the tool bar and the keyboard: one table, from which all three are made, and the
help sheet and the tests too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.icons import icon

MENUS = {"File": "&File", "Edit": "&Edit", "View": "&View", "Playback": "&Playback", "Pipeline": "P&ipeline",
         "Tracks": "&Tracks", "Labels": "&Labels", "Record": "&Record", "Help": "&Help"}  # fmt: skip
"""The menus, with the letters that open them."""

MOST = 44
"""Letters of what an action says it would do."""


@dataclass(frozen=True)
class Action:
    """One thing that can be done.

    Args:
        name: unique, such as "play".
        menu: one of MENUS; `sub` is a menu in it, "" for none.
        text: as it is in the menu.
        run: what it does; of a checkable one, called with whether it is checked.
        shortcut: as Qt writes keys, several separated by "; ".
        icon: a name of `app.gui.icons`, "" for none.
        tip: one sentence more than the text says.
        bar: whether it is in the tool bar; `word` is what it is called there, "" for its icon alone; `end` puts it
            at the right end.
        checkable: whether it is on or off; `checked` says which, `enabled` whether it makes sense now.
        says: what is added to the text now, behind `joint`, such as "delete track 5"; asked whenever something may have
            changed.
        group: actions of one group are together, with a line between groups.
    """

    name: str
    menu: str
    text: str
    run: Callable[..., object]
    shortcut: str = ""
    icon: str = ""
    tip: str = ""
    bar: bool = False
    word: str = ""
    end: bool = False
    checkable: bool = False
    checked: Callable[[], bool] | None = None
    enabled: Callable[[], bool] | None = None
    says: Callable[[], str] | None = None
    joint: str = ": "
    sub: str = ""
    group: int = 0

    @property
    def keys(self) -> tuple[str, ...]:
        """The shortcuts, one by one."""
        return tuple(part for part in self.shortcut.split("; ") if part)


class Actions(QtCore.QObject):  # type: ignore[misc]
    """The Qt actions of a table.

    Args:
        parent: the window; shortcuts hold in all of it.
        table: the actions.
        guard: called with what an action runs; turns errors into messages.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, table: Iterable[Action], guard: Callable[[Callable[[], object]], None]
    ) -> None:
        super().__init__(parent)
        self.table = {action.name: action for action in table}
        self._guard = guard
        self.made: dict[str, QtWidgets.QAction] = {}
        for action in self.table.values():
            self.made[action.name] = made = QtWidgets.QAction(action.text, parent)
            made.setObjectName(action.name)
            made.setCheckable(action.checkable)
            made.setShortcuts([QtGui.QKeySequence(key) for key in action.keys])
            made.setToolTip(_tip(action))
            made.setStatusTip(action.tip)
            made.triggered.connect(lambda checked, action=action: self._run(action, checked))
            parent.addAction(made)
        self.recolour()

    def _run(self, action: Action, checked: bool) -> None:
        self._guard((lambda: action.run(checked)) if action.checkable else action.run)
        self.refresh()

    def refresh(self) -> None:
        """Look again at what is enabled and checked."""
        for name, action in self.table.items():
            made = self.made[name]
            if action.says is not None:
                words = action.says()
                made.setText(f"{action.text}{action.joint}{_cut(words)}" if words else action.text)
                made.setToolTip(_tip(action, words))
            if action.enabled is not None:
                made.setEnabled(action.enabled())
            if action.checked is not None and made.isChecked() != action.checked():
                made.setChecked(action.checked())

    def recolour(self) -> None:
        """Draw the icons in the colours of the theme."""
        for name, action in self.table.items():
            if action.icon:
                self.made[name].setIcon(icon(action.icon))

    def fill_menus(self, bar: QtWidgets.QMenuBar) -> dict[str, QtWidgets.QMenu]:
        """The menus, by name."""
        menus = {}
        for title in MENUS:
            members = [action for action in self.table.values() if action.menu == title]
            if not members:
                continue
            menus[title] = menu = bar.addMenu(MENUS[title])
            inner: dict[str, QtWidgets.QMenu] = {}
            for before, action in zip([members[0], *members], members, strict=False):
                if before.group != action.group:
                    menu.addSeparator()
                if action.sub and action.sub not in inner:
                    inner[action.sub] = menu.addMenu(action.sub)
                inner.get(action.sub, menu).addAction(self.made[action.name])
        return menus

    def fill_bar(self, bar: QtWidgets.QToolBar) -> None:
        """The tool bar."""
        members = sorted((action for action in self.table.values() if action.bar), key=lambda action: action.end)
        for before, action in zip([members[0], *members], members, strict=False):
            if action.end and not before.end:
                room = QtWidgets.QWidget()
                room.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Preferred)
                bar.addWidget(room)
            elif (before.menu, before.group) != (action.menu, action.group) and not action.end:
                bar.addSeparator()
            bar.addAction(self.made[action.name])
            if action.word:
                self.made[action.name].setIconText(action.word)
                button = bar.widgetForAction(self.made[action.name])
                button.setToolButtonStyle(QtCore.Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


def _tip(action: Action, words: str = "") -> str:
    """What it is called, what it would do now, its keys, and a sentence more."""
    keys = ", ".join(QtGui.QKeySequence(key).toString(QtGui.QKeySequence.SequenceFormat.NativeText)
                     for key in action.keys)  # fmt: skip
    plain = action.text.replace("&", "").removesuffix("…") + (f": {words}" if words else "")
    return f"{plain}{f'  ({keys})' if keys else ''}" + (f"\n{action.tip}" if action.tip else "")


def _cut(words: str) -> str:
    """No longer than a menu is wide; an & would be the letter of a key."""
    return (words if len(words) <= MOST else f"{words[: MOST - 1]}…").replace("&", "&&")
