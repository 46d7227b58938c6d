"""The kinds of files of labels, known by their endings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.labels import coco, deeplabcut, sleap
from app.labels.labels import Labels
from kernels.errors import InputError


@dataclass(frozen=True, slots=True)
class LabelFormat:
    """One kind of file.

    Args:
        summary: what it is.
        read: (file, the clip that the user names) -> its labels.
        write: (labels, file, the pictures of the frames as seen from the project's folder, () where there are none).
        edges: whether it holds the skeleton.
    """

    summary: str
    read: Callable[[Path, str | None], Labels]
    write: Callable[[Labels, Path, Sequence[str]], None]
    edges: bool = True


FORMATS: Mapping[str, LabelFormat] = {
    coco.ENDING: LabelFormat("COCO's key points (JSON)", coco.read, coco.write),
    deeplabcut.ENDING: LabelFormat("DeepLabCut's CollectedData or results (CSV)", deeplabcut.read, deeplabcut.write,
                                   edges=False),
    deeplabcut.HDF5: LabelFormat("DeepLabCut's CollectedData or results (HDF5)", deeplabcut.read_hdf5,
                                 deeplabcut.write_hdf5, edges=False),
    sleap.ENDING: LabelFormat("SLEAP's project", sleap.read, sleap.write),
}  # fmt: skip
"""By ending."""


def format_of(path: Path) -> LabelFormat:
    """The kind of a file; raises InputError where its ending is of none."""
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(f"{ending} ({one.summary})" for ending, one in FORMATS.items())
        raise InputError(f"{path} does not end like a file of labels: {known}")
    return found


def read_labels(path: Path, clip: str | None = None) -> Labels:
    """The labels of a file.

    Args:
        path: its ending says of which kind it is.
        clip: of which clip the labels are, where the file names none or one that has moved.

    Raises:
        InputError: it cannot be read, is damaged, or its clip is not there.
    """
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    return format_of(path).read(path, clip)


def write_labels(made: Labels, path: Path, pictures: Sequence[str] = ()) -> None:
    """Write labels as the file's ending says.

    Args:
        made: the labels.
        path: the file.
        pictures: of the frames, as `app.labels.pictures.write_pictures` has written them.

    Raises:
        InputError: no such kind, or the file cannot be written.
    """
    format_of(path).write(made, path, pictures)
