"""A window whose panels lie in docks; where they lie is remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme
from app.gui.dock import PANELS, Dock, key_of, name_tabs
from app.gui.focus import by_tab_alone
from app.gui.modes import dock_sizes
from app.gui.settings import Settings

LAYOUT = 1
"""Rises when the docks differ so much that a layout that was saved makes no sense any more."""
_ACROSS, _DOWN = QtCore.Qt.Orientation.Horizontal, QtCore.Qt.Orientation.Vertical


class Panels(Mapping[str, QtWidgets.QWidget]):
    """Panels by name. Plots and lists of choices are dear to make, and most panels lie behind others at the start: one
    that was added as a function is made when it is asked for, or first seen.

    Attributes:
        made: those that are there.
    """

    def __init__(self) -> None:
        self.made: dict[str, QtWidgets.QWidget] = {}
        self._makers: dict[str, Callable[[], QtWidgets.QWidget]] = {}

    def add(self, name: str, make: Callable[[], QtWidgets.QWidget]) -> None:
        """One more, that is not there yet."""
        self._makers[name] = make

    def __getitem__(self, name: str) -> QtWidgets.QWidget:
        if name in self._makers:
            self.made[name] = self._makers.pop(name)()
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*self.made, *self._makers))

    def __len__(self) -> int:
        return len(self.made) + len(self._makers)


class _Room(QtWidgets.QWidget):  # type: ignore[misc]
    """What lies in a dock whose panel is not there yet.

    Args:
        seen: called when it is first drawn: docks behind others are not hidden by Qt, but never drawn.
    """

    def __init__(self, seen: Callable[[], object]) -> None:
        super().__init__()
        self._seen = seen

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
        """Have the panel made after this drawing."""
        del event
        # Not within paintEvent: Qt allows no change of widgets while it draws.
        QtCore.QTimer.singleShot(0, self._make)

    def _make(self) -> None:
        self._seen()


class DockedWindow(QtWidgets.QMainWindow):  # type: ignore[misc]
    """See the module.

    Args:
        settings: remember the layout.

    Attributes:
        panels: what lies in the docks. docks: these, by name.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        theme.dress(self)
        self.settings = settings
        self.setDockNestingEnabled(True)
        self.panels = Panels()
        self.docks: dict[str, QtWidgets.QDockWidget] = {}
        self._default = QtCore.QByteArray()
        self._naming = QtCore.QTimer(self)  # once for all that come and go together
        self._naming.setSingleShot(True)
        self._naming.setInterval(0)
        self._naming.timeout.connect(lambda: self.named())

    def add_panel(
        self, name: str, title: str, panel: QtWidgets.QWidget | Callable[[], QtWidgets.QWidget],
        side: QtCore.Qt.DockWidgetArea, beside: str = "",
    ) -> None:  # fmt: skip
        """Put a panel into a dock.

        Args:
            name: its name. title: what is written over it.
            panel: it, or what makes it; it is made when it is asked for, or first seen.
            side: where the dock lies. beside: the dock on which it is a tab; "" for none.
        """
        dock = self.docks[name] = Dock(title, self)
        dock.setObjectName(name)
        dock.setToolTip(f"{title}  ({key_of(name)})\n{PANELS[name]}")
        dock.visibilityChanged.connect(lambda _: self._naming.start())
        self.addDockWidget(side, dock)
        if beside:
            self.tabifyDockWidget(self.docks[beside], dock)
        if isinstance(panel, QtWidgets.QWidget):
            self.panels.made[name] = panel
            self._lay_in(name, panel)
        else:
            make = panel
            self.panels.add(name, lambda: self._lay_in(name, make()))
            dock.setWidget(_Room(lambda: self.panels[name]))

    def _lay_in(self, name: str, panel: QtWidgets.QWidget) -> QtWidgets.QWidget:
        """Put a panel, which is returned, into its dock, in place of the room that was kept for it."""
        dock = self.docks[name]
        room = dock.widget()
        if room is not None:
            by_tab_alone(panel)
            room.deleteLater()
        dock.setWidget(panel)
        redraw = getattr(panel, "redraw", None)
        if redraw is not None:  # panels do not draw while they are hidden
            dock.visibilityChanged.connect(lambda seen: QtCore.QTimer.singleShot(0, redraw) if seen else None)
            if room is not None and dock.isVisible():
                QtCore.QTimer.singleShot(0, redraw)
        return panel

    def childEvent(self, event: QtCore.QChildEvent) -> None:  # noqa: N802
        """Have what comes into the window later (dialogs, bars of tabs) wear the theme before it is first seen."""
        super().childEvent(event)
        if event.polished() and isinstance(event.child(), QtWidgets.QWidget) and self.property("dressed"):
            theme.dress_part(event.child())

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab goes to what can be seen: Qt takes docks behind others for visible, where Space would press a button that
        is hidden."""
        # The first hidden one that is met again ends the search: then all are hidden.
        first: QtWidgets.QWidget | None = None
        while super().focusNextPrevChild(forward):
            now = self.focusWidget()
            if now is None or now is first or not _behind(now):
                return True
            first = first or now
        return False

    def named(self) -> None:
        """Panels came to the front or went."""
        name_tabs(self)

    def turn_panel(self, name: str) -> None:
        """Bring a panel to the front; hide it if it is there."""
        if self.docks[name].visibleRegion().isEmpty():
            self.show_panel(name)
        else:
            self.docks[name].hide()

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front."""
        self.panels[name]  # at once, so that the empty room for it is never seen
        self.docks[name].show()
        self.docks[name].raise_()

    def begin_layout(self) -> None:
        """Once all panels are there: the layout of last time, or the first one."""
        # The layout of the first start is kept before last time's is put over it.
        self._proportion()
        self._default = self.saveState(LAYOUT)
        geometry, state = self.settings.bytes("geometry"), self.settings.bytes("layout")
        if geometry is not None:
            self.restoreGeometry(geometry)
            self._keep_in_sight()
        if state is not None:
            self.restoreState(state, LAYOUT)

    def _keep_in_sight(self) -> None:
        """Within the screen: last time's may have been larger. What fills a screen fills this one."""
        if not self.isMaximized() and not self.isFullScreen():
            free = self.screen().availableGeometry()
            self.resize(self.size().boundedTo(free.size()))
            room = free.size() - self.size()
            at = self.pos() - free.topLeft()
            self.move(
                free.left() + min(max(at.x(), 0), max(room.width(), 0)),
                free.top() + min(max(at.y(), 0), max(room.height(), 0)),
            )

    def keep_layout(self) -> None:
        """Remember it."""
        self.settings.set_bytes("geometry", self.saveGeometry())
        self.settings.set_bytes("layout", self.saveState(LAYOUT))

    def default_layout(self) -> None:
        """All docks where they were at the first start."""
        self.restoreState(self._default, LAYOUT)
        self._proportion()

    def _proportion(self) -> None:
        """Give the docks what suits the size of the window."""
        left, right, below = dock_sizes(self.size())
        self.resizeDocks([self.docks["pipeline"], self.docks["parameters"]], [left, right], _ACROSS)
        self.resizeDocks([self.docks["traces"]], [below], _DOWN)


def _behind(widget: QtWidgets.QWidget) -> bool:
    """Whether it lies in a dock behind another one."""
    above: QtWidgets.QWidget | None = widget
    while above is not None and not isinstance(above, QtWidgets.QDockWidget):
        above = above.parentWidget()
    return above is not None and not above.isFloating() and above.visibleRegion().isEmpty()
