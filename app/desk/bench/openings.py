"""What was ordered to be opened and is not there yet."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from app.desk.engine import commands
from app.desk.pipeline.history import History


class Begun(NamedTuple):
    """With what something begins once it is open.

    Args:
        clip: what it is called from start to start.
        history: of the user's pipelines; None where their pipeline stays and its steps do not.
    """

    clip: str
    history: History | None


class Openings:
    """Orders by their numbers, with which the engine answers them."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._ordered: dict[int, tuple[commands.Open, Begun]] = {}

    def next_number(self) -> int:
        """A number that no order has had."""
        return next(self._numbers)

    def add(self, order: commands.Open, begun: Begun) -> None:
        """It was sent to the engine."""
        self._ordered[order.number] = order, begun

    def answered(self, number: int) -> tuple[commands.Open | None, Begun | None]:
        """The order of that number, which is forgotten; None where there is none."""
        return self._ordered.pop(number, (None, None))

    def clear(self) -> None:
        """The engine has died: none will be answered."""
        self._ordered.clear()
