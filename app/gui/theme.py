"""Light and dark: Qt's Fusion style with palettes of our own, and the colours that views draw with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets, isQObjectAlive

from app.desk.tracks.colouring import PALETTE

TRACK_COLOURS = PALETTE


@dataclass(frozen=True, slots=True)
class Theme:
    """Named colours, as "#rrggbb".

    Args:
        name: "dark" or "light".
        window: ground of the window; `panel` of what lies on it; `raised` of buttons and headers; `field` of inputs.
        line: borders and grids.
        text, muted: words; words of less weight.
        accent, on_accent: what is selected or active, and words on it.
        soft, on_soft: ground of a tool that is on, and its icon: quieter than the accent, for there are many.
        good, warn, bad: states.
        plot: ground of plots.
        surround: what surrounds the video; never light, so that it does not blind.
        tracks: colours of tracks in plots.
    """

    name: str
    window: str
    panel: str
    raised: str
    field: str
    line: str
    text: str
    muted: str
    accent: str
    on_accent: str
    soft: str
    on_soft: str
    good: str
    warn: str
    bad: str
    plot: str
    surround: str
    tracks: tuple[str, ...]

    @property
    def dark(self) -> bool:
        """Whether words are lighter than their ground."""
        return self.name == "dark"

    def track(self, number: int) -> str:
        """A colour of tracks in plots, by its number (`TrackColours.number`)."""
        return self.tracks[number % len(self.tracks)]


DARK = Theme(
    "dark", window="#16191d", panel="#1c2025", raised="#262b32", field="#12151a", line="#343b45", text="#dde3ea",
    muted="#8b96a5", accent="#3d8bfd", on_accent="#ffffff", soft="#1d3557", on_soft="#8ebbff",
    good="#4cc38a", warn="#f0b429", bad="#f2637e",
    plot="#101317", surround="#0d0f12", tracks=TRACK_COLOURS,
)  # fmt: skip
LIGHT = Theme(
    "light", window="#eef0f3", panel="#f8f9fb", raised="#e4e8ed", field="#ffffff", line="#c5ccd6", text="#1d242d",
    muted="#5f6b7a", accent="#1f6feb", on_accent="#ffffff", soft="#cfe0fb", on_soft="#0b4fb8",
    good="#1a7f52", warn="#9a6700", bad="#c62a4b",
    plot="#ffffff", surround="#3a4048",
    tracks=("#0b7fab", "#b36b00", "#2b8a4b", "#c03a6b", "#6247c4", "#c2410c", "#0f766e", "#8a7500", "#8b2fc9",
            "#4d6b2f", "#b0408a", "#1f6fb5"),
)  # fmt: skip
THEMES = {"dark": DARK, "light": LIGHT}

_FRAME = """
QMainWindow::separator { background: transparent; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: %s; }
"""
"""What a window itself wears, whatever the theme: to change it would work out all that lies in the window anew."""
_SHEET = """
QDockWidget {{ color: {muted}; font-weight: 600; titlebar-close-icon: url({cross});
    titlebar-normal-icon: url({apart}); }}
QDockWidget::title {{ background: {window}; padding: 5px 8px; border: 0; text-align: left; }}
QDockWidget::close-button, QDockWidget::float-button {{ border: 0; border-radius: 3px; background: transparent;
    padding: 1px; }}
