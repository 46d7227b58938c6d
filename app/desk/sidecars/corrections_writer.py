"""Writes corrections into their file: at once where they are short, in a thread where tracks were followed anew.

What another window has written since is not written over; what cannot be written is kept in memory and tried again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from app.desk.sidecars import corrections_file
from app.desk.sidecars.corrections_file import CorrectionsChanged, Provenance
from app.desk.sidecars.sidecar import SidecarFile
from app.desk.tracks.steps import Action, Retrack

AT_ONCE = 100_000
"""Characters of rows that are written without a thread."""


@dataclass(frozen=True, slots=True)
class WantedCorrections:
    """What is to be written, and where; `why` it could not be, "" where it was not tried."""

    path: Path
    actions: tuple[Action, ...]
    provenance: Provenance
    why: str = ""

    @property
    def key(self) -> Path:
        """Of these settings."""
        return corrections_file.aside(self.path, self.provenance)


class CorrectionsWriter(SidecarFile[WantedCorrections]):
    """See the module.

    Attributes:
        known: what was read or written last, by file and settings: the digest and the actions.
    """

    what = "corrections"

    def __init__(self) -> None:
        super().__init__()
        self._changed = False
        self.known: dict[Path, tuple[str, tuple[Action, ...]]] = {}

    def keep(self, path: Path, actions: tuple[Action, ...], provenance: Provenance) -> None:
        """Write them.

        Raises:
            CorrectionsChanged: somebody else wrote there, as far as that is known at once.
            InputError: they cannot be written, as far as that is known at once.
        """
        wanted = WantedCorrections(path, actions, provenance)
        rows = sum(len(step.rows) for action in actions for step in action.steps if isinstance(step, Retrack))
        # Never beside a thread that writes: its older state could be written last.
        if rows <= AT_ONCE and self._thread is None:
            self.save(wanted)
        else:
            self.save_soon(wanted)

    def changed(self) -> bool:
        """Whether the thread found that somebody else wrote there, once."""
        with self._lock:
            found, self._changed = self._changed, False
        return found

    def _write(self, wanted: WantedCorrections) -> str:
        digest, _ = self.known.get(wanted.key, ("", ()))
        digest = corrections_file.save(wanted.path, wanted.actions, wanted.provenance, digest)
        self.known[wanted.key] = digest, wanted.actions
        return ""

    def _write_copy(self, wanted: WantedCorrections, path: Path) -> None:
        corrections_file.save(path, wanted.actions, wanted.provenance)

    def _is_worth_a_copy(self, wanted: WantedCorrections) -> bool:
        return bool(wanted.actions)

    def _refused(self, wanted: WantedCorrections, error: Exception) -> WantedCorrections:
        return replace(wanted, why=self._why(wanted, error))

    def _failed_behind(self, wanted: WantedCorrections, error: Exception) -> None:
        if isinstance(error, CorrectionsChanged):
            with self._lock:
                self._changed = True
        else:
            super()._failed_behind(wanted, error)
