"""Tables of tracks that are over, kept until they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Left:
    """What tracks left that are over.

    Args:
        tables: the type of the rows of each table, structured, with a field `track`.
    """

    def __init__(self, tables: Mapping[str, np.dtype[Any]]) -> None:
        self.rows: dict[str, Array] = {name: np.zeros(0, dtype) for name, dtype in tables.items()}

    def add(self, tables: Mapping[str, Array]) -> None:
        """Rows of tracks that end now."""
        for name, rows in tables.items():
            if len(rows):
                self.rows[name] = np.concatenate((self.rows[name], rows))

    def beside(self, living: Mapping[str, Array]) -> dict[str, Array]:
        """All rows by rising track, with those of tracks that live."""
        whole = {name: np.concatenate((self.rows[name], rows)) for name, rows in living.items()}
        return {name: rows[np.argsort(rows["track"], kind="stable")] for name, rows in whole.items()}

    def snapshot(self) -> dict[str, Array]:
        return {f"ended.{name}": rows.view(np.uint8).copy() for name, rows in self.rows.items()}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Take over a snapshot; older ones have one table, or none."""
        for name, rows in self.rows.items():
            kept = state.get(f"ended.{name}", state.get("ended", rows[:0]) if name == "spectra" else rows[:0])
            self.rows[name] = kept.copy().view(rows.dtype)
