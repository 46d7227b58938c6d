"""Room for a part of a panel that is dear to make and seldom looked at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from pyqtgraph.Qt import QtGui, QtWidgets

W = TypeVar("W", bound=QtWidgets.QWidget)


class Later(QtWidgets.QWidget, Generic[W]):  # type: ignore[misc]
    """See the module. The part is made when it is asked for, or first seen: a panel that opens then costs what is seen
    of it.

    Args:
        make: makes the part.

    Attributes:
        made: the part, None while it is not there.
    """

    def __init__(self, make: Callable[[], W]) -> None:
        super().__init__()
        self._make = make
        self.made: W | None = None
        self._column = QtWidgets.QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def part(self) -> W:
        """The part, which is made now where it is not there yet."""
        if self.made is None:
            self.made = self._make()
            self._column.addWidget(self.made)
        return self.made

    def showEvent(self, event: QtGui.QShowEvent) -> None:  # noqa: N802
        """It is first seen."""
        super().showEvent(event)
        self.part  # noqa: B018
