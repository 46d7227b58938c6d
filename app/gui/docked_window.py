"""A window whose panels lie in docks; where they lie is remembered."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui import theme
from app.gui.dock import PANELS, Dock, key_of, name_tabs
from app.gui.modes import dock_sizes
from app.gui.settings import Settings

LAYOUT = 1
"""Rises when the docks differ so much that a layout that was saved makes no sense any more."""
_ACROSS, _DOWN = QtCore.Qt.Orientation.Horizontal, QtCore.Qt.Orientation.Vertical


class DockedWindow(QtWidgets.QMainWindow):  # type: ignore[misc]
    """See the module.

    Args:
        settings: remember the layout.

    Attributes:
        panels: what lies in the docks, by name. docks: these.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.setDockNestingEnabled(True)
        self.panels: dict[str, QtWidgets.QWidget] = {}
        self.docks: dict[str, QtWidgets.QDockWidget] = {}
        self._default = QtCore.QByteArray()

    def add_panel(
        self, name: str, title: str, panel: QtWidgets.QWidget, side: QtCore.Qt.DockWidgetArea, beside: str = ""
    ) -> None:
        """Put a panel into a dock; as a tab on the dock `beside`, where that is given."""
        dock = Dock(title, self)
        dock.setObjectName(name)
        dock.setToolTip(f"{title}  ({key_of(name)})\n{PANELS[name]}")
        dock.visibilityChanged.connect(lambda _: QtCore.QTimer.singleShot(0, self.named))
        dock.setWidget(panel)
        self.addDockWidget(side, dock)
        if beside:
            self.tabifyDockWidget(self.docks[beside], dock)
        self.panels[name], self.docks[name] = panel, dock
        redraw = getattr(panel, "redraw", None)
        if redraw is not None:  # panels do not draw while nobody sees them
            dock.visibilityChanged.connect(lambda seen: QtCore.QTimer.singleShot(0, redraw) if seen else None)

    def childEvent(self, event: QtCore.QChildEvent) -> None:  # noqa: N802
        """Have what comes into the window later (dialogs, bars of tabs) wear the theme before it is first seen."""
        super().childEvent(event)
        if event.polished() and isinstance(event.child(), QtWidgets.QWidget) and self.property("dressed"):
            theme.dress_part(event.child())

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab goes to what can be seen: Qt takes docks behind others for visible, where Space would press a button that
        nobody sees."""
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
        self.docks[name].show()
        self.docks[name].raise_()

    def begin_layout(self) -> None:
        """Once all panels are there: the layout of last time, or the first one."""
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
