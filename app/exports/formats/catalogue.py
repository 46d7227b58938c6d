"""The formats of `fusetrack export`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.exports.formats.array import write_npy
from app.exports.formats.c3d import EXTRA as C3D
from app.exports.formats.c3d import check_c3d, write_c3d
from app.exports.formats.coco import write_coco
from app.exports.formats.deeplabcut import check_dlc_hdf5, write_dlc, write_dlc_hdf5
from app.exports.formats.ffv1 import write_ffv1
from app.exports.formats.hdf5 import EXTRA as HDF5
from app.exports.formats.hdf5 import check_hdf5, write_hdf5
from app.exports.formats.mat import write_mat
from app.exports.formats.mraw import header_of, write_mraw
from app.exports.formats.nwb import EXTRA as NWB
from app.exports.formats.nwb import check_nwb, write_nwb
from app.exports.formats.overlay_video import write_overlay
from app.exports.formats.parquet import write_parquet
from app.exports.formats.paths import write_paths
from app.exports.formats.png import write_png
from app.exports.formats.sleap import check_sleap, write_sleap
from app.exports.formats.text import write_csv, write_trackpy, write_wide
from app.exports.formats.tiff import write_tiff
from app.exports.formats.trackmate import write_trackmate
from app.exports.formats.trc import check_trc, write_trc
from app.exports.frame_stack import FrameStack
from app.exports.path_picture import By
from app.exports.scale import Scale
from app.exports.still import Still
from app.exports.table import TrackTable
from app.exports.video_look import PLAIN, VideoLook
from app.keypoints import Keypoints
from app.plots.look import LIGHT, Look
from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.frontend import Roi


@dataclass(frozen=True, slots=True)
class FrameOptions:
    """What only formats of frames ask for.

    Args:
        scale: how long a pixel is.
        packed: 12 bits in three bytes a pair.
        playback: frames a second of a video.
        rows: tracks to be drawn, in px.
        numbers: by which number `rows` knows each frame of the clip; None for its index.
        colour: what the colours of paths tell.
        names: what tracks are called, by their number.
        keypoints: which of them are points of a skeleton.
        look: of figures.
        video: how a video looks besides.
        still: moves the frames of a video so that a body stays where it is; `part` of that picture is shown.
    """

    scale: Scale | None = None
    packed: bool = False
    playback: float | None = None
    rows: Tracks | None = None
    numbers: npt.NDArray[np.int64] | None = None
    colour: By = "track"
    names: Mapping[int, str] = field(default_factory=dict)
    keypoints: Keypoints | None = None
    look: Look = LIGHT
    video: VideoLook = PLAIN
    still: Still | None = None
    part: Roi | None = None


@dataclass(frozen=True, slots=True)
class TrackFormat:
    """A format of tracks.

    Args:
        name: of --to.
        suffix: what is put behind the stem of a name.
        extensions: endings by which -o knows it.
        summary: one line.
        write: writes it, whole or not at all.
        check: refuses what it cannot write for want of a package, a rate or a start, before anything is written.
        extra: of fusetrack, that installs what it needs; "" for nothing.
        pixels: it counts in pixels of the picture, y down, whatever else is asked for.
        every_row: it holds every row with its state, guessed places too, whether they were asked for or not.
    """

    name: str
    suffix: str
    extensions: tuple[str, ...]
    summary: str
    write: Callable[[TrackTable, Path], None]
    extra: str = ""
    every_row: bool = False
    pixels: bool = False
    check: Callable[[TrackTable], None] | None = None


@dataclass(frozen=True, slots=True)
class FrameFormat:
    """A format of frames; as `TrackFormat`.

    Args:
        beside: a second file that belongs to it.
        times: whether it holds the time of each frame itself.
    """

    name: str
    suffix: str
    extensions: tuple[str, ...]
    summary: str
    write: Callable[[FrameStack, Path, FrameOptions], None]
    beside: Callable[[Path], Path] | None = None
    times: bool = True
    extra: str = ""


TRACKS: tuple[TrackFormat, ...] = (
    TrackFormat("csv", ".tracks.csv", (".csv",),
                "one row for each track in each frame; units in the names of the columns", write_csv,
                every_row=True),
    TrackFormat("wide", ".wide.csv", (".wide.csv",),
                "CSV with one row for each frame, and two columns (x and y) for each track", write_wide),
    TrackFormat("dlc", ".dlc.csv", (".dlc.csv",), "CSV as DeepLabCut writes it: x, y, likelihood", write_dlc),
    TrackFormat("dlc-h5", ".dlc.h5", (".dlc.h5",), "the same as HDF5: DeepLabCut, pandas.read_hdf", write_dlc_hdf5,
                HDF5, check=check_dlc_hdf5),
    TrackFormat("trackpy", ".trackpy.csv", (".trackpy.csv",),
                "CSV with trackpy's columns frame, particle, x, y, ep: pandas.read_csv, then trackpy.emsd(...), imsd",
                write_trackpy),
    TrackFormat("parquet", ".parquet", (".parquet",), "exact, small; pandas, Polars, Arrow, DuckDB", write_parquet,
                every_row=True),
    TrackFormat(
        "hdf5", ".h5", (".h5", ".hdf5"), "a dataset a column, units as attributes; h5py, MATLAB", write_hdf5, HDF5,
        every_row=True, check=check_hdf5,
    ),
    TrackFormat("sleap", ".analysis.h5", (".analysis.h5",),
                "SLEAP's analysis file: key points of animals; movement, SimBA", write_sleap, HDF5, pixels=True,
                check=check_sleap),
    TrackFormat("coco", ".coco.json", (".json",), "key points as results of COCO: pycocotools, FiftyOne", write_coco,
                pixels=True),
    TrackFormat(
        "nwb", ".nwb", (".nwb",), "Neurodata Without Borders: Position, confidence, link to the clip", write_nwb, NWB,
        check=check_nwb,
    ),
    TrackFormat("mat", ".mat", (".mat",), "a struct array for MATLAB and Octave (version 5)", write_mat),
    TrackFormat("c3d", ".c3d", (".c3d",), "markers for biomechanics: Visual3D, Mokka, OpenSim", write_c3d, C3D,
                check=check_c3d),
    TrackFormat("trc", ".trc", (".trc",), "markers as a table of text: OpenSim", write_trc, check=check_trc),
    TrackFormat("trackmate", ".xml", (".xml",), "TrackMate's simple XML of tracks (Fiji)", write_trackmate),
)


def _mp4(stack: FrameStack, path: Path, options: FrameOptions) -> None:
    write_overlay(stack, path, options.rows, options.numbers, options.playback, options.keypoints, options.video,
                  options.still, options.part)  # fmt: skip


def _paths(stack: FrameStack, path: Path, options: FrameOptions) -> None:
    write_paths(stack, path, options.rows, options.numbers, options.scale, options.colour, options.names, options.look)


def _mkv(stack: FrameStack, path: Path, options: FrameOptions) -> None:
    write_ffv1(stack, path, options.playback)


def _mraw(stack: FrameStack, path: Path, options: FrameOptions) -> None:
    write_mraw(stack, path, options.packed)


def _tiff(stack: FrameStack, path: Path, options: FrameOptions) -> None:
    write_tiff(stack, path, options.scale)


def _npy(stack: FrameStack, path: Path, options: FrameOptions) -> None:
    del options
    write_npy(stack, path)


def _png(stack: FrameStack, path: Path, options: FrameOptions) -> None:
    del options
    write_png(stack, path)


FRAMES: tuple[FrameFormat, ...] = (
    FrameFormat("mp4", ".overlay.mp4", (".mp4",), "the tracks drawn in, for the eye (H.264, 8 bits, lossy)", _mp4),
    FrameFormat("paths", ".paths.png", (".svg", ".png", ".pdf"),
                "the paths of the tracks over the first frame, with a scale bar: PNG, SVG or PDF", _paths),
    FrameFormat("mkv", ".mkv", (".mkv",), "FFV1: lossless, half the size, exact times, 8 to 16 bits", _mkv),
    FrameFormat(
        "mraw", ".mraw", (".mraw", ".cih"), "Photron's, 8, 12 (--packed) or 16 bits; PFV", _mraw, header_of, False
    ),
    FrameFormat("tiff", ".tif", (".tif", ".tiff", ".btf"), "a stack for ImageJ; BigTIFF beyond 4 GB", _tiff),
    FrameFormat("npy", ".npy", (".npy",), "one NumPy array", _npy, times=False),
    FrameFormat("png", ".png", (), "a folder of numbered pictures, 8 or 16 bits", _png, times=False),
)
Format = TrackFormat | FrameFormat
FORMATS: tuple[Format, ...] = (*TRACKS, *FRAMES)


def find_format(name: str) -> Format:
    """A format by its name.

    Raises:
        InputError: there is none.
    """
    known: dict[str, Format] = {one.name: one for one in FORMATS}
    known |= {"h5": known["hdf5"], "tif": known["tiff"], "ffv1": known["mkv"], "overlay": known["mp4"]}
    if name.lower() not in known:
        near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(one.name for one in FORMATS)}"
        raise InputError(f"there is no format {name!r}; {hint}")
    return known[name.lower()]


def _named(one: Format) -> str:
    """How its files are to be named."""
    return f"let it end in {one.extensions[0]}" if one.extensions else "name a folder"


def check_ending(path: Path, one: Format) -> None:
    """See that a file's name does not promise another format than it gets; an unknown ending is any format's.

    Raises:
        InputError: it does.
    """
    ending = path.suffix.lower()
    others = [other for other in FORMATS if ending in other.extensions]
    own = {Path(f"x{name}").suffix for name in (*one.extensions, one.suffix)}
    if others and ending not in own:
        raise InputError(f"{path} is named as a file of {others[0].name} and {one.name} is wanted; {_named(one)}, "
                         f"or ask for {others[0].name}")  # fmt: skip


def format_of(path: Path) -> Format:
    """The format that a file's name asks for; the longest ending counts.

    Raises:
        InputError: none.
    """
    name = path.name.lower()
    found = [(len(ending), one) for one in FORMATS for ending in one.extensions if name.endswith(ending)]
    if not found:
        endings = ", ".join(ending for one in FORMATS for ending in one.extensions)
        raise InputError(f"{path} does not tell its format; say it with --to, or by an ending ({endings})")
    return max(found, key=lambda pair: pair[0])[1]