QDockWidget::close-button:hover, QDockWidget::float-button:hover {{ background: {raised}; }}
QToolBar {{ background: {window}; border: 0; spacing: 2px; padding: 3px; }}
QToolBar::separator {{ background: {line}; width: 1px; margin: 4px 5px; }}
QToolButton {{ border: 0; border-radius: 4px; padding: 4px; }}
QToolButton:hover {{ background: {raised}; }}
QToolButton:checked, QToolButton:pressed {{ background: {soft}; color: {on_soft}; }}
QToolButton:focus, QPushButton:focus {{ border: 1px solid {accent}; }}
QToolButton:focus {{ padding: 3px; }}
QPushButton:default:focus {{ border: 1px solid {text}; }}
QCheckBox:focus {{ color: {accent}; }}
QToolButton:disabled {{ color: {muted}; }}
QToolButton::menu-button {{ border: 0; border-radius: 4px; width: 18px; }}
QToolButton::menu-button:hover {{ background: {line}; }}
QToolButton[popupMode="2"] {{ padding-right: 16px; }}
QToolButton::menu-indicator {{ image: url({arrow}); width: 12px; height: 12px; subcontrol-position: right center; }}
QToolButton::menu-arrow {{ image: url({arrow}); width: 12px; height: 12px; }}
#qt_toolbar_ext_button {{ qproperty-icon: url({arrow}); background: {raised}; padding: 0; }}
QStatusBar {{ background: {window}; color: {muted}; }}
QStatusBar::item {{ border: 0; }}
QMenuBar {{ background: {window}; }}
QMenuBar::item {{ padding: 4px 9px; background: transparent; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {raised}; }}
QMenu {{ background: {panel}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 5px 26px 5px 22px; border-radius: 3px; }}
QMenu::item:selected {{ background: {accent}; color: {on_accent}; }}
QMenu::item:disabled {{ color: {muted}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 6px; }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {line}; padding: 4px; }}
QGroupBox {{ border: 1px solid {line}; border-radius: 5px; margin-top: 9px; padding-top: 6px; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 8px; color: {muted}; }}
QTabBar::tab {{ background: {window}; color: {muted}; padding: 5px 12px; border: 0;
                border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: {text}; border-bottom: 2px solid {accent}; }}
QTabBar {{ qproperty-drawBase: 0; }}
QTabWidget::pane {{ border: 0; }}
QHeaderView::section {{ background: {raised}; color: {muted}; border: 0; padding: 4px 6px; }}
QTableView, QTreeView, QListView, QPlainTextEdit, QTextEdit {{ background: {field}; border: 1px solid {line};
    border-radius: 4px; alternate-background-color: {panel}; selection-background-color: {accent};
    selection-color: {on_accent}; }}
QLineEdit, QAbstractSpinBox, QComboBox {{ background: {field}; border: 1px solid {line}; border-radius: 4px;
    padding: 2px 5px; min-height: 1.2em; selection-background-color: {accent}; selection-color: {on_accent}; }}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {{ border: 1px solid {accent}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: 0; background: transparent; width: 16px; }}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {raised}; }}
