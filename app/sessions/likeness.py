"""Whether a replay gives the tracks that were recorded, bit for bit, and where it first does not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipelines.features import Reason, State, Tracks
from pipelines.measures import fields_of, measured_as

BEFORE = (Reason.NOT_DETECTED, Reason.LEFT_IMAGE)
"""What versions said that did not know `Reason.LEFT_REGION`."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first row that is not the same.

    Args:
        frame, track: of that row.
        column: which of its columns, or "" if the whole row is only in one of the two.
        recorded, replayed: the two values, or "there" and "not there".
    """

    frame: int
    track: int
    column: str
    recorded: str
    replayed: str

    def describe(self) -> str:
        """For people."""
        if not self.column:
            where = "recorded and not replayed" if self.recorded == "there" else "replayed and not recorded"
            return f"the row of track {self.track} in frame {self.frame} is {where}"
        return (f"frame {self.frame}, track {self.track}, {self.column}: {self.recorded} recorded, {self.replayed} "
                "replayed")  # fmt: skip


class Likeness:
    """Compares rows as they come with those that were recorded; memory does not grow.

    Args:
        recorded: all rows of the session, as they were recorded, with the measures that they carry.
        there: the frames of the session that a replay can process; rows of others are not looked for.
        whole: whether the recording of tracks went on to the end; else what comes behind its last row is not compared.
    """

    def __init__(self, recorded: Tracks, there: npt.NDArray[np.int64], whole: bool) -> None:
        keep = np.isin(recorded["frame"], there)
        self._recorded: Tracks = recorded[keep]
        self.unreplayable = int(len(recorded) - keep.sum())
        """Recorded rows of frames that are not there."""
        self.whole = whole
        self.compared = self.beyond = 0
        """Rows that are the same so far; replayed rows behind the last that was recorded."""
        self.renamed = 0
        """Of the same rows those that now say that the thing left the region, of which older versions knew no word."""
        self.difference: Difference | None = None
        self._older = not bool((self._recorded["reason"] == Reason.LEFT_REGION).any())
        self._finished = False

    @property
    def rows(self) -> int:
        """Recorded rows that a replay must give."""
        return len(self._recorded)

    @property
    def last(self) -> int:
        """The frame of the last recorded row, -1 if there is none."""
        return int(self._recorded["frame"][-1]) if len(self._recorded) else -1

    def add(self, rows: Tracks) -> None:
        """The next rows of the replay."""
        if self.difference is not None:
            return
        at = self.compared
        expected = self._recorded[at : at + len(rows)]
        rows = measured_as(rows, fields_of(expected))  # sessions of earlier versions have none
        given = self._worded(rows[: len(expected)], expected)
        # Rows as raw bytes: NaN equals itself, and -0.0 is not 0.0.
        same = _bits(expected) == _bits(given)
        if not same.all():
            self.compared = at + int(np.argmin(same))
            self.difference = _first(self._recorded[self.compared], rows[self.compared - at])
            return
        self.compared += len(given)
        behind = rows[len(given) :]
        self.beyond += len(behind)
        if len(behind) and self.whole:
            self.difference = _only(behind[0], False)

    def _worded(self, given: Tracks, expected: Tracks) -> Tracks:
        """Replayed rows in the words of the version that recorded."""
        if not self._older:
            return given
        new = (given["reason"] == Reason.LEFT_REGION) & np.isin(expected["reason"], BEFORE)
        if not new.any():
            return given
        made = given.copy()
        made["reason"][new] = expected["reason"][new]
        self.renamed += int(new.sum())
        return made

    def finish(self) -> None:
        """Nothing more comes; without this, rows that are missing at the end are those of a replay that was stopped."""
        self._finished = True
        if self.difference is None and self.compared < self.rows:
            self.difference = _only(self._recorded[self.compared], True)

    @property
    def identical(self) -> bool:
        return self.difference is None

    def describe(self) -> str:
        """One sentence."""
        if self.difference is not None:
            return f"differs after {self.compared} rows of {self.rows}: {self.difference.describe()}"
        if not self._finished and self.compared < self.rows:
            return f"the {self.compared} rows that were compared are identical to those recorded, of {self.rows}"
        text = f"the {self.rows} rows are identical to those recorded" if self.rows else "no rows were recorded"
        if not self.rows and not self.beyond:
            text += ", and none came again"
        if self.renamed:
            text += f", but that {self.renamed} of them now say left_region, a word that is newer than the recording"
        if self.beyond:
            text += f"; {self.beyond} rows come behind the last that was recorded"
        return text


def _bits(rows: Tracks) -> npt.NDArray[np.void]:
    return np.ascontiguousarray(rows).view(f"V{rows.itemsize}").reshape(-1)


def _first(recorded: np.void, replayed: np.void) -> Difference:
    """Where two rows differ."""
    frame, track = int(recorded["frame"]), int(recorded["track"])
    if (frame, track) != (int(replayed["frame"]), int(replayed["track"])):
        # The row that comes first in order is the one that the other side lacks.
        earlier = (int(replayed["frame"]), int(replayed["track"])) < (frame, track)
        return _only(replayed, False) if earlier else _only(recorded, True)
    for name in recorded.dtype.names or ():
        if recorded[name].tobytes() != replayed[name].tobytes():
            return Difference(frame, track, name, _word(name, recorded[name]), _word(name, replayed[name]))
    raise AssertionError("the rows are the same")


def _word(name: str, value: np.generic) -> str:
    kinds = {"state": State, "reason": Reason}
    if name in kinds and int(value) in list(kinds[name]):
        return str(kinds[name](int(value)).name).lower()
    return repr(value.item())


def _only(row: np.void, recorded: bool) -> Difference:
    words = ("there", "not there") if recorded else ("not there", "there")
    return Difference(int(row["frame"]), int(row["track"]), "", *words)
