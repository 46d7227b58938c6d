"""The files of a reconstruction: what the command leaves and the window saves."""

from __future__ import annotations

from pathlib import Path

from app.exports.formats.c3d import check_c3d_points, write_c3d_points
from app.files.atomic import make_folder
from app.plots.look import LIGHT, Look
from app.stereo.reconstruction import Reconstruction, write_reconstruction
from app.stereo.reconstruction_figure import FIGURE, draw_reconstruction

C3D = "places.c3d"


def write_results(folder: Path, found: Reconstruction, title: str, look: Look = LIGHT, *, c3d: bool) -> list[str]:
    """Write tables and figure, and a C3D file where it is wanted.

    Args:
        folder: made where it is not there; files of these names are replaced.
        found: the places.
        title: of what was followed.
        look: of the figure.
        c3d: whether programs of biomechanics are to read them.

    Returns:
        The names of the files.

    Raises:
        InputError: a file cannot be written, or C3D is wanted of places without times.
    """
    if c3d:
        check_c3d_points(found.timed)
    make_folder(folder)
    names = write_reconstruction(folder, found)
    if c3d:
        write_c3d_points(folder / C3D, found.markers())
        names.append(C3D)
    figure = look.name(FIGURE)
    draw_reconstruction(folder / figure, found, f"{title}: places in space", look)
    return [*names, figure]
