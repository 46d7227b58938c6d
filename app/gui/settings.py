"""What the window remembers from one start to the next."""

from __future__ import annotations

import json
from pathlib import Path

from pyqtgraph.Qt import QtCore

from app.desk.pipeline.shelf import key_of

MOST_RECENT = 12
MOST_RATES = 500


class Settings:
    """Kept by Qt where programs of the platform keep theirs.

    Args:
        path: a file of its own, for tests; None for the platform's place.
    """

    def __init__(self, path: Path | None = None) -> None:
        kind = QtCore.QSettings.Format.IniFormat
        self._kept = QtCore.QSettings("fusetrack", "fusetrack") if path is None else QtCore.QSettings(str(path), kind)

    def bytes(self, name: str) -> QtCore.QByteArray | None:
        """A layout or the like."""
        value = self._kept.value(name)
        return value if isinstance(value, QtCore.QByteArray) else None

    def set_bytes(self, name: str, value: QtCore.QByteArray) -> None:
        """Keep it."""
        self._kept.setValue(name, value)

    @property
    def first_start(self) -> bool:
        """Whether nothing was ever opened."""
        return not self.recent

    @property
    def recent(self) -> list[str]:
        """What was opened last, newest first."""
        value = self._kept.value("recent", [])
        listed = [value] if isinstance(value, str) else list(value or [])
        return [str(item) for item in listed]

    def add_recent(self, what: str) -> None:
        """Something was opened."""
        what = key_of(what)
        self._kept.sync()  # another window may have opened something, too
        self._kept.setValue("recent", [what, *(r for r in self.recent if r != what)][:MOST_RECENT])

    def drop_recent(self, what: str) -> None:
        """It could not be opened."""
        self._kept.sync()
        self._kept.setValue("recent", [r for r in self.recent if r != key_of(what)])

    def clear_recent(self) -> None:
        """Forget them."""
        self._kept.setValue("recent", [])

    @property
    def rates(self) -> dict[str, float]:
        """Capture rates that the user gave, by file; 0 where what the file says is right."""
        try:
            value = json.loads(self.text("rates", "{}"))
            return {str(path): float(fps) for path, fps in value.items()}
        except (ValueError, AttributeError, TypeError):  # somebody edited the file
            return {}

    def set_rate(self, path: str, fps: float) -> None:
        """Keep the rate of a file."""
        self._kept.sync()
        kept = {k: v for k, v in self.rates.items() if k != path} | {path: fps}
        self.set_text("rates", json.dumps(dict(list(kept.items())[-MOST_RATES:])))

    @property
    def theme(self) -> str:
        """"dark" or "light"."""
        value = self._kept.value("theme", "dark")
        return value if value in ("dark", "light") else "dark"

    @theme.setter
    def theme(self, name: str) -> None:
        self._kept.setValue("theme", name)

    @property
    def folder(self) -> str:
        """Where files were opened last."""
        return str(self._kept.value("folder", ""))

    @folder.setter
    def folder(self, path: str) -> None:
        self._kept.setValue("folder", path)

    @property
    def folder_of_own(self) -> Path:
        """A folder for files that have no better place."""
        return Path(self._kept.fileName()).parent / "fusetrack-kept"

    def sync(self) -> None:
        """Write what is not written yet, and read what other windows wrote."""
        self._kept.sync()

    def names(self, begin: str) -> list[str]:
        """What is kept under names that begin so."""
        return [str(name) for name in self._kept.allKeys() if str(name).startswith(begin)]

    def remove(self, name: str) -> None:
        """Keep it no more."""
        self._kept.remove(name)

    def text(self, name: str, default: str = "") -> str:
        """Any other small thing."""
        return str(self._kept.value(name, default))

    def set_text(self, name: str, value: str) -> None:
        """Keep it."""
        self._kept.setValue(name, value)
