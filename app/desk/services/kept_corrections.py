"""The corrections of what is open as the file beside its clip keeps them: read when it is opened, written after each
change, put together with what another window wrote meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.regions import region
from app.desk.sidecars import corrections_file
from app.desk.sidecars.corrections_file import CorrectionsChanged, ExternalCorrections, Provenance, shared
from app.desk.sidecars.corrections_writer import CorrectionsWriter, WantedCorrections
from app.desk.sidecars.sidecar import set_by
from app.desk.tracks.corrections import Corrections
from app.desk.tracks.steps import Action
from kernels.errors import InputError
from pipelines.writing import dumps


class KeptCorrections:
    """See the module.

    Args:
        bench: the state behind the window.

    Attributes:
        made: what was corrected.
        path: of the file; None where the clip is no file (cameras, scenes that are simulated).
        theirs: what another window wrote and cannot be put together with what was done here, until somebody says what
            is to stay (`take_theirs`, `keep_mine`); None for nothing. `asked` is called when that has changed.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.made = Corrections()
        self.path: Path | None = None
        self._of: Provenance | None = None
        self._warned = False
        self._writer = CorrectionsWriter()
        self.theirs: ExternalCorrections | None = None
        self.asked: Callable[[], object] = lambda: None
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.PIPELINE, self._compare)

    def provenance(self) -> Provenance:
        """What corrections are made of now."""
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
        # What was corrected of the clip before must be on the disk first; what `poll` puts together is written once
        # more.
        self._writer.flush()
        self.poll(left=True)
        self._writer.flush()
        self._writer.changed()  # yet again: it is tried once more when the clip is opened, or the program ends
        self._leave_mine()
        self.made, self._of, self._warned = Corrections(), None, False
        self.path = None
        if bench.opened is None or bench.asked is None:
            return
        what = bench.asked.what
        if not bench.live and not what.startswith("sim:"):
            self.path = corrections_file.path_for(what)
            self._read(self.path)
        bench.store.corrections = self.made
        if len(self.made):
            bench.tracks.corrected(self.made.names)

    def _read(self, path: Path) -> None:
        now = self.provenance()
        trouble = ""
        unwritten = self._writer.failed.get(corrections_file.aside(path, now))
        # What could not be written is newer than the file.
        if unwritten is not None and unwritten.actions:
            self.made, self._of = Corrections(unwritten.actions), now
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
                self.made, self._of = Corrections(actions), of
                self._writer.known[corrections_file.aside(path, now)] = digest, actions
                count = len(actions)
                self._bench.speak(Level.NOTE, f"{count} correction{'s' if count > 1 else ''} read from {wanted.name}: "
                                              "undo begins after them, Tracks > Forget all corrections takes them "
                                              "back")  # fmt: skip
                return
        if trouble:
            self._bench.speak(Level.WARNING, f"{path.name} holds corrections of tracks made with {trouble}; they are "
                                             "not applied, as numbers of tracks mean others now")  # fmt: skip

    def _compare(self) -> None:
        """Say once that numbers of tracks may have changed under the corrections."""
        if self._of is None or self._bench.opened is None or not self.made.changes_rows:
            return
        trouble = self.provenance().differences(self._of)
        if trouble and not self._warned:
            self._bench.speak(Level.WARNING, f"tracks are computed with {trouble} from now on; look whether your "
                                             "corrections still fit, or forget them (menu Tracks)")  # fmt: skip
        self._warned = bool(trouble)

    @property
    def there(self) -> bool:
        """Whether there are some of these settings."""
        return bool(len(self.made))

    def begin(self, actions: tuple[Action, ...]) -> None:
        """Go on from these, which are written beside the clip.

        Raises:
            InputError: they make no sense.
        """
        self.made.adopt(actions)
        self.changed()

    def changed(self) -> None:
        """Something was corrected, or undone: tell the bench, and write it."""
        bench = self._bench
        self._of = self.provenance() if bench.opened is not None else None
        bench.tracks.corrected(self.made.names)
        self._keep()

    def _keep(self, left: bool = False) -> None:
        if self.path is None or self._of is None or self.theirs is not None:
            return
        try:
            self._writer.keep(self.path, self.made.actions, self._of)
        except CorrectionsChanged:
            self._meet(left)
        except InputError as error:  # said, not raised: the correction holds, and clocks that make some have no guard
            self._bench.speak(Level.ERROR, str(error))

    def poll(self, left: bool = False) -> None:
        """Say what came of writing the file, if anything went wrong; called now and then. `left`: another clip is open
        than that of the corrections."""
        for error, sentence in self._writer.poll():
            self._bench.speak(Level.ERROR if error else Level.NOTE, sentence)
        if self._writer.changed() and self.path is not None and self._of is not None:
            self._meet(left)

    def close(self, seconds: float, rescue: Path) -> list[str]:
        """The program ends: wait for what is being written, at most so many seconds; see `SidecarFile.close`."""
        self._leave_mine()
        return self._writer.close(seconds, rescue)

    # ------------------------------------------------------------------------------------------ another window's

    def _meet(self, left: bool = False) -> None:
        """Another window has corrected tracks of the same clip: what both did is put together, or asked about."""
        path, of = self.path, self._of
        assert path is not None
        assert of is not None
        key = corrections_file.aside(path, of)
        self._writer.failed.pop(key, None)
        try:
            theirs, digest = corrections_file.there(path, of)
            known = self._writer.known.get(key)
            ours = self.made.actions
            # Where nothing of it was read here, both have in common what they begin with.
            base = known[1] if known is not None else shared(ours, theirs)
            both = corrections_file.merged(base, ours, theirs)
            if both is not None:
                self.made.adopt(both)
        except InputError as error:
            self._bench.speak(Level.ERROR, str(error))
            return
        if both is None:
            self.theirs = ExternalCorrections(path, theirs, digest)
            self._bench.speak(Level.WARNING, f"{path.name} was changed by another window, and both cannot be put "
                                             "together; nothing is written until you say which corrections are to stay")
            self.asked()
            return
        new = len(theirs) - len(base)
        self._writer.known[key] = digest, theirs
        self._bench.speak(Level.NOTE, f"another window has corrected tracks of this clip, too: its {new} "
                                      f"step{'s' if new != 1 else ''} and yours are put together")  # fmt: skip
        if left:
            self._keep(left)
        else:
            self.changed()

    def take_theirs(self) -> None:
        """What the other window wrote holds; what was done here goes into a file beside."""
        theirs = self.theirs
        if theirs is not None and self._of is not None:
            self._leave_mine()  # which ends the question
            self.made.adopt(theirs.actions)
            self._writer.known[corrections_file.aside(theirs.path, self._of)] = theirs.digest, theirs.actions
            self._bench.tracks.corrected(self.made.names)

    def keep_mine(self) -> None:
        """What was done here holds; what the other window wrote goes into a file beside."""
        theirs, self.theirs = self.theirs, None
        if theirs is not None and self._of is not None:
            self._set_by(theirs.path, theirs.actions, self._of, "other")
            self._writer.known[corrections_file.aside(theirs.path, self._of)] = theirs.digest, theirs.actions
            self.changed()
        self.asked()

    def _leave_mine(self) -> None:
        """What could not be put together with another window's is not lost."""
        theirs, self.theirs = self.theirs, None
        if theirs is not None and self._of is not None:
            self._set_by(theirs.path, self.made.actions, self._of, "mine")
            self.asked()

    def _set_by(self, path: Path, actions: tuple[Action, ...], of: Provenance, ending: str) -> None:
        if not actions:
            return
        try:
            beside = set_by(path, ending)
            corrections_file.save(beside, actions, of)
            self._bench.speak(Level.NOTE, f"{len(actions)} other correction{'s' if len(actions) != 1 else ''} "
                                          f"lie in {beside.name}")  # fmt: skip
        except InputError as error:
            self._bench.speak(Level.ERROR, str(error))
            left = WantedCorrections(path, actions, of, str(error))
            self._writer.failed[path.with_name(f"{path.name}.{ending}")] = left
