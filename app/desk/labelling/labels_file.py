"""Writes the labels of a clip into its file after each change, in a thread; the newest state wins."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from app.desk.labelling.sheet import Sheet
from app.desk.sidecars.sidecar import SidecarFile, digest_of, locked, set_by
from app.files.atomic import write_bytes
from app.labels import coco
from app.labels.labels import Labels
from kernels.errors import InputError


@dataclass(frozen=True, eq=False)
class WantedLabels:
    """What is to be written, and where."""

    path: Path
    clip: str
    sheet: Sheet

    @property
    def key(self) -> Path:
        """The file."""
        return self.path


class LabelsFile(SidecarFile[WantedLabels]):
    """See the module."""

    what = "labels"

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Path, str] = {}

    def read(self, path: Path, clip: str, turn: int = 0, size: tuple[int, int] = (0, 0)) -> Sheet:
        """What a file holds; nothing where there is none, and where labels wait that could not be written, those.

        Args:
            path: the file.
            clip: of which it is.
            turn: by how many degrees the pictures are turned in which places are to count.
            size: width and height of the stored pictures, px.

        Raises:
            InputError: it cannot be read. What is written later puts it aside.
        """
        self.flush()
        if path in self.failed:
            return _turned(self.failed[path].sheet.as_labels(clip), turn, size)
        self._known[path] = ""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return Sheet(turn=turn)
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
        sheet = _turned(coco.parsed(data, path, clip, begun=True), turn, size)
        self._known[path] = digest_of(data)
        return sheet

    def keep(self, path: Path, clip: str, sheet: Sheet) -> None:
        """Have it written soon."""
        self.save_soon(WantedLabels(path, clip, sheet))

    def _write(self, wanted: WantedLabels) -> str:
        path, aside = wanted.path, None
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.parent):
            there = digest_of(path.read_bytes()) if path.exists() else ""
            # A file that is gone was moved or deleted: nothing is written over.
            if there not in ("", self._known.get(path, "")):
                aside = set_by(path, "old")
                os.replace(path, aside)
            if wanted.sheet.points:
                data = coco.text_of(wanted.sheet.as_labels(wanted.clip), path).encode()
                write_bytes(path, data)
                self._known[path] = digest_of(data)
            else:
                path.unlink(missing_ok=True)
                self._known[path] = ""
        if aside is None:
            return ""
        return (f"{path.name} was changed by another window or program, or could not be read; what was in it lies in "
                f"{aside.name}, and your labels are kept")  # fmt: skip

    def _write_copy(self, wanted: WantedLabels, path: Path) -> None:
        coco.write(wanted.sheet.as_labels(str(Path(wanted.clip).absolute())), path)

    def _why(self, wanted: WantedLabels, error: Exception) -> str:
        return f"the labels are not kept: {error}" if isinstance(error, InputError) else super()._why(wanted, error)


def _turned(labels: Labels, turn: int, size: tuple[int, int]) -> Sheet:
    frames = tuple(frame.turned(turn, size) for frame in labels.frames)
    return Sheet(turn=turn).with_labels(replace(labels, frames=frames))
