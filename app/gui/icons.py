"""Icons of our own: strokes on a field of 24 x 24, in the colours of the theme."""

from __future__ import annotations

from functools import cache

from pyqtgraph.Qt import QtCore, QtGui, QtSvg

from app.gui.theme import Theme, current

_STROKES = {
    "play": '<path class="f" d="M7 4.5v15l12-7.5z"/>',
    "pause": '<path class="f" d="M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z"/>',
    "stop": '<path class="f" d="M6 6h12v12H6z"/>',
    "record": '<circle cx="12" cy="12" r="6.5" class="r"/>',
    "trigger": '<path class="f" d="M13 2.5 5.5 13.5h5L9.5 21.5 18 10h-5.5z"/>',
    "next": '<path class="f" d="M5 5v14l9-7z"/><path d="M18 5v14"/>',
    "previous": '<path class="f" d="M19 5v14l-9-7z"/><path d="M6 5v14"/>',
    "first": '<path class="f" d="M20 5v14l-7-7zM12 5v14l-7-7z"/><path d="M4 5v14"/>',
    "last": '<path class="f" d="M4 5v14l7-7zM12 5v14l7-7z"/><path d="M20 5v14"/>',
    "loop": '<path d="M4 11a5 5 0 0 1 5-5h9M15 3l3 3-3 3M20 13a5 5 0 0 1-5 5H6M9 21l-3-3 3-3"/>',
    "ping_pong": '<path d="M4 9.500h15M16 6.500l3 3M16 12.500l3-3M20 15.500H5M8 12.500l-3 3 3 3"/>',
    "open": '<path d="M3 18.5V6a1 1 0 0 1 1-1h5l2 2.5h7a1 1 0 0 1 1 1v2M3 18.5 6 11h15.5l-3 7.5z"/>',
    "camera": '<path d="M3 7h11a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3zM15 11l6-3.5v9L15 13z"/>',
    "save": '<path d="M4 4h13l3 3v13H4zM8 4v5h7V4M7 20v-7h10v7"/>',
    "export": '<path d="M12 15V3.5M8 7l4-3.5L16 7M5 12v8h14v-8"/>',
    "up": '<path d="M5 4h14M12 20V9M7.500 13 12 8.500 16.500 13"/>',
    "down": '<path d="M5 20h14M12 4v11M7.500 11 12 15.500 16.500 11"/>',
    "undo": '<path d="M9 5 4.5 9.5 9 14M5 9.5h9a5 5 0 0 1 0 10h-3"/>',
    "redo": '<path d="m15 5 4.5 4.5L15 14M19 9.5h-9a5 5 0 0 0 0 10h3"/>',
    "add": '<path d="M12 4.5v15M4.5 12h15"/>',
    "remove": '<path d="M4.5 12h15"/>',
    "delete": '<path d="M4.5 7h15M9.5 7V4h5v3M6.5 7l1 13h9l1-13M10.5 11v5.5M13.5 11v5.5"/>',
    "close": '<path d="m6 6 12 12M18 6 6 18"/>',
    "search": '<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5.5 5.5"/>',
    "reset": '<path d="M5 5v5h5M5.5 10a7.5 7.5 0 1 1-.8 5"/>',
    "link": '<path d="M9.5 14.5 14.5 9.5M8 11l-3 3a3.5 3.5 0 0 0 5 5l3-3M16 13l3-3a3.5 3.5 0 0 0-5-5l-3 3"/>',
    "cut": '<circle cx="6" cy="6.5" r="2.5"/><circle cx="6" cy="17.5" r="2.5"/><path d="M8 8l12 9M8 16 20 7"/>',
    "pointer": '<path class="f" d="M5 3.5v15l4-4 3 6.5 2.5-1L11.5 13.5H17z"/>',
    "correct": (
        '<path d="m3.500 20.500 1.200-4.300L14 6.900l3.100 3.100-9.300 9.300zM12 8.900l3.100 3.100"/>'
        '<path d="M19 3v5M16.500 5.500h5"/>'
    ),
    "point": '<circle cx="12" cy="12" r="4"/><path d="M12 2.5V8M12 16v5.5M2.5 12H8M16 12h5.5"/>',
    "label": (
        '<circle cx="6" cy="6" r="2.2" class="f"/><circle cx="16" cy="9" r="2.2" class="f"/>'
        '<circle cx="9" cy="18" r="2.2" class="f"/><path d="M8 6.500 14 8.500M15 11 10.500 16M18 15v6M15 18h6"/>'
    ),
    "box": '<path d="M4 6h16v12H4z"/>',
    "polygon": '<path d="M12 3.5 20.5 10 17 20H6L3.5 9z"/>',
    "template": '<path d="M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4"/><path d="M12 8.5v7M8.5 12h7"/>',
    "grid": (
        '<path d="M5 5h.01M12 5h.01M19 5h.01M5 12h.01M12 12h.01M19 12h.01M5 19h.01M12 19h.01M19 19h.01" '
        'stroke-width="3.2"/>'
    ),
    "ruler": '<path d="M3.5 15.5 15.5 3.5l5 5-12 12zM7 12l2 2M10 9l2.5 2.5M13 6l2 2"/>',
    "angle": '<path d="M19 5 5 19h15M12 12a8 8 0 0 1 2.5 7"/>',
    "axes": '<path d="M5 3.5V19h15.5M2.5 6 5 3.5 7.5 6M18 16.5l2.5 2.5L18 21.5"/>',
    "fit": '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>',
    "levels": '<path d="M4 20V12M9 20V6M14 20v-9M19 20v-5"/>',
    "compare": '<path d="M12 3v18M4 6h5v12H4zM15 6h5v12h-5z"/>',
    "loupe": '<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5.5 5.5M8 10.5h5M10.5 8v5"/>',
    "tracks": (
        '<path d="M4 18c3-9 6 2 9-5s4-6 7-8"/><circle cx="4" cy="18" r="1.5" class="f"/><circle cx="20" '
        'cy="5" r="1.5" class="f"/>'
    ),
    "plot": '<path d="M4 4v16h16M7 15l4-5 3 3 5-7"/>',
    "spectrum": '<path d="M4 20h16M6 20v-4M9 20V6M12 20v-9M15 20v-3M18 20v-5"/>',
    "gauge": '<path d="M4 17a8.5 8.5 0 1 1 16 0M12 15l4-5"/>',
    "plan": '<path d="M7 3.5h10v5H7zM3.5 15.5h7v5h-7zM13.5 15.5h7v5h-7zM12 8.5v3.5M7 15.5V12h10v3.5"/>',
    "pipeline": '<path d="M3.5 5h6v5h-6zM14.5 5h6v5h-6zM9 15h6v5H9zM9.5 7.5h5M17.5 10v2.5H12V15"/>',
    "proof": '<path d="M12 3 5 6v5c0 5 3.5 8 7 10 3.5-2 7-5 7-10V6zM8.5 12l2.5 2.5 4.5-5"/>',
    "warning": '<path d="M12 4 2.5 20h19zM12 10v4.5M12 17v.5"/>',
    "help": (
        '<circle cx="12" cy="12" r="8.5"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.300c-.7.4-1 .9-1 1.700M12 '
        '16.5v.500"/>'
    ),
    "theme": '<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z"/>',
    "settings": (
        '<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/><circle cx="8" cy="17" '
        'r="2"/>'
    ),
    "eye": '<path d="M2.5 12C6 6 18 6 21.5 12 18 18 6 18 2.5 12z"/><circle cx="12" cy="12" r="2.5"/>',
    "batch": '<path d="M4 5h16M4 10h16M4 15h9M4 20h9M16 14v7l5-3.5z"/>',
    "flag": '<path d="M6 21V4l12 4.5L6 13"/>',
    "mark_in": '<path d="M15 4H8v16h7"/>',
    "mark_out": '<path d="M9 4h7v16H9"/>',
}  # fmt: skip
NAMES = tuple(_STROKES)
_SIZES = (14, 16, 18, 20)
"""In units of widgets; those that are used, so that nothing has to be scaled."""


