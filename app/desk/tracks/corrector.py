"""Corrections of what is open: made, undone, kept in a file beside the clip, and read again when it is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from app.desk.bench.topics import Level, Topic
from app.desk.pipeline.regions import region
from app.desk.tracks import corrections_file
from app.desk.tracks.applying import seen_at_once
from app.desk.tracks.corrections import Corrections
from app.desk.tracks.corrections_file import CorrectionsChanged, Provenance
from app.desk.tracks.keeping import Keeper, Wanted
from app.desk.tracks.steps import Action, Delete, Merge, Move, Rename, Retrack, Split, Step, split_name
from app.desk.tracks.theirs import Theirs, shared
from app.desk.workbench import Workbench
from kernels.errors import InputError
from pipelines.writing import dumps


class Corrector:
    """See the module.

    Args:
        bench: the state behind the window.

    Attributes:
        path: of the file; None where the clip is no file (cameras, scenes that are simulated).
        follow: begins to follow a track anew from a place (`Retracker.begin`); None where nothing can.
        progress: says how far that is, "" for nothing.
        pending: the places from which a track is being followed: (frame, (x, y)), px, as they were given.
        theirs: what another window wrote and cannot be put together with what was done here, until somebody says what
            is to stay (`take_theirs`, `keep_mine`); None for nothing. `asked` is called when that has changed.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.path: Path | None = None
        self._made = Corrections()
        self._of: Provenance | None = None
        self._warned = False
        self._keeper = Keeper()
        self.theirs: Theirs | None = None
        self.asked: Callable[[], object] = lambda: None
        self.follow: Callable[[int, int, float, float], object] | None = None
        self.progress: Callable[[], str] = str
        self.pending: Callable[[int], Sequence[tuple[int, tuple[float, float]]]] = lambda _track: ()
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.PIPELINE, self._compare)

    @property
    def corrections(self) -> Corrections:
        """What was corrected."""
        return self._made

    # -------------------------------------------------------------------------------------------------- the file

    def _provenance(self) -> Provenance:
        bench = self._bench
        assert bench.info is not None
        roi = tuple(region(bench) or ())
        text = dumps(replace(bench.pipeline, name="", summary=""))  # what it is called changes no track
        return Provenance(
            bench.info.name, bench.info.frames, bench.info.width, bench.info.height, bench.pipeline.name,
            corrections_file.digest(text), roi,
        )  # fmt: skip

    def _opened(self) -> None:
        bench = self._bench
        self._keeper.flush()
        self.poll(left=True)
        self._keeper.flush()
        self._keeper.changed()  # yet again: it is tried once more when the clip is opened, or the program ends
        self._leave_mine()
        self._made, self._of, self._warned = Corrections(), None, False
        self.path = None
        if bench.opened is None or bench.asked is None:
            return
        what = bench.asked.what
        if not bench.live and not what.startswith("sim:"):
            self.path = corrections_file.path_for(what)
            self._read(self.path)
        bench.store.corrections = self._made
        if len(self._made):
            bench.corrected(self._made.names)

    def _read(self, path: Path) -> None:
        now = self._provenance()
        trouble = ""
        unwritten = self._keeper.failed.get(corrections_file.aside(path, now))
        if unwritten is not None and unwritten.actions:
            self._made, self._of = Corrections(unwritten.actions), now
            self._bench.speak(Level.WARNING, f"the corrections are those that could not be written: {unwritten.why}")
            return
        for wanted in (path, corrections_file.aside(path, now)):
            if not wanted.exists():
                continue
            try:
                actions, of, digest = corrections_file.load_known(wanted)
            except InputError as error:
                self._bench.speak(Level.WARNING, str(error))
                continue
            if of.settings == corrections_file.digest(dumps(self._bench.pipeline)):  # written with its name in it
                of = replace(of, settings=now.settings)
            trouble = of.differences(now)
            if not trouble:
                self._made, self._of = Corrections(actions), of
                self._keeper.known[corrections_file.aside(path, now)] = digest, actions
                count = len(actions)
                self._bench.speak(Level.NOTE, f"{count} correction{'s' if count > 1 else ''} read from {wanted.name}")
                return
        if trouble:
            self._bench.speak(Level.WARNING, f"{path.name} holds corrections of tracks made with {trouble}; they are "
                                             "not applied, as numbers of tracks mean others now")  # fmt: skip

    def _compare(self) -> None:
        """Say once that numbers of tracks may have changed under the corrections."""
        if self._of is None or self._bench.opened is None or not self._made.changes_rows:
            return
        trouble = self._provenance().differences(self._of)
        if trouble and not self._warned:
            self._bench.speak(Level.WARNING, f"tracks are computed with {trouble} from now on; look whether your "
                                             "corrections still fit, or forget them (menu Tracks)")  # fmt: skip
        self._warned = bool(trouble)

    def _changed(self) -> None:
        bench = self._bench
        self._of = self._provenance() if bench.opened is not None else None
        bench.corrected(self._made.names)
        self._keep()

    def _keep(self, left: bool = False) -> None:
        if self.path is None or self._of is None or self.theirs is not None:
            return
        try:
            self._keeper.keep(self.path, self._made.actions, self._of)
        except CorrectionsChanged:
            self._meet(left)
        except InputError as error:  # said, not raised: the correction holds, and clocks that make some have no guard
            self._bench.speak(Level.ERROR, str(error))

    def poll(self, left: bool = False) -> None:
        """Say what came of writing the file, if anything went wrong; called now and then. `left`: another clip is open
        than that of the corrections."""
        trouble = self._keeper.poll()
        if trouble:
            self._bench.speak(Level.ERROR, trouble)
        if self._keeper.changed() and self.path is not None and self._of is not None:
            self._meet(left)

    def close(self, seconds: float, rescue: Path) -> list[str]:
        """The program ends: wait for what is being written, at most so many seconds; see `Keeper.close`."""
        self._leave_mine()
        return self._keeper.close(seconds, rescue)

    # ------------------------------------------------------------------------------------------ another window's

    def _meet(self, left: bool = False) -> None:
        """Another window has corrected tracks of the same clip: what both did is put together, or asked about."""
        path, of = self.path, self._of
        assert path is not None
        assert of is not None
        key = corrections_file.aside(path, of)
        self._keeper.failed.pop(key, None)
        try:
            theirs, digest = corrections_file.there(path, of)
            known = self._keeper.known.get(key)
            ours = self._made.actions
            base = known[1] if known is not None else shared(ours, theirs)
            both = corrections_file.merged(base, ours, theirs)
            if both is not None:
                self._made.adopt(both)
        except InputError as error:
            self._bench.speak(Level.ERROR, str(error))
            return
        if both is None:
            self.theirs = Theirs(path, theirs, digest)
            self._bench.speak(Level.WARNING, f"{path.name} was changed by another window, and both cannot be put "
                                             "together; nothing is written until you say which corrections are to stay")
            self.asked()
            return
        new = len(theirs) - len(base)
        self._keeper.known[key] = digest, theirs
        self._bench.speak(Level.NOTE, f"another window has corrected tracks of this clip, too: its {new} "
                                      f"step{'s' if new != 1 else ''} and yours are put together")  # fmt: skip
        if left:
            self._keep(left)
        else:
            self._changed()

    def take_theirs(self) -> None:
        """What the other window wrote holds; what was done here goes into a file beside."""
        theirs = self.theirs
        if theirs is not None and self._of is not None:
            self._leave_mine()  # which ends the question
            self._made.adopt(theirs.actions)
            self._keeper.known[corrections_file.aside(theirs.path, self._of)] = theirs.digest, theirs.actions
            self._bench.corrected(self._made.names)

    def keep_mine(self) -> None:
        """What was done here holds; what the other window wrote goes into a file beside."""
        theirs, self.theirs = self.theirs, None
        if theirs is not None and self._of is not None:
            self._set_by(theirs.path, theirs.actions, self._of, "other")
            self._keeper.known[corrections_file.aside(theirs.path, self._of)] = theirs.digest, theirs.actions
            self._changed()
        self.asked()

    def _leave_mine(self) -> None:
        """What could not be put together with another window's is not lost."""
        theirs, self.theirs = self.theirs, None
        if theirs is not None and self._of is not None:
            self._set_by(theirs.path, self._made.actions, self._of, "mine")
            self.asked()

    def _set_by(self, path: Path, actions: tuple[Action, ...], of: Provenance, ending: str) -> None:
        if not actions:
            return
        try:
            beside = corrections_file.set_by(path, ending)
            corrections_file.save(beside, actions, of)
            self._bench.speak(Level.NOTE, f"{len(actions)} other correction{'s' if len(actions) != 1 else ''} "
                                          f"lie in {beside.name}")  # fmt: skip
        except InputError as error:
            self._bench.speak(Level.ERROR, str(error))
            self._keeper.failed[path.with_name(f"{path.name}.{ending}")] = Wanted(path, actions, of, str(error))

    # --------------------------------------------------------------------------------------------------- correcting

    def _do(self, words: str, *steps: Step) -> None:
        if self._bench.opened is None:
            raise InputError("open a clip first; there are no tracks to correct")
        self._made.do(words, *steps)
        self._changed()

    def rename(self, track: int, name: str) -> None:
        """Call a track otherwise; "" gives it its number back."""
        if name.strip() != self._made.names.get(track, ""):
            self._do(f"rename {self._bench.name(track)}", Rename(track, name.strip()))

    def delete(self, tracks: Sequence[int]) -> None:
        """These are none.

        Raises:
            InputError: there are none given.
        """
        if not tracks:
            raise InputError("select the tracks to delete first")
        words = f"delete {self._bench.name(tracks[0])}" if len(tracks) == 1 else f"delete {len(tracks)} tracks"
        self._do(words, Delete(tuple(tracks)))
        self._bench.select([t for t in self._bench.selected if t not in tracks])
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
        names = self._made.names
        steps: list[Step] = [Merge(first, other) for other in others]
        given = {track for track in self._made.named_by_hand if track in names}
        if first not in names:  # a name that the user gave to one of them stays
            steps += [Rename(first, names[other]) for other in others if other in given][:1]
        called = [self._bench.name(t) for t in (first, *others)]
        both = seen_at_once([self._bench.store.track(track) for track in tracks])
        self._do(f"merge {', '.join(called[:4])}", *steps)
        self._bench.select([first])
        these = " and ".join(called) if len(called) < 5 else f"{len(called)} tracks"
        words = f"{these} are one track now: {self._bench.name(first)}"
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
            raise InputError(f"track {self._bench.name(track)} cannot be split at frame {self._bench.number(frame)}: "
                             "it has rows on one side only")  # fmt: skip
        new = self._made.free_id()
        name = split_name(self._bench.name(track), self._bench.names.values())
        self._do(f"split {self._bench.name(track)}", Split(track, frame, new), Rename(new, name))
        self._bench.select([new])  # what is to be deleted, or merged with another one
        was, number = self._bench.name(track), self._bench.number(frame)
        self._bench.speak(Level.NOTE, f"{was} ends before frame {number}; from there on it is {name}, which is "
                                      "selected")  # fmt: skip
        return new

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
        self._do(f"move {self._bench.name(track)}", Move(track, frame, self._time(frame), float(x), float(y)))

    def next_hand(self, track: int, frame: int) -> int:
        """The first frame after `frame` in which the track was set by hand; -1 for none."""
        return next((at for at in self._made.hand_frames(track) if at > frame), -1)

    def retracked(self, track: int, frame: int, x: float, y: float, rows: str) -> None:
        """It was followed anew from there (`app.desk.tracks.retracker`): its rows are these, up to where it was set by
        hand later."""
        words = f"re-track {self._bench.name(track)} from frame {self._bench.number(frame)}"
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
        self._made.undo()
        self._changed()

    def redo(self) -> None:
        """One action on again."""
        self._made.redo()
        self._changed()

    def forget(self) -> None:
        """No corrections any more; the file goes."""
        self._made.clear()
        self._changed()