QAbstractSpinBox::up-arrow {{ image: url({up}); width: 9px; height: 9px; }}
QAbstractSpinBox::down-arrow {{ image: url({arrow}); width: 9px; height: 9px; }}
QComboBox::drop-down {{ border: 0; width: 20px; }}
QComboBox::down-arrow {{ image: url({arrow}); width: 12px; height: 12px; }}
QPushButton {{ background: {raised}; border: 1px solid {line}; border-radius: 4px; padding: 4px 12px; }}
QPushButton:hover {{ border: 1px solid {accent}; }}
QPushButton:default, QPushButton:checked {{ background: {accent}; color: {on_accent}; border: 1px solid {accent}; }}
#recordButton:checked {{ background: {bad}; color: {field}; border: 1px solid {bad}; font-weight: 600; }}
QPushButton:disabled {{ color: {muted}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QPushButton:default:disabled {{ background: {raised}; color: {muted}; border: 1px solid {line}; }}
QTreeView::item {{ min-height: 22px; }}
QCheckBox {{ spacing: 5px; padding: 0 4px; }}
QCheckBox::indicator {{ width: 12px; height: 12px; border: 1px solid {muted}; border-radius: 3px;
    background: {field}; }}
QCheckBox::indicator:hover {{ border: 1px solid {accent}; }}
QCheckBox::indicator:checked {{ background: {accent}; border: 1px solid {accent}; image: url({tick}); }}
QCheckBox::indicator:disabled {{ border: 1px solid {line}; background: {panel}; }}
QCheckBox::indicator:checked:disabled {{ border: 1px solid {muted}; background: {muted}; }}
QRadioButton {{ spacing: 5px; padding: 0 4px; }}
QRadioButton:focus {{ color: {accent}; }}
QRadioButton::indicator {{ width: 12px; height: 12px; border: 1px solid {muted}; border-radius: 7px;
    background: {field}; }}
QRadioButton::indicator:hover {{ border: 1px solid {accent}; }}
QRadioButton::indicator:checked {{ border: 1px solid {accent}; background: qradialgradient(cx: 0.5, cy: 0.5,
    radius: 0.5, fx: 0.5, fy: 0.5, stop: 0 {accent}, stop: 0.55 {accent}, stop: 0.65 {field}, stop: 1 {field}); }}
QRadioButton::indicator:disabled {{ border: 1px solid {line}; background: {panel}; }}
QRadioButton::indicator:checked:disabled {{ border: 1px solid {muted}; background: qradialgradient(cx: 0.5, cy: 0.5,
    radius: 0.5, fx: 0.5, fy: 0.5, stop: 0 {muted}, stop: 0.55 {muted}, stop: 0.65 {panel}, stop: 1 {panel}); }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {line}; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QProgressBar {{ background: {field}; border: 1px solid {line}; border-radius: 4px; text-align: center; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 3px; }}
QSplitter::handle {{ background: {window}; }}
QFrame[strip] {{ border: 0; border-left: 3px solid {accent}; background: {panel}; }}
QFrame[strip="warning"] {{ border-left: 3px solid {warn}; }}
QFrame[strip="error"] {{ border-left: 3px solid {bad}; }}
#tour {{ background: {panel}; border: 1px solid {accent}; border-radius: 8px; }}
#nothingOpen {{ background: {window}; }}
QLabel[muted="true"] {{ color: {muted}; }}
QLabel[warn="true"] {{ color: {warn}; }}
QLabel[bad="true"] {{ color: {bad}; }}
"""

_current = DARK
_files = QtCore.QTemporaryDir()
"""Style sheets take pictures from files alone."""


_Lines = tuple[tuple[tuple[int, int], ...], ...]
_TICK: _Lines = (((10, 25), (20, 35), (38, 14)),)
_ARROW: _Lines = (((10, 17), (24, 31), (38, 17)),)
_UP: _Lines = (((10, 31), (24, 17), (38, 31)),)
_CROSS: _Lines = (((12, 12), (36, 36)), ((36, 12), (12, 36)))
_APART: _Lines = (((18, 18), (18, 8), (40, 8), (40, 30), (30, 30)), ((8, 18), (30, 18), (30, 40), (8, 40), (8, 18)))


def _drawn(theme: Theme, name: str, colour: str, lines: _Lines, width: int = 7) -> str:
    """The file of a small picture: lines through points on a field of 48 x 48."""
    path = _files.filePath(f"{name}-{theme.name}.png")
    picture = QtGui.QPixmap(48, 48)
    picture.fill(QtCore.Qt.GlobalColor.transparent)
    painter = QtGui.QPainter(picture)
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    pen = QtGui.QPen(QtGui.QColor(colour), width)
    pen.setCapStyle(QtCore.Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(QtCore.Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    for points in lines:
        painter.drawPolyline(QtGui.QPolygonF([QtCore.QPointF(x, y) for x, y in points]))
    painter.end()
    picture.save(path)
    return str(path)


@cache
def sheet(theme: Theme) -> str:
    """The style sheet of a theme."""
    colours = {name: getattr(theme, name) for name in Theme.__slots__ if name != "tracks"}
    return _SHEET.format(
        **colours, tick=_drawn(theme, "tick", theme.on_accent, _TICK),
        arrow=_drawn(theme, "arrow", theme.muted, _ARROW), up=_drawn(theme, "up", theme.muted, _UP),
        cross=_drawn(theme, "cross", theme.muted, _CROSS, 4),
        apart=_drawn(theme, "apart", theme.muted, _APART, 4),
    )  # fmt: skip


def current() -> Theme:
    """The theme that was applied last."""
    return _current


def dress(window: QtWidgets.QWidget) -> None:
    """Have a window in which nothing lies yet wear the theme, now and after each change.

    What comes into the window wears the window's style sheet, which is read once and worked out once for each widget;
    a sheet that came later would have Qt work out all that lies there again. A change of theme does so piece by piece:
    then each part of the window gets a sheet of its own, and the window keeps what it had. The program has none: it
    would be worked out for every widget there is, and plots keep hundreds that are never seen.
    """
    window.setProperty("dressed", _current.name)
    window.setStyleSheet(_FRAME % DARK.accent + sheet(_current))


def parts(window: QtWidgets.QWidget) -> list[QtWidgets.QWidget]:
    """What lies in a window, docks and bars and dialogs of it; what can be seen first."""
    found = window.findChildren(QtWidgets.QWidget, options=QtCore.Qt.FindChildOption.FindDirectChildrenOnly)
    return sorted(found, key=lambda part: bool(part.visibleRegion().isEmpty()))


def dress_part(part: QtWidgets.QWidget) -> None:
    """Have something that lies in a window, if it still does, wear the theme."""
    if not isQObjectAlive(part):
        return
    window = part.parentWidget()
    # Where the window's own sheet is that of this theme, the part needs none.
    wanted = "" if window is not None and window.property("dressed") == _current.name else sheet(_current)
    if part.styleSheet() != wanted:  # Qt would work out the same one again
        part.setStyleSheet(wanted)


def dialogs(window: QtWidgets.QWidget) -> list[Callable[[], object]]:
    """Have the open dialogs of a window that draw for themselves take the colours, if they are still there then."""

    def themed(dialog: QtWidgets.QDialog) -> None:
        if isQObjectAlive(dialog):
            getattr(dialog, "themed", lambda: None)()

    return [partial(themed, dialog) for dialog in window.findChildren(QtWidgets.QDialog)]


def apply(app: QtWidgets.QApplication, theme: Theme) -> None:
    """Give the whole program a theme; views that draw for themselves are asked to repaint by a palette change."""
    for work in change(app, theme):
        work()


def change(app: QtWidgets.QApplication, theme: Theme) -> list[Callable[[], object]]:
    """Give the program a theme; what is left to do is returned in pieces of some milliseconds each."""
    global _current
    _current = theme
    if app.property("styled") is None:  # it takes as long as all the rest
        app.setStyle("Fusion")
        app.setProperty("styled", True)
    role, group = QtGui.QPalette.ColorRole, QtGui.QPalette.ColorGroup
    palette = QtGui.QPalette()
    roles = {
        role.Window: theme.window, role.WindowText: theme.text, role.Base: theme.field, role.AlternateBase: theme.panel,
        role.ToolTipBase: theme.raised, role.ToolTipText: theme.text, role.Text: theme.text, role.Button: theme.raised,
        role.ButtonText: theme.text, role.BrightText: theme.bad, role.Link: theme.accent, role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent, role.Light: theme.raised, role.Midlight: theme.panel,
        role.Mid: theme.line, role.Dark: theme.line, role.Shadow: theme.field,
    }  # fmt: skip
    for key, colour in roles.items():
        palette.setColor(key, QtGui.QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(group.Disabled, key, QtGui.QColor(theme.muted))
    app.setPalette(palette)
    pyqtgraph.setConfigOptions(background=theme.plot, foreground=theme.text, antialias=True)
    windows = [window for window in app.topLevelWidgets() if window.property("dressed")]
    return [partial(dress_part, part) for window in windows for part in parts(window)]
