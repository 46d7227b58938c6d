"""What a user corrects by hand in tracks: a list of steps that is applied to rows when they are read.

The engine's rows stay as they are; every step can be undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from app.desk.steps import Stepped, Steps
from app.desk.tracks.applying import Stage, carry_out
from app.desk.tracks.steps import FIRST_OWN, Action, Delete, Merge, Move, Rename, Retrack, Split, Step, tracks_of
from kernels.errors import InputError
from pipelines.features import Tracks

Ids = npt.NDArray[np.int64]


class Corrections(Stepped[Action]):
    """Steps in the order in which they were made, with undo and redo.

    Attributes:
        version: rises with every change.
    """

    def __init__(self, actions: Sequence[Action] = ()) -> None:
        self._history = Steps[Action]()
        self.version = 0
        self._look()
        for action in actions:
            self.do(action.words, *action.steps)

    def _look(self) -> None:
        self.version += 1
        self.steps: tuple[Step, ...] = tuple(step for action in self._history.done for step in action.steps)
        self._names: dict[int, str] = {}
        self._stages: list[Stage] = []
        for step in self.steps:
            # Names change no rows: moves before and behind one are carried out together.
            if isinstance(step, Rename):
                self._names[step.track] = step.name
            elif isinstance(step, Move) and self._stages and isinstance(self._stages[-1], tuple):
                self._stages[-1] = (*self._stages[-1], step)
            else:
                self._stages.append((step,) if isinstance(step, Move) else step)

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that was done and not undone."""
        return tuple(self._history.done)

    @property
    def names(self) -> dict[int, str]:
        """What tracks are called, of those that the user named."""
        return {track: name for track, name in self._names.items() if name}

    @property
    def named_by_hand(self) -> set[int]:
        """Tracks whose name is the user's choice, not made by a split."""
        chosen = [action for action in self._history.done if not any(isinstance(step, Split) for step in action.steps)]
        return {step.track for action in chosen for step in action.steps if isinstance(step, Rename)}

    def do(self, words: str, *steps: Step) -> None:
        """Correct something; what was undone is gone.

        Raises:
            InputError: a merge of a track with itself, or a split whose new track there is already.
        """
        used = {track for step in self.steps for track in tracks_of(step)}
        for step in steps:
            if isinstance(step, Merge) and step.track == step.other:
                raise InputError("a track cannot be merged with itself; select two tracks")
            if isinstance(step, Split) and (step.new in used or step.new < FIRST_OWN):
                raise InputError(f"there is a track {step.new} already; a split needs a new number")
            used |= set(tracks_of(step))
        self._history.add(Action(words, steps))
        self._look()

    def undo(self) -> None:
        """One action back; nothing happens at the beginning."""
        if self._history.undo() is not None:
            self._look()

    def redo(self) -> None:
        """One action on again; nothing happens at the end."""
        if self._history.redo() is not None:
            self._look()

    def adopt(self, actions: Sequence[Action]) -> None:
        """These in place of what was done; what was undone is gone.

        Raises:
            InputError: as `do`.
        """
        Corrections(actions)  # raises where they make no sense
        self._history.clear()
        self._history.done.extend(actions)
        self._look()

    def clear(self) -> None:
        """Nothing is corrected, and nothing can be undone."""
        self._history.clear()
        self._look()

    def __len__(self) -> int:
        return len(self._history.done)

    @property
    def changes_rows(self) -> bool:
        """Whether rows differ from the engine's."""
        return bool(self._stages)

    def gone(self, track: int) -> bool:
        """Whether steps left nothing of a track: deleted, merged into another one, or made by a split that was
        undone."""
        there = track < FIRST_OWN
        for step in self.steps:
            if isinstance(step, Delete):
                there &= track not in step.tracks
            elif isinstance(step, Merge) and step.other == track:
                there = False
            elif not isinstance(step, Rename):
                there |= track == (step.new if isinstance(step, Split) else step.track)
        return not there

    def free_id(self) -> int:
        """An id for a new track of a split."""
        return max([FIRST_OWN - 1, *(step.new for step in self.steps if isinstance(step, Split))]) + 1

    def hand_places(self, track: int) -> dict[int, tuple[float, float]]:
        """Where a track (by its id after all steps) was set by hand: (x, y) px by frame, rising."""
        found: dict[tuple[int, int], tuple[float, float]] = {}
        for step in self.steps:
            if isinstance(step, Move | Retrack):
                found[step.track, step.frame] = (step.x, step.y)
            elif isinstance(step, Delete):
                found = {key: at for key, at in found.items() if key[0] not in step.tracks}
            elif isinstance(step, Merge):  # where both were set, `track` counts
                moved = {(step.track, key[1]): at for key, at in found.items() if key[0] == step.other}
                found = moved | {key: at for key, at in found.items() if key[0] != step.other}
            elif isinstance(step, Split):
                found = {(step.new if key[0] == step.track and key[1] >= step.frame else key[0], key[1]): at
                         for key, at in found.items()}  # fmt: skip
        return {frame: at for (of, frame), at in sorted(found.items()) if of == track}

    def hand_frames(self, track: int) -> list[int]:
        """The frames in which a track was set by hand."""
        return list(self.hand_places(track))

    def copy(self) -> Corrections:
        """The same steps, to be read in another thread."""
        made = Corrections()
        made._history.done = list(self._history.done)
        made._look()
        return made

    def kin(self, steps: Iterable[Step]) -> set[int]:
        """All tracks that share rows with those that some steps speak of, before or after any of the steps here."""
        groups = [set(tracks_of(step)) for step in (*self.steps, *steps) if not isinstance(step, Rename)]
        found = {track for step in steps for track in tracks_of(step)}
        # Sets of tracks that share one are joined until nothing grows.
        grown = True
        while grown:
            grown = False
            for group in groups:
                if group & found and not group <= found:
                    found |= group
                    grown = True
        return found

    def sources(self, track: int) -> Ids:
        """The engine's tracks (and own ones, where only moves made them) whose rows may become those of `track`."""
        ids = {track}
        # Backwards through the steps: from which tracks rows came before each of them.
        for stage in reversed(self._stages):
            if isinstance(stage, Merge) and stage.track in ids:
                ids.add(stage.other)
            elif isinstance(stage, Split) and stage.new in ids:
                ids.add(stage.track)
        return np.array(sorted(ids), np.int64)

    def apply(self, rows: Tracks, ranges: Sequence[tuple[int, int]]) -> Tracks:
        """The rows as corrected.

        Args:
            rows: all that the engine has of some frames, by frame; not written.
            ranges: those frames, first and last of each run, rising.

        Returns:
            By frame; in a frame the corrected ones in any order.
        """
        return carry_out(self._stages, rows, ranges)