def icon(name: str) -> QtGui.QIcon:
    """An icon in the colours of the current theme.

    Raises:
        KeyError: there is none of this name.
    """
    return _icon(name, current())


@cache
def _icon(name: str, theme: Theme) -> QtGui.QIcon:
    made = QtGui.QIcon()
    modes = QtGui.QIcon.Mode
    states = QtGui.QIcon.State
    for size in _pixels():
        made.addPixmap(_drawn(name, theme.text, theme.bad, size))
        made.addPixmap(_drawn(name, theme.on_soft, theme.on_soft, size), modes.Normal, states.On)
        made.addPixmap(_drawn(name, theme.line, theme.line, size), modes.Disabled)
    return made


def _pixels() -> list[int]:
    """Sizes in pixels of the screens that there are."""
    ratios = {screen.devicePixelRatio() for screen in QtGui.QGuiApplication.screens()}
    return sorted({round(size * ratio) for size in _SIZES for ratio in ratios or {1.0}})


def _drawn(name: str, ink: str, red: str, size: int) -> QtGui.QPixmap:
    # Qt's SVG knows no style sheets with classes in every version, so the attributes are written out.
    strokes = _STROKES[name].replace('class="f"', f'fill="{ink}" stroke="none"')
    strokes = strokes.replace('class="r"', f'fill="{red}" stroke="none"')
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="{ink}" stroke-width="1.7" '
        f'stroke-linecap="round" stroke-linejoin="round">{strokes}</g></svg>'
    )
    picture = QtGui.QPixmap(size, size)
    picture.fill(QtCore.Qt.GlobalColor.transparent)
    painter = QtGui.QPainter(picture)
    QtSvg.QSvgRenderer(QtCore.QByteArray(text.encode())).render(painter)
    painter.end()
    return picture
