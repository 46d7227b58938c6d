"""Tables on the clipboard."""

from __future__ import annotations

from collections.abc import Sequence

from pyqtgraph.Qt import QtWidgets


def to_clipboard(rows: Sequence[Sequence[str]]) -> None:
    """Rows as spreadsheets want them."""
    QtWidgets.QApplication.clipboard().setText("\n".join("\t".join(row) for row in rows) + "\n")
