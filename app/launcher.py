"""fusetrack: high-speed video through fused image kernels, to tracked features.

    import fusetrack

    tracks = fusetrack.track("clip.cine", "blobs")             # a file, or an array of pictures with fps=1000
    seen = tracks.tracked                                      # the rows to count with
    seen["x"], seen["y"], seen["sigma"], seen.to_pandas()      # px; columns, or a DataFrame

    fusetrack.apply(frames, "gaussian", sigma=1)               # a stage, or a pipeline's taps, as arrays
    fusetrack.stages.gaussian(frames, sigma=1)                 # the same; print(fusetrack.stages) lists them
    fusetrack.library()                                        # the shipped pipelines
    p = fusetrack.Pipeline().gray().gaussian(sigma=1.2)        # one of your own, by steps; p.save("mine.toml")
    fusetrack.open("clip.cine")[10:20]                         # a clip as a sequence of pictures
    fusetrack.live("cam:0", "blobs", on_batch=print)           # a camera
    fusetrack.msd(tracks), fusetrack.shapes(tracks)            # and frf: analyses, with errors
    fusetrack.motion(tracks, fit="damped-sine").fits           # velocities, distances, angles, fits with errors
    fusetrack.reconstruct([left, right], "rig.json")           # places in space; calibrate gives the cameras
    fusetrack.track("clip.cine", "template", points=fusetrack.grid(12))    # a grid of points; fusetrack.strain(tracks)
    fusetrack.run_clip("clip.cine", "blobs", out="results")    # files, as `fusetrack run` leaves them

Pictures are (height, width), or (height, width, 3) with red first; x points right, y down, centres of pixels are whole
numbers; lengths are px and times s. What is wrong is said in one sentence, as an InputError; of arguments it is a
ValueError or a TypeError, too.

For stages of your own there are fusetrack.stage, Param and load_plugin (kernels/README.md), to catch errors InputError
and FusetrackError; open_source, read_tracks, load_pipeline and evaluate are parts of what is below.
"""

# This file becomes `fusetrack/__init__.py` of the installed package. It makes the folders app/, pipelines/ and kernels/
# importable under those names and loads nothing else until it is asked for.

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for editors and type checkers, which do not run what makes the folders importable
    from fusetrack.app.api.analysis import Frf as Frf
    from fusetrack.app.api.analysis import Msd as Msd
    from fusetrack.app.api.analysis import Shapes as Shapes
    from fusetrack.app.api.analysis import frf as frf
    from fusetrack.app.api.analysis import msd as msd
    from fusetrack.app.api.analysis import shapes as shapes
    from fusetrack.app.api.applying import apply as apply
    from fusetrack.app.api.applying import stages as stages
    from fusetrack.app.api.channel import DataChannel as DataChannel
    from fusetrack.app.api.channel import channel as channel
    from fusetrack.app.api.clip import Clip as Clip
    from fusetrack.app.api.clip import open as open  # noqa: A004
    from fusetrack.app.api.library import library as library
    from fusetrack.app.api.live import LiveBatch as LiveBatch
    from fusetrack.app.api.live import live as live
    from fusetrack.app.api.motion import Motion as Motion
    from fusetrack.app.api.motion import motion as motion
    from fusetrack.app.api.pipeline import Pipeline as Pipeline
    from fusetrack.app.api.stereo import calibrate as calibrate
    from fusetrack.app.api.stereo import reconstruct as reconstruct
    from fusetrack.app.api.strain import Strain as Strain
    from fusetrack.app.api.strain import strain as strain
    from fusetrack.app.api.tracking import grid as grid
    from fusetrack.app.api.tracking import track as track
    from fusetrack.app.api.tracks import Tracks as Tracks
    from fusetrack.app.controller import run_clip as run_clip
    from fusetrack.app.exports.export import export_results as export_results
    from fusetrack.app.version import __version__ as __version__
    from fusetrack.kernels.errors import FusetrackError as FusetrackError
    from fusetrack.kernels.errors import InputError as InputError
    from fusetrack.kernels.param import Param as Param
    from fusetrack.kernels.plugins import load_plugin as load_plugin
    from fusetrack.kernels.stage import stage as stage
    from fusetrack.pipelines.analysis.point_grid import PointGrid as PointGrid
    from fusetrack.pipelines.evaluation import evaluate as evaluate


def _home() -> Path:
    """The folder that holds app/, pipelines/ and kernels/: that of our app where it was imported already (a checkout
    may lie beside an installed wheel), else this package's own, or the checkout's."""
    here = Path(__file__).resolve().parent
    loaded = getattr(sys.modules.get("app"), "__file__", None)
    first = [Path(loaded).resolve().parents[1]] if loaded else []
    for folder in (*first, here, here.parent, *(Path(entry or ".").resolve() for entry in sys.path)):
        if (folder / "app" / "cli.py").is_file() and (folder / "kernels" / "stage.py").is_file():
            return folder
    raise ImportError("fusetrack is not whole: its folders app, pipelines and kernels are missing; install it again")


def _prepare() -> None:
    home = str(_home())
    # First on the path: PyPI has packages called kernels, pipelines and app, and ours must win in this program.
    if sys.path[:1] != [home]:
        sys.path.insert(0, home)
    for name in ("app", "kernels", "pipelines"):
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None and not file.startswith(home):
            raise ImportError(f"another package called {name!r} ({file}) was imported before fusetrack; "
                              "import fusetrack first")  # fmt: skip


_prepare()
_names = importlib.import_module("app.api.public")
__all__ = [*_names.PUBLIC]  # one table; the names above are the same, which a test sees


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """What is public, when it is first asked for."""
        known = _names.PUBLIC | _names.MORE
        if name not in known:
            near = importlib.import_module("difflib").get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise AttributeError(f"module 'fusetrack' has no attribute {name!r}{hint}")
        module, _, attribute = known[name].partition(":")
        found = getattr(importlib.import_module(module), attribute or name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return [*_names.PUBLIC, "main"]


def main() -> int:
    """The command line; ends the process with the exit code."""
    code = int(importlib.import_module("app.cli").program())
    importlib.import_module("app.ending").leave(code)
    return code
