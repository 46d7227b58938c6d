"""`fusetrack.calibrate` and `reconstruct`: what the commands of these names say, of clips and tracks in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.files.atomic import make_folder
from app.plots.look import LIGHT
from app.stereo.calibrating import by_board, see_board
from app.stereo.reconstruction import (
    Reconstruction,
    Wanted,
    place_columns,
    place_rows,
    report,
    write_reconstruction,
)
from app.stereo.reconstruction import reconstruct as reconstructed
from app.stereo.reconstruction_figure import FIGURE, draw_reconstruction, plot_above
from app.stereo.rig import Rig, parse_length, read_rig, write_rig
from kernels.errors import ArgumentError
from pipelines.stereo.board import Board
from pipelines.stereo.bundle import Lens

from .analysis import Analysis, Out, believed, columns_of, rate_of
from .figures import axes_for
from .wording import for_python

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Places(Analysis):
    """Places in space of what several cameras followed.

    Attributes:
        table: a row a thing and frame: time, x, y, z with sigma and its parts (of the tracks, which differs
            from row to row, and of the calibration, nearly alike for all), residual, cameras.
        groups: of each thing its tracks, as (camera, track).
        found: everything, as `app.stereo.reconstruction.Reconstruction`; both covariances are there.
    """

    def __init__(self, found: Reconstruction, name: str) -> None:
        self.found, self.groups = found, found.groups
        super().__init__(columns_of(place_columns(found), place_rows(found)), report(found), found.notes, name)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw them from above, x and z; `ax` as in `Tracks.plot`."""
        return plot_above(self.found, axes_for(ax))


@for_python
def calibrate(
    clips: Sequence[str | os.PathLike[str]], board: tuple[int, int], square: str, *, lens: str = "radial",
    offsets: Sequence[int] | None = None, out: str | os.PathLike[str] | None = None,
) -> Rig:  # fmt: skip
    """How cameras map space to their pictures, from their clips of a chessboard (`fusetrack calibrate --help` says
    how, and has two other ways).

    Args:
        clips: one of each camera, synchronised.
        board: inner corners along both sides, such as (9, 6).
        square: side of a square, such as "5 mm".
        lens: what is free: none, radial or full.
        offsets: frames by which each clip is ahead of the first, whose own is 0; None for none.
        out: a file to write.

    Raises:
        InputError: a clip cannot be read, or the board does not tell.
    """
    if len(board) != 2 or min(board) < 3:
        raise ArgumentError(f"board counts inner corners along both sides, 3 or more, not {board!r}")
    if lens not in {one.value for one in Lens}:
        raise ArgumentError(f"lens takes {', '.join(one.value for one in Lens)}, not {lens!r}")
    length, unit = parse_length(square, "square=")
    made = by_board(see_board(clips, Board(*board, length), unit, _offsets(offsets, len(clips))), Lens(lens))
    if out is not None:
        write_rig(Path(out), made.rig)
    return made.rig


@for_python
def reconstruct(
    tracks: Sequence[Any], rig: Rig | str | os.PathLike[str], *,
    match: Sequence[Sequence[tuple[int, int]]] | None = None, offsets: Sequence[int] | None = None, within: float = 2.0,
    least: int = 5, fps: float | None = None, out: Out = False,
) -> Places:  # fmt: skip
    """Places in space, with uncertainties, of what calibrated cameras followed (`fusetrack reconstruct --help` says
    how).

    >>> found = fusetrack.reconstruct([left, right], "rig.json")    # doctest: +SKIP
    >>> found.table["z_mm"], found.table["sigma_z_mm"]              # doctest: +SKIP

    Args:
        tracks: of each camera, in the order of the calibration, as `fusetrack.motion` takes them.
        rig: what `calibrate` gave, or its file.
        match: things, each as (camera, track) of those that see it, cameras from 0; None to find them.
        offsets: frames by which each camera is ahead of the first, whose own is 0; None for none.
        within: px by which lines of sight may miss each other, on average.
        least: frames in which two tracks have to be seen at once.
        fps: frames a second, in place of the times.
        out: a folder for the command's tables and figure; False writes nothing.

    Raises:
        InputError: the tracks do not fit the cameras, or nothing can be written.
    """
    if not within > 0 or least < 1:
        raise ArgumentError("within is a distance in px, least a number of frames, both above 0")
    taken = [believed(one) for one in tracks]
    wanted = Wanted(_offsets(offsets, len(tracks)), match, within, least, rate_of(fps))
    cameras = rig if isinstance(rig, Rig) else read_rig(Path(rig))
    found = reconstructed(cameras, [rows for _, rows in taken], wanted, all(one.timed for one, _ in taken))
    name = next((one.name for one, _ in taken if one.name), "tracks")
    if out is not False:
        folder = make_folder(Path(out))
        write_reconstruction(folder, found)
        draw_reconstruction(folder / LIGHT.name(FIGURE), found, name)
    return Places(found, name)


def _offsets(offsets: Sequence[int] | None, cameras: int) -> tuple[int, ...]:
    if offsets is None:
        return (0,) * cameras
    if len(offsets) != cameras or offsets[0] != 0:
        raise ArgumentError(f"offsets is a whole number for each of the {cameras} cameras, the first 0")
    return tuple(int(one) for one in offsets)
