"""The files of a reconstruction: what the command leaves and the window saves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.exports.formats.c3d import check_c3d_points, write_c3d_points
from app.files.atomic import make_folder
from app.plots.look import LIGHT, Look
from app.stereo.reconstruction import Reconstruction, write_reconstruction
from app.stereo.reconstruction_figure import FIGURE, draw_reconstruction
from kernels.errors import InputError

C3D = "places.c3d"


def _check_c3d(found: Reconstruction) -> None:
    check_c3d_points(found.timed, int(np.ptp(found.frame)) + 1 if len(found.frame) else 0)


def why_no_c3d(found: Reconstruction) -> str:
    """Why places cannot be written as C3D, a sentence; "" where they can."""
    try:
        _check_c3d(found)
    except InputError as error:
        return str(error)
    return ""


def write_tables(folder: Path, found: Reconstruction, *, c3d: bool) -> list[str]:
    """Write tables, and a C3D file where it is wanted.

    Args:
        folder: made where it is not there; files of these names are replaced.
        found: the places.
        c3d: whether programs of biomechanics are to read them.

    Returns:
        The names of the files.

    Raises:
        InputError: a file cannot be written, or C3D is wanted of places without times.
    """
    if c3d:
        _check_c3d(found)
    make_folder(folder)
    names = write_reconstruction(folder, found)
    if c3d:
        write_c3d_points(folder / C3D, found.markers())
        names.append(C3D)
    return names


def write_results(folder: Path, found: Reconstruction, title: str, look: Look = LIGHT, *, c3d: bool) -> list[str]:
    """Write tables and figure; arguments and errors as of `write_tables`.

    Args:
        title: of what was followed.
        look: of the figure.
    """
    names = write_tables(folder, found, c3d=c3d)
    figure = look.name(FIGURE)
    draw_reconstruction(folder / figure, found, title, look)
    return [*names, figure]
