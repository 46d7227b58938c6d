"""What is labelled in a clip: an immutable value, and what makes another one of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from app.labels.labels import LabelledFrame, Labels
from kernels.errors import DefinitionError, InputError
from kernels.skeleton import skeleton

Places = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Point = tuple[float, float]
MOST_NAME = 40
"""Letters of a point's name; trackers keep as many."""


@dataclass(frozen=True, eq=False)
class Marks:
    """What is said of one frame.

    Args:
        places: (animals, points, 2) x and y in px of the whole picture; NaN where nothing is placed.
        hidden: (animals, points) that cannot be seen there, as somebody said.
    """

    places: Places
    hidden: Flags

    @staticmethod
    def none(animals: int, points: int) -> Marks:
        """Nothing is said yet."""
        return Marks(np.full((animals, points, 2), np.nan), np.zeros((animals, points), bool))

    @property
    def placed(self) -> Flags:
        """(animals, points)."""
        found: Flags = np.isfinite(self.places[..., 0])
        return found

    @property
    def decided(self) -> Flags:
        """(animals, points) that are placed or hidden."""
        return self.placed | self.hidden

    @property
    def animals(self) -> int:
        """How many."""
        return len(self.places)

    def grown(self, animals: int) -> Marks:
        """With room for so many animals at least."""
        more = Marks.none(max(animals - self.animals, 0), self.places.shape[1])
        return Marks(np.concatenate((self.places, more.places)), np.concatenate((self.hidden, more.hidden)))

    def said(self, animal: int, point: int, place: Point | None, hidden: bool = False) -> Marks:
        """With another word about one point."""
        made = self.grown(animal + 1)
        made.places[animal, point] = (np.nan, np.nan) if place is None else place
        made.hidden[animal, point] = hidden
        return made


@dataclass(frozen=True, eq=False)
class Sheet:
    """See the module.

    Args:
        points: what they are called, each once.
        edges: pairs of points (places in `points`) that are joined.
        frames: by number; in each something is said.
        turn: by how many degrees clockwise the pictures are turned in which places count.
    """

    points: tuple[str, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    frames: Mapping[int, Marks] = field(default_factory=lambda: MappingProxyType({}))
    turn: int = 0

    def at(self, frame: int) -> Marks:
        """What is said of a frame."""
        found = self.frames.get(frame)
        return Marks.none(0, len(self.points)) if found is None else found

    @property
    def labelled(self) -> list[int]:
        """Frames in which a point is placed, in order."""
        return sorted(frame for frame, marks in self.frames.items() if marks.placed.any())

    @property
    def animals(self) -> int:
        """How many a frame has at most."""
        return max((marks.animals for marks in self.frames.values()), default=0)

    @property
    def count(self) -> int:
        """How many points are placed."""
        return sum(int(marks.placed.sum()) for marks in self.frames.values())

    def with_marks(self, changed: Mapping[int, Marks]) -> Sheet:
        """With other marks in some frames. Animals behind the last of which something is said are none, and a frame
        in which nothing is said is as if it had not been looked at."""
        frames = dict(self.frames)
        for frame, marks in changed.items():
            some = np.flatnonzero(marks.decided.any(axis=1))
            count = int(some[-1]) + 1 if len(some) else 0
            if count:
                frames[frame] = Marks(marks.places[:count], marks.hidden[:count])
            else:
                frames.pop(frame, None)
        return replace(self, frames=MappingProxyType(frames))

    def without_animal(self, frame: int, animal: int) -> Sheet:
        """Those behind it move up."""
        marks = self.at(frame)
        return self.with_marks({frame: Marks(np.delete(marks.places, animal, axis=0),
                                             np.delete(marks.hidden, animal, axis=0))})  # fmt: skip

    def with_skeleton(self, points: Sequence[str], edges: Sequence[tuple[int, int]]) -> Sheet:
        """With other points: those of the same name keep their labels wherever they are now; a name that is new, in the
        place of one that is gone, is that point's new name.

        Raises:
            InputError: names are empty, too long or come twice, or edges join what is none.
        """
        names = tuple(" ".join(name.split()) for name in points)
        if not all(names) or len(set(names)) < len(names):
            raise InputError("every point needs a name of its own")
        if long := next((name for name in names if len(name) > MOST_NAME or "," in name), None):
            raise InputError(f"the name {long!r} has a comma or more than {MOST_NAME} letters")
        if not all(0 <= a < len(names) and 0 <= b < len(names) and a != b for a, b in edges):
            raise InputError("a skeleton joins two of its points each time")
        before = []
        for place, name in enumerate(names):
            old = self.points.index(name) if name in self.points else -1
            if old < 0 and place < len(self.points) and self.points[place] not in names:
                old = place
            before.append(old)

        def moved(marks: Marks) -> Marks:
            made = Marks.none(marks.animals, len(names))
            for new, old in enumerate(before):
                if old >= 0:
                    made.places[:, new], made.hidden[:, new] = marks.places[:, old], marks.hidden[:, old]
            return made

        made = Sheet(names, tuple(dict.fromkeys(edges)), self.frames, self.turn)
        return made.with_marks({frame: moved(marks) for frame, marks in self.frames.items()})

    def with_labels(self, labels: Labels) -> Sheet:
        """With the labels of a file, in place of those of the same frames; points that are not known yet come behind
        those that are, edges are added. They count in the same pictures."""
        names = (*self.points, *(name for name in labels.points if name not in self.points))
        at = [names.index(name) for name in labels.points]
        joined = [(at[a], at[b]) for a, b in labels.edges]
        known = {frozenset(edge) for edge in self.edges}
        made = self.with_skeleton(names, (*self.edges, *(one for one in joined if frozenset(one) not in known)))
        changed: dict[int, Marks] = {}
        for frame in labels.frames:
            # A frame may come several times, each with other animals: these go behind one another.
            marks = changed.get(frame.index, Marks.none(0, len(names)))
            first = marks.animals
            marks = marks.grown(first + len(frame.points))
            marks.places[first:, at] = frame.points
            if frame.hidden is not None:
                marks.hidden[first:, at] = frame.hidden
            changed[frame.index] = marks
        return made.with_marks(changed)

    def as_labels(self, clip: str) -> Labels:
        """For a file; frames in order."""
        return Labels(self.points, self.edges, tuple(
            LabelledFrame(clip, frame, self.frames[frame].places, self.frames[frame].hidden, self.turn)
            for frame in sorted(self.frames)))  # fmt: skip


def parsed_skeleton(names: str, edges: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """Points and edges as people type them: "nose, left ear, tail" and "nose-tail, nose-left ear".

    Raises:
        InputError: an edge is no pair of points.
    """
    try:
        made = skeleton(names.strip().rstrip(","), edges)
    except DefinitionError as error:
        raise InputError(str(error)) from None
    return made.names, made.edges


def edge_words(points: Sequence[str], edges: Sequence[tuple[int, int]]) -> str:
    """Edges as they are typed."""
    return ", ".join(f"{points[a]}-{points[b]}" for a, b in edges)
