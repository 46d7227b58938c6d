"""Corrections of tracks as a user makes them: each is one action that can be undone, and says what it did."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.services.kept_corrections import KeptCorrections
from app.desk.tracks.applying import seen_at_once
from app.desk.tracks.corrections import Corrections
from app.desk.tracks.steps import Delete, Merge, Move, Rename, Retrack, Split, Step, split_name
from kernels.errors import InputError


class Corrector:
    """See the module.

    Args:
        bench: the state behind the window.

    Attributes:
        kept: the corrections, in the file beside the clip.
        follow: begins to follow a track anew from a place (`Retracker.begin`); None where nothing can.
        progress: says how far that is, "" for nothing.
        pending: the places from which a track is being followed: (frame, (x, y)), px, as they were given.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.kept = KeptCorrections(bench)
        self.follow: Callable[[int, int, float, float], object] | None = None
        self.progress: Callable[[], str] = str
        self.pending: Callable[[int], Sequence[tuple[int, tuple[float, float]]]] = lambda _track: ()

    @property
    def corrections(self) -> Corrections:
        """What was corrected."""
        return self.kept.made

    def _do(self, words: str, *steps: Step) -> None:
        if self._bench.opened is None:
            raise InputError("open a clip first; there are no tracks to correct")
        self.corrections.do(words, *steps)
        self.kept.changed()

    def rename(self, track: int, name: str) -> None:
        """Call a track otherwise; "" gives it its number back."""
        if name.strip() != self.corrections.names.get(track, ""):
            self._do(f"rename {self._bench.tracks.name(track)}", Rename(track, name.strip()))

    def delete(self, tracks: Sequence[int]) -> None:
        """These are none.

        Raises:
            InputError: there are none given.
        """
        if not tracks:
            raise InputError("select the tracks to delete first")
        words = f"delete {self._bench.tracks.name(tracks[0])}" if len(tracks) == 1 else f"delete {len(tracks)} tracks"
        self._do(words, Delete(tuple(tracks)))
        self._bench.tracks.select([t for t in self._bench.selected if t not in tracks])
        gone = f"track {words.removeprefix('delete ')}" if len(tracks) == 1 else f"{len(tracks)} tracks"
        self._bench.speak(Level.NOTE, f"deleted {gone}; undo brings {'it' if len(tracks) == 1 else 'them'} back")

    def merge(self, tracks: Sequence[int]) -> None:
        """These are one thing; the one that began first gives the number.

        Raises:
            InputError: fewer than two are given.
        """
        if len(tracks) < 2:
            raise InputError("select two tracks or more to merge (Ctrl and click)")
        begins = {track: int(rows["frame"][0]) for track in tracks if len(rows := self._bench.store.track(track))}
        first, *others = sorted(tracks, key=lambda track: (begins.get(track, 1 << 62), track))
        names = self.corrections.names
        steps: list[Step] = [Merge(first, other) for other in others]
        given = {track for track in self.corrections.named_by_hand if track in names}
        if first not in names:  # a name that the user gave to one of them stays
            steps += [Rename(first, names[other]) for other in others if other in given][:1]
        called = [self._bench.tracks.name(t) for t in (first, *others)]
        both = seen_at_once([self._bench.store.track(track) for track in tracks])
        self._do(f"merge {', '.join(called[:4])}", *steps)
        self._bench.tracks.select([first])
        these = " and ".join(called) if len(called) < 5 else f"{len(called)} tracks"
        words = f"{these} are one track now: {self._bench.tracks.name(first)}"
        if both:  # what is seen twice at once is hardly one thing
            frames = f"in {both} frame{'s' if both != 1 else ''}"
            words += f"; {frames} both were seen, and one place stays: undo if they are two things"
        self._bench.speak(Level.WARNING if both else Level.NOTE, words)

    def split(self, track: int, frame: int) -> int:
        """From `frame` on it is another thing; its id.

        Raises:
            InputError: the track has no rows on one of the sides.
        """
        frames = self._bench.store.track(track)["frame"]
        if not len(frames) or not frames[0] < frame <= frames[-1]:
            name, number = self._bench.tracks.name(track), self._bench.number(frame)
            raise InputError(f"track {name} cannot be split at frame {number}: it has rows on one side only")
        new = self.corrections.free_id()
        name = split_name(self._bench.tracks.name(track), self._bench.names.values())
        self._do(f"split {self._bench.tracks.name(track)}", Split(track, frame, new), Rename(new, name))
        self._bench.tracks.select([new])  # what is to be deleted, or merged with another one
        was, number = self._bench.tracks.name(track), self._bench.number(frame)
        self._bench.speak(Level.NOTE, f"{was} ends before frame {number}; from there on it is {name}, which is "
                                      "selected")  # fmt: skip
        return new

    def swap(self, tracks: Sequence[int], frame: int) -> None:
        """Two tracks took one another's things: from `frame` on each is the other one.

        Raises:
            InputError: not two are given, or neither has rows from there on.
        """
        if len(tracks) != 2:
            raise InputError("select the two tracks whose things were taken for one another (Ctrl and click)")
        first, second = tracks
        called = " and ".join(self._bench.tracks.name(track) for track in tracks)
        number = self._bench.number(frame)
        if not any(len(rows) and rows[-1] >= frame for rows in (self._bench.store.track(t)["frame"] for t in tracks)):
            raise InputError(f"neither {called} goes on at frame {number}; there is nothing to exchange")
        new = self.corrections.free_id()
        # Both are cut at the frame, and the parts behind it are joined crosswise.
        self._do(f"swap {called}", Split(first, frame, new), Split(second, frame, new + 1), Merge(first, new + 1),
                 Merge(second, new))  # fmt: skip
        self._bench.speak(Level.NOTE, f"from frame {number} on {called} are exchanged; undo takes it back")

    def correct(self, track: int, frame: int, x: float, y: float) -> None:
        """It is there in that frame, and what follows is found anew from there.

        Raises:
            InputError: nothing can be followed.
        """
        if self.follow is None:
            self.move(track, frame, x, y)
        else:
            self.follow(track, frame, x, y)

    def move(self, track: int, frame: int, x: float, y: float) -> None:
        """It is there in that frame; between two frames set by hand it runs along a straight line."""
        self._do(f"move {self._bench.tracks.name(track)}", Move(track, frame, self._time(frame), float(x), float(y)))

    def next_hand(self, track: int, frame: int) -> int:
        """The first frame after `frame` in which the track was set by hand; -1 for none."""
        return next((at for at in self.corrections.hand_frames(track) if at > frame), -1)

    def retracked(self, track: int, frame: int, x: float, y: float, rows: str) -> None:
        """It was followed anew from there (`app.desk.services.retracker`): its rows are these, up to where it was set
        by hand later."""
        words = f"re-track {self._bench.tracks.name(track)} from frame {self._bench.number(frame)}"
        self._do(words, Retrack(track, frame, float(x), float(y), self.next_hand(track, frame), rows))

    def _time(self, frame: int) -> float:
        bench = self._bench
        rows = bench.store.raw_between(frame, frame)
        if len(rows):
            return float(rows["time"][0])
        if bench.shown is not None and bench.shown.frame == frame:
            return bench.shown.time
        fps = bench.info.time.fps if bench.info is not None else 0.0
        return frame / fps if fps > 0 else float(frame)

    # ----------------------------------------------------------------------------------------------- undo and redo

    def undo(self) -> None:
        """One action back."""
        self.corrections.undo()
        self.kept.changed()
        self._still_there()

    def redo(self) -> None:
        """One action on again."""
        self.corrections.redo()
        self.kept.changed()
        self._still_there()

    def _still_there(self) -> None:
        """Tracks that a step back took away are selected no more."""
        kept = [track for track in self._bench.selected if not self.corrections.gone(track)]
        if kept != list(self._bench.selected):
            self._bench.tracks.select(kept)

    def forget(self) -> None:
        """No corrections any more; the file goes."""
        self.corrections.clear()
        self.kept.changed()
