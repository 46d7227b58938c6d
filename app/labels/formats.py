"""The kinds of files of labels, known by their endings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.labels import coco, deeplabcut, sleap, sleap_csv, sleap_json
from app.labels.labels import Labels
from app.labels.turning import for_others, of_others
from app.path_kinds import Kind, refuse_others
from kernels.errors import InputError


@dataclass(frozen=True, slots=True)
class LabelFormat:
    """One kind of file.

    Args:
        summary: what it is.
        read: (file, the clip that the user names) -> its labels.
        write: (labels, file, the pictures of the frames as seen from the project's folder, () where there are none).
        edges: whether it holds the skeleton.
        turn: whether it says in which picture places count; in others it is the one that the clip asks to be shown as.
    """

    summary: str
    read: Callable[[Path, str | None], Labels]
    write: Callable[[Labels, Path, Sequence[str]], None]
    edges: bool = True
    turn: bool = False


def _read_json(path: Path, clip: str | None) -> Labels:
    return of_others(sleap_json.read(path, clip)) if sleap_json.is_it(path) else coco.read(path, clip)


def _read_csv(path: Path, clip: str | None) -> Labels:
    return of_others((sleap_csv if sleap_csv.is_it(path) else deeplabcut).read(path, clip))


def _read_hdf5(path: Path, clip: str | None) -> Labels:
    return of_others(deeplabcut.read_hdf5(path, clip))


def _read_project(path: Path, clip: str | None) -> Labels:
    return of_others(sleap.read(path, clip))


FORMATS: Mapping[str, LabelFormat] = {
    coco.ENDING: LabelFormat("COCO's key points (JSON)", _read_json, coco.write, turn=True),
    deeplabcut.ENDING: LabelFormat("DeepLabCut's CollectedData or results (CSV)", _read_csv, deeplabcut.write,
                                   edges=False),
    deeplabcut.HDF5: LabelFormat("DeepLabCut's CollectedData or results (HDF5)", _read_hdf5,
                                 deeplabcut.write_hdf5, edges=False),
    sleap.ENDING: LabelFormat("SLEAP's project", _read_project, sleap.write),
    sleap_json.ENDING: LabelFormat("SLEAP's JSON", _read_json, sleap_json.write),
    sleap_csv.ENDING: LabelFormat("SLEAP's analysis table (CSV)", _read_csv, sleap_csv.write, edges=False),
}  # fmt: skip
"""By ending. Files of SLEAP are read whatever is before .json and .csv, by what is in them."""


def format_of(path: Path) -> LabelFormat:
    """The kind of a file; raises InputError where its ending is of none."""
    two = "".join(path.suffixes[-2:]).lower()
    found = FORMATS.get(two) or FORMATS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(f"{ending} ({one.summary})" for ending, one in FORMATS.items())
        raise InputError(f"{path} does not end like a file of labels: {known}")
    return found


def with_ending(name: str, ending: str) -> Path:
    """A file as a user has named it who chose a kind by its ending; one that ends like another kind is of that.

    >>> [with_ending(name, ".sleap.json").name for name in ("a", "a.json", "a.slp", "a.sleap.json")]
    ['a.sleap.json', 'a.sleap.json', 'a.slp', 'a.sleap.json']
    """
    path = Path(name)
    if name.lower().endswith(ending):
        return path
    if ending.endswith(path.suffix.lower()) and path.suffix:
        return path.with_suffix(ending)
    return path if path.suffix.lower() in FORMATS else Path(f"{name}{ending}")


def read_labels(path: Path, clip: str | None = None) -> Labels:
    """The labels of a file.

    Args:
        path: its ending says of which kind it is.
        clip: of which clip the labels are, where the file names none or one that has moved.

    Raises:
        InputError: it cannot be read, is damaged, or its clip is not there.
    """
    # HDF5 files are clips, too, and any program may have written a table.
    refuse_others(path, "a file of labels", Kind.LABELS, Kind.TABLE, Kind.CLIP)
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
    kind = format_of(path)
    kind.write(made if kind.turn or pictures else for_others(made), path, pictures)
