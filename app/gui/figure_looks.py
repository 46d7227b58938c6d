"""How figures look that are saved, chosen in a menu; and the file that one is saved in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pyqtgraph.Qt import QtWidgets

from app.plots.look import LIGHT, SUFFIXES, Look, look_of

LOOKS = {
    "for a screen": LIGHT, "for a screen, dark": look_of(dark=True), "for a paper, one column": look_of("paper"),
    "for a paper, two columns": look_of("double"),
}  # fmt: skip
"""How figures may look."""
KINDS = "Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf)"
"""Of files, for dialogs."""
SAVE = "Save the figure (PNG, SVG, PDF)…"


class FigureLooks:
    """The choice in a menu.

    Args:
        menu: gets an entry with all of them.
        endings: whether it is chosen there, too, what kind of file a figure is, of those that no dialog asks for.
    """

    def __init__(self, menu: QtWidgets.QMenu, endings: bool = False) -> None:
        self.menu = menu.addMenu("Figures are")
        self._looks = self._choice(LOOKS)
        self._endings: QtWidgets.QActionGroup | None = None
        if endings:
            self.menu.addSeparator()
            self._endings = self._choice([suffix[1:].upper() for suffix in SUFFIXES])

    def _choice(self, words: Iterable[str]) -> QtWidgets.QActionGroup:
        group = QtWidgets.QActionGroup(self.menu)
        for one in words:
            action = group.addAction(self.menu.addAction(one))
            action.setCheckable(True)
        group.actions()[0].setChecked(True)
        return group

    @property
    def look(self) -> Look:
        """What is chosen."""
        look = LOOKS[self._looks.checkedAction().text()]
        if self._endings is None:
            return look
        return replace(look, suffix=f".{self._endings.checkedAction().text().lower()}")


def figure_path(path: str, kind: str) -> Path:
    """The file that a dialog gave, with the ending of the kind that was chosen there where it has none.

    >>> figure_path("a/msd", "PDF (*.pdf)").name, figure_path("a/msd.svg", "PDF (*.pdf)").name
    ('msd.pdf', 'msd.svg')
    """
    target = Path(path)
    return target if target.suffix else target.with_suffix(next((end for end in SUFFIXES if end in kind), SUFFIXES[0]))
