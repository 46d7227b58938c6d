"""The list of pipelines that come with the program: each with what one follows with it."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui import theme
from pipelines.definition import library, summary_of, with_files

TITLE = "What do you follow?"
_MORE = "with networks of yours"
_LINE = int(QtCore.Qt.ItemDataRole.UserRole) + 1
_ROLE = QtCore.Qt.ItemDataRole.ToolTipRole


def follows(name: str) -> str:
    """What one follows with a shipped pipeline: its summary without how it does it.

    >>> follows("blobs")
    'bright or dark spots and particles'
    """
    return summary_of(name).partition(":")[0]


class PipelineChoice(QtWidgets.QComboBox):  # type: ignore[misc]
    """See the module; a pipeline of the user's own stands in it as its placeholder."""

    def __init__(self) -> None:
        super().__init__()
        for title, names in ((TITLE, library()), (_MORE, with_files())):
            self.addItem(title)
            self.model().item(self.count() - 1).setEnabled(False)
            for name in names:
                self.addItem(name)
                self.setItemData(self.count() - 1, summary_of(name), _ROLE)
                self.setItemData(self.count() - 1, follows(name), _LINE)
        self.setItemDelegate(_TwoLines(self))
        self.setMaxVisibleItems(self.count())
        self.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setToolTip("Pipelines that come with the program, by what one follows with them; those at the end ask for "
                        "networks of yours")  # fmt: skip

    def showPopup(self) -> None:  # noqa: N802
        """As wide as what is followed."""
        words = self.view().fontMetrics()
        longest = max(words.horizontalAdvance(str(self.itemData(k, _LINE) or "")) for k in range(self.count()))
        self.view().setMinimumWidth(longest + 40)
        super().showPopup()


class _TwoLines(QtWidgets.QStyledItemDelegate):  # type: ignore[misc]
    """A name, and below it what one follows."""

    def paint(
        self, painter: QtGui.QPainter, option: QtWidgets.QStyleOptionViewItem, index: QtCore.QModelIndex
    ) -> None:
        look, chosen = theme.current(), bool(option.state & QtWidgets.QStyle.StateFlag.State_Selected)
        name, line = str(index.data() or ""), str(index.data(_LINE) or "")
        painter.save()
        if chosen and line:
            painter.fillRect(option.rect, QtGui.QColor(look.accent))
        inside = option.rect.adjusted(10, 3, -8, -3)
        high = inside.height() // 2 if line else inside.height()
        font = QtGui.QFont(option.font)
        font.setWeight(600 if line else 400)
        painter.setFont(font)
        painter.setPen(QtGui.QColor(look.muted if not line else look.on_accent if chosen else look.text))
        left = int(QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QtCore.QRect(inside.left(), inside.top(), inside.width(), high), left, name)
        if line:
            painter.setFont(option.font)
            painter.setPen(QtGui.QColor(look.on_accent if chosen else look.muted))
            words = painter.fontMetrics().elidedText(line, QtCore.Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(QtCore.QRect(inside.left(), inside.top() + high, inside.width(), high), left, words)
        painter.restore()

    def sizeHint(  # noqa: N802
        self, option: QtWidgets.QStyleOptionViewItem, index: QtCore.QModelIndex
    ) -> QtCore.QSize:  # fmt: skip
        lines = 2 if index.data(_LINE) else 1
        return QtCore.QSize(100, lines * option.fontMetrics.height() + 8)
