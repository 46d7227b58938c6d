"""What cannot be as precise as is asked, under the graph; what would help is a link."""

from __future__ import annotations

import html

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.services.foresight import Foresight
from app.gui import theme
from kernels.errors import FusetrackError


def short(text: str) -> str:
    """The head of a hint: which points and what was asked of them; its tip says all of it.

    >>> short("track: 2 of 9 points cannot be measured to track.precision = 0.001 px with this texture: point 0 at ...")
    'track: 2 of 9 points cannot be measured to track.precision = 0.001 px with this texture …'
    >>> short("too coarse")
    'too coarse'
    """
    name, colon, rest = text.partition(": ")
    head, more, _ = rest.partition(": ")
    return f"{name}{colon}{head} …" if more else text


class HintLabel(QtWidgets.QLabel):  # type: ignore[misc]
    """See the module.

    Args:
        bench: whose parameters the links set.
        foresight: knows the hints.
    """

    def __init__(self, bench: Workbench, foresight: Foresight) -> None:
        super().__init__()
        self._bench, self._foresight = bench, foresight
        self.setWordWrap(True)
        self.setProperty("warn", True)
        self.setContentsMargins(8, 2, 8, 4)
        self.setTextFormat(QtCore.Qt.TextFormat.RichText)
        self.linkActivated.connect(self._take)
        self.hide()
        foresight.on(self.themed)

    def themed(self) -> None:
        """The hints as they are now, in the colours of the theme."""
        parts, link = [], theme.current().accent
        for k, hint in enumerate(self._foresight.hints):
            words = html.escape(short(hint.text))
            if hint.node:
                cure = f"set {hint.node}.{hint.param} to {hint.value:g}"
                words += f"<br><a href='{k}' style='color:{link}'>{cure}</a>"
            parts.append(words)
        self.setText("<br>".join(parts))
        self.setToolTip("\n".join(hint.text for hint in self._foresight.hints))
        self.setVisible(bool(parts))

    def _take(self, link: str) -> None:
        hint = self._foresight.hints[int(link)]
        try:
            self._bench.editor.set_param(hint.node, hint.param, hint.value)
        except FusetrackError as error:
            self._bench.speak(Level.ERROR, str(error))
