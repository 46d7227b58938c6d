"""Makes pictures of the main states of the window, with the real engine.

    xvfb-run -s "-screen 0 2560x1440x24 -dpi 96" python tests/gui/make_screenshots.py FOLDER
    QT_QPA_PLATFORM=offscreen python tests/gui/make_screenshots.py FOLDER [--size 1280x800] [--theme dark] [--only NAME]

The README's pictures are running-dark-1280x800.png and running-light-1280x800.png.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from tests.gui.rig import Rig
from tests.gui.states import STATES

SIZES = ((1280, 800), (2560, 1440))


def picture(rig: Rig) -> QtGui.QPixmap:
    """The dialog that stands there, or the window with the menu or list that is open."""
    seen = [widget for widget in rig.app.topLevelWidgets() if widget.isVisible()]
    menu = next((widget for widget in seen if widget.windowType() == QtCore.Qt.WindowType.Popup), None)
    if menu is None:
        dialogs = (widget for widget in seen if isinstance(widget, QtWidgets.QDialog)
                   and widget.parentWidget() is not None and widget.parentWidget().window() is rig.window)  # fmt: skip
        return next(dialogs, rig.window).grab()
    made = rig.window.grab()
    painter = QtGui.QPainter(made)
    painter.drawPixmap(rig.window.mapFromGlobal(menu.pos()), menu.grab())
    painter.end()
    menu.close()
    return made


def main() -> int:
    """Make them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--size", action="append", help="such as 1280x800; default: both")
    options.add_argument("--theme", choices=("dark", "light"), action="append")
    options.add_argument("--only", action="append", choices=tuple(STATES))
    wanted = options.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    sizes = [tuple(int(side) for side in size.split("x")) for size in wanted.size] if wanted.size else SIZES
    for theme in wanted.theme or ("dark", "light"):
        for width, height in sizes:
            for name in wanted.only or STATES:
                rig = Rig((width, height), theme)
                try:
                    STATES[name](rig)
                    path = wanted.folder / f"{name}-{theme}-{width}x{height}.png"
                    picture(rig).save(str(path))
                    print(path, flush=True)
                finally:
                    rig.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
