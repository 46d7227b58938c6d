"""What the window remembers from one start to the next."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from pyqtgraph.Qt import QtCore

from app.desk.pipeline.unsaved_pipelines import key_of
from app.gui.settings_file import SettingsFile, Value
from app.sources.reading import Reading
from kernels.errors import SourceError

MOST_RECENT = 12
MOST_READINGS = 500
LATER = 100
"""Milliseconds after which what was set is written."""


class Settings:
    """Kept where programs of the platform keep theirs.

    Args:
        path: a file of its own, for tests; None for the platform's place.
    """

    def __init__(self, path: Path | None = None) -> None:
        begin: Mapping[str, Value] = {}
        if path is None:
            place = QtCore.QStandardPaths.StandardLocation.GenericConfigLocation
            path = Path(QtCore.QStandardPaths.writableLocation(place)) / "fusetrack" / "settings.json"
            begin = {} if path.exists() else _of_before()
        self._kept = SettingsFile.shared(path, begin)
        self._due = False

    def _set(self, name: str, value: Value | None) -> None:
        if self._kept.set(name, value) and not self._due and QtCore.QCoreApplication.instance() is not None:
            self._due = True
            QtCore.QTimer.singleShot(LATER, self.sync)

    def sync(self) -> None:
        """Write what is not written yet, and read what other windows wrote; `trouble` says whether it could be."""
        self._due = False
        self._kept.sync()

    @property
    def trouble(self) -> str:
        """Why what is set cannot be written, as of the last `sync`; "" where it can."""
        return self._kept.trouble

    @property
    def damaged(self) -> Path | None:
        """Where settings lie that could not be read, None for none."""
        return self._kept.damaged

    @property
    def path(self) -> Path:
        """The file."""
        return self._kept.path

    def bytes(self, name: str) -> QtCore.QByteArray | None:
        """A layout or the like."""
        value = self._kept.value(name)
        return QtCore.QByteArray(value) if isinstance(value, bytes) else None

    def set_bytes(self, name: str, value: QtCore.QByteArray) -> None:
        """Keep it."""
        self._set(name, value.data())

    @property
    def recent(self) -> list[str]:
        """What was opened last, newest first."""
        value = self._kept.value("recent")
        return [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []

    def add_recent(self, what: str) -> None:
        """Something was opened."""
        what = key_of(what)
        self.sync()  # another window may have opened something, too
        self._set("recent", [what, *(r for r in self.recent if r != what)][:MOST_RECENT])

    def drop_recent(self, what: str) -> None:
        """It could not be opened."""
        self.sync()
        self._set("recent", [r for r in self.recent if r != key_of(what)])

    def clear_recent(self) -> None:
        """Forget them."""
        self._set("recent", [])

    @property
    def readings(self) -> dict[str, Reading]:
        """How the user has clips read, by file; those whose rate need not be asked again."""
        found: dict[str, Reading] = {}
        with suppress(ValueError, AttributeError, TypeError, SourceError):  # somebody edited the file
            rates = json.loads(self.text("rates", "{}"))  # of versions that knew rates alone, 0 for the file's
            found |= {str(path): Reading(float(fps) or None) for path, fps in rates.items()}
            found |= {str(path): Reading(**kept) for path, kept in json.loads(self.text("readings", "{}")).items()}
        return found

    def set_reading(self, path: str, reading: Reading) -> None:
        """Keep how a file is read."""
        self.sync()
        kept = {k: v for k, v in self.readings.items() if k != path} | {path: reading}
        self.set_text("readings", json.dumps({k: asdict(v) for k, v in list(kept.items())[-MOST_READINGS:]}))
        self.set_text("rates", "{}")

    @property
    def theme(self) -> str:
        """"dark" or "light"."""
        value = self.text("theme", "dark")
        return value if value in ("dark", "light") else "dark"

    @theme.setter
    def theme(self, name: str) -> None:
        self.set_text("theme", name)

    @property
    def folder(self) -> str:
        """Where files were opened last."""
        return self.text("folder")

    @folder.setter
    def folder(self, path: str) -> None:
        self.set_text("folder", path)

    @property
    def folder_of_own(self) -> Path:
        """A folder for files that have no better place."""
        return self.path.parent / "fusetrack-kept"

    def names(self, begin: str) -> list[str]:
        """What is kept under names that begin so."""
        return [name for name in self._kept.names() if name.startswith(begin)]

    def remove(self, name: str) -> None:
        """Keep it no more."""
        self._set(name, None)

    def text(self, name: str, default: str = "") -> str:
        """Any other small thing."""
        value = self._kept.value(name)
        return value if isinstance(value, str) else default

    def set_text(self, name: str, value: str) -> None:
        """Keep it."""
        self._set(name, value)


def _of_before() -> Mapping[str, Value]:
    """What earlier versions kept with Qt; it is read and left as it is."""
    old, found = QtCore.QSettings("fusetrack", "fusetrack"), {}
    old.setFallbacksEnabled(False)  # macOS would give what all programs have
    for name in old.allKeys():
        value = old.value(name)
        if value is None:  # as an empty list is kept
            continue
        found[str(name)] = value.data() if isinstance(value, QtCore.QByteArray) else (
            [str(one) for one in value] if isinstance(value, list) else str(value))  # fmt: skip
    return found
