"""Key points that were set by hand in some frames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError

Points = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LabelledFrame:
    """What is labelled in one frame.

    Args:
        source: the clip, or a picture, as `open_source` takes it.
        index: of the frame in it, from 0.
        points: (animals, points, 2) x and y in px, pixel centres at integers; NaN where a point is not labelled.
        hidden: (animals, points) where a point was marked as not visible; None without such marks.
        turn: by how many degrees clockwise the stored picture is turned in which x and y count: 0, 90, 180 or 270.
    """

    source: str
    index: int
    points: Points
    hidden: Flags | None = None
    turn: int = 0

    def turned(self, turn: int, size: tuple[int, int]) -> LabelledFrame:
        """The same labels in the picture turned by `turn` degrees.

        Args:
            size: width and height of the stored picture, px.
        """
        points, (width, height) = self.points, size if self.turn % 180 == 0 else size[::-1]
        for _ in range((turn - self.turn) // 90 % 4):
            points = np.stack((height - 1 - points[..., 1], points[..., 0]), axis=-1)
            width, height = height, width
        return replace(self, points=points, turn=turn)


@dataclass(frozen=True, eq=False)
class Labels:
    """Labelled frames of one kind of animal (or thing).

    Args:
        points: what the points are called, each once.
        edges: pairs of points (places in `points`) that are joined.
        frames: at least one point is labelled in each.
    """

    points: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    frames: tuple[LabelledFrame, ...]

    @property
    def animals(self) -> int:
        """How many animals a frame has at most."""
        return max((len(frame.points) for frame in self.frames), default=0)

    @property
    def labelled(self) -> int:
        """How many points are labelled."""
        return sum(int(np.isfinite(frame.points[..., 0]).sum()) for frame in self.frames)


def labels(
    points: Sequence[str],
    edges: Sequence[tuple[int, int]],
    frames: Sequence[LabelledFrame],
    file: Path,
    begun: bool = False,
) -> Labels:
    """Labels of a file: checked, animals and frames without any label left out.

    Args:
        begun: labelling has only begun: nothing has to be labelled, and animals of which all that is known is that
            points cannot be seen stay, too.

    Raises:
        InputError: there are no points, names come twice, edges join what is none, or nothing is labelled.
    """
    if not points or len(set(points)) != len(points) or not all(name.strip() for name in points):
        raise InputError(f"{file} names no key points, one twice, or one has no name")
    if not all(0 <= a < len(points) and 0 <= b < len(points) and a != b for a, b in edges):
        raise InputError(f"{file} joins points that it does not have")
    kept = []
    for frame in frames:
        some = np.isfinite(frame.points[..., 0]) & np.isfinite(frame.points[..., 1])
        known = some if frame.hidden is None or not begun else some | frame.hidden
        stays = known.any(axis=1)
        if stays.any():
            places = np.where(some[..., np.newaxis], frame.points, np.nan)[stays]
            hidden = None if frame.hidden is None else (frame.hidden & ~some)[stays]
            kept.append(replace(frame, points=places, hidden=hidden))
    if not kept and not begun:
        raise InputError(f"{file} has no labelled points")
    return Labels(tuple(points), tuple(dict.fromkeys(edges)), tuple(kept))


def picture(name: str, index: int | None, beside: Path, clip: str | None) -> tuple[str, int]:
    """Where the frame is that a file of labels names: (source, index).

    Args:
        name: of a video or a picture, as the file has it, often a path of another computer.
        index: of the frame in a video, None for a picture.
        beside: the file of labels; the picture is looked for there and in the folders above.
        clip: what the user says the labels are of: then the number of the frame counts, of a picture the last digits of
            its name.

    Raises:
        InputError: it is not there.
    """
    last = re.split(r"[\\/]", name)[-1]
    if clip is not None:
        digits = re.findall(r"\d+", Path(last).stem)
        if index is None and not digits:
            raise InputError(f"{beside} is of the picture {last}, whose name has no number of a frame of {clip}")
        return clip, int(digits[-1]) if index is None else index
    if name.startswith("sim:"):
        return name, index or 0
    parts = [part for part in re.split(r"[\\/]", name) if part not in ("", ".", "..")]
    folders = beside.absolute().parents[:3]
    near = [folder.joinpath(*parts[-k:]) for k in range(len(parts), 0, -1) for folder in folders]
    places = [Path(name).expanduser(), *near]
    for place in places:
        if place.is_file():
            return str(place), index or 0
    raise InputError(f"{beside} is of {name}, which is neither there nor beside it; say where the clip is with --clip")


def project_of(file: Path) -> Path:
    """The folder of the project that a file of labels belongs to: that above `labeled-data/CLIP`, else its own."""
    folder = file.absolute().parent
    return folder.parent.parent if folder.parent.name == "labeled-data" else folder
