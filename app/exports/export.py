"""Exports: the tracks or the frames of a run, a session or a clip, in the formats of other programs."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np

from app.exports.axes import Axes
from app.exports.columns import chosen_measures
from app.exports.formats.catalogue import (
    Format,
    FrameFormat,
    FrameOptions,
    TrackFormat,
    check_ending,
    find_format,
    format_of,
)
from app.exports.formats.overlay_video import keys_of
from app.exports.formats.png import check_ours
from app.exports.frame_stack import FrameStack
from app.exports.material import Material, open_material
from app.exports.path_picture import By
from app.exports.scale import Scale, Units, parse_scale
from app.exports.spectra_export import export_spectra, is_spectra
from app.exports.still import Still
from app.exports.table import TrackTable, physical, placed, seen
from app.exports.video_look import PLAIN, VideoLook
from app.files.atomic import make_folder, write_bytes
from app.plots.look import LIGHT, Look
from app.progress import Progress, QuietProgress
from kernels.errors import InputError
from pipelines.analysis.velocities import with_smooth_velocities
from pipelines.features import Tracks
from pipelines.frame import FrameSource
from pipelines.frontend import Roi, crop_nodes
from pipelines.measures import fields_of, plain, with_measures
from pipelines.streaming.common.preparing import frame_range
from pipelines.trackers.base import confirmed

Frames = tuple[int | None, int | None]
Showing = Callable[[str, int], AbstractContextManager[Progress]]

POSES = ("dlc", "dlc-h5", "sleap", "coco", "nwb")
"""Formats that know animals and their points."""


@dataclass(frozen=True)
class Order:
    """All that `export_results` was asked for, by the names of its arguments; `up`: y points up."""

    frames: Frames | None
    roi: Roi | None
    tracks: str
    min_frames: int
    guesses: bool
    scale: Scale | None
    up: bool
    packed: bool
    bits: int | None
    gray: bool
    blank: bool
    playback: float | None
    start: datetime | None
    about: Mapping[str, str]
    progress: Showing | None
    axes: Axes | None
    names: Mapping[int, str]
    colour: By
    columns: str | None
    key: bool
    look: Look
    video: VideoLook


PIXELS = "px"
"""In place of a scale: pixels, whatever the run was given."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Args:
        files: all of them; a folder for a sequence of pictures.
        notes: sentences for the user.
        tracks, rows, frames: how many are in it.
    """

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    tracks: int = 0
    rows: int = 0
    frames: int = 0


def export_results(
    source: str | os.PathLike[str],
    to: str | Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    *,
    frames: Frames | None = None,
    roi: Roi | None = None,
    tracks: Literal["confirmed", "all"] = "confirmed",
    min_frames: int = 1,
    guesses: bool = False,
    scale: str | Scale | None = None,
    y_up: bool = False,
    fps: float | None = None,
    turn: int = 0,
    clip: str | None = None,
    packed: bool = False,
    bits: int | None = None,
    gray: bool = False,
    blank: bool = False,
    playback: float | None = None,
    start: datetime | None = None,
    about: Mapping[str, str] | None = None,
    force: bool = False,
    progress: Showing | None = None,
    axes: Axes | None = None,
    names: Mapping[int, str] | None = None,
    colour: By = "track",
    columns: str | None = None,
    smooth: bool = False,
    key: bool = False,
    look: Look = LIGHT,
    video: VideoLook = PLAIN,
) -> Exported:
    """Write the tracks or the frames of a run, a session, a table or a clip in other formats.

    Args:
        source: the folder of a run's results, a session (.mcap), a table of tracks, a run's spectra.csv (only to csv,
            with `scale`), or a clip.
        to: one or several of the formats (`fusetrack export --list`); () for that of `out`.
        out: the file, or the folder for it (one that exists, or a name that ends in a slash; for pictures their own);
            None puts it into the folder of the results, else into the current one.
        frames: first frame and one past the last; None for an open end, negative ones count from the end.
        roi: x, y, width, height in px: frames are cropped to it, of tracks the places within it are taken. Positions
            stay those of the whole picture.
        tracks: "confirmed" leaves out those that were never believed.
        min_frames: leave out tracks that were seen in fewer frames.
        guesses: tables with a column a track hold predicted places, too; else only where something was seen.
        scale: how long a pixel is, such as "0.12 mm/px"; positions, speeds and uncertainties become lengths. None: as
            the run was given, with its axes where none are given here; "px" for pixels of the picture.
        y_up: y points up from the lowest row of pixels, as in biomechanics, not down.
        fps: the capture rate in place of the input's.
        turn: degrees by which the frames are turned clockwise: 0, 90, 180 or 270.
        clip: the clip that the tracks are of, where it has moved.
        packed: .mraw with 12 bits in one and a half bytes.
        bits: how many bits the frames need, where the clip does not say (12 in a .npy of 16).
        gray: one channel of frames whose channels are all the same, as video often stores gray ones.
        blank: a black frame in place of one that cannot be read, in place of an error.
        playback: frames a second of a video.
        start: when the recording began, for NWB.
        about: what is known of subject and session, for NWB (`subject_id`, `species`, `lab` ...).
        force: replace files that exist.
        progress: called with (label, frames to come); returns a context manager that gives a `Progress`.
        axes: positions and speeds of tracks count along these, from their origin, y down (up with `y_up`).
        names: what tracks are called, by their number, in formats that name them.
        colour: what the colours of paths tell: "track", "speed" or "time".
        columns: which of the table's measures are written (`area,diameter` ...); "none" for places alone, None for all.
        key: a CSV begins with lines that say what its columns are.
        smooth: velocities are those of `fusetrack motion`, from the places before and behind each.
        look: of figures.
        video: words, stopwatch, contrast, pace of an mp4, and what stays still in it.

    Raises:
        InputError: anything that the user got wrong, the disk included; no file is left half written.
    """
    formats = [find_format(name) for name in ([to] if isinstance(to, str) else to)]
    if not formats:
        if out is None:
            raise InputError("say to what: --to FORMAT or -o FILE; `fusetrack export --list` names the formats")
        formats = [format_of(Path(out))]
    if out is not None and len(formats) > 1 and not _is_folder(out):
        raise InputError("-o names one file and --to several formats; give -o a folder, or leave it out")
    if out is not None and not _is_folder(out):
        check_ending(Path(out), formats[0])
    for name, value in (("min_frames", min_frames), ("playback", playback), ("fps", fps), ("bits", bits)):
        if value is not None and not (math.isfinite(value) and 0 < value < 1e9):
            raise InputError(f"--{name.replace('_', '-')} must be a positive number, not {value:g}")
    if bits is not None and bits > 16:
        raise InputError(f"--bits must be 1 to 16, not {bits}")
    pixels = isinstance(scale, str) and scale.strip().lower() == PIXELS
    scale = None if pixels else parse_scale(scale) if isinstance(scale, str) else scale
    # A run's spectra are no tracks: a table of their own with few options.
    if is_spectra(spectra := Path(os.path.expanduser(source))):
        others = frames, roi, min_frames > 1, guesses, y_up, fps, turn, clip, start, about, tracks == "all"
        if [one.name for one in formats] != ["csv"] or any(others):
            raise InputError(f"{spectra} holds spectra: of them --to csv and --scale are known, and no other options")
        target, rows = export_spectra(spectra, scale, None if out is None else Path(os.path.expanduser(out)), force)
        return Exported((target,), tracks=len(np.unique(rows["track"])), rows=len(rows))
    material = open_material(source, clip, fps, turn)
    # A run counts as it was told to: its own scale and axes hold, as far as none are given here.
    if material.counting and not pixels:
        own, given = material.counting, (scale, axes, y_up)
        scale = own.scale if scale is None else scale
        axes, y_up = (own.origin, own.up) if axes is None and not y_up else (axes, y_up)
        if given != (scale, axes, y_up):
            material.notes.append("unit and axes are those that the run was given; --scale px counts in pixels of the "
                                  "picture")  # fmt: skip
    # All targets are checked before the first is written.
    targets = [_target(material, one, out) for one in formats]
    for one, target in zip(formats, targets, strict=True):
        _check_target(material, one, target, force)
    order = Order(
        frames, roi, tracks, min_frames, guesses, scale, y_up, packed,
        bits, gray, blank, playback, start, about or {}, progress, axes, names or {}, colour, columns, key, look,
        video,
    )  # fmt: skip
    if video != PLAIN and not any(one.name == "mp4" for one in formats):
        raise InputError("words, stopwatch, levels, pace and what stays still are of videos for the eye (--to mp4)")
    if video.slower is not None and playback is not None:
        raise InputError("--slower and --playback both say how fast a video plays; give one of them")
    if order.about and not any(one.name == "nwb" for one in formats):
        raise InputError("--meta is for NWB alone (--to nwb)")
    # Before tables are made: they hold the velocities.
    if smooth:
        _smooth(material)
    made = Exported((), tuple(material.notes))
    tables = {target: _table(material, one, _in_pixels(order) if one.pixels else order)
              for one, target in zip(formats, targets, strict=True) if isinstance(one, TrackFormat)}  # fmt: skip
    # Each format may still refuse its table (no rate, too many tracks) before any file is there.
    for one, target in zip(formats, targets, strict=True):
        if isinstance(one, TrackFormat) and one.check is not None:
            one.check(tables[target])
    if out is not None and _is_folder(out):
        make_folder(Path(os.path.expanduser(out)))
    for one, target in zip(formats, targets, strict=True):
        if isinstance(one, TrackFormat):
            made = _merged(made, _tracks(one, target, tables[target], order))
            if one.name in POSES and material.is_recorded_keypoints:
                note = ("the session does not say which key point each track is (those of earlier versions do not), "
                        f"so that {target.name} has a point for each track; replay it and export its results")
                made = _merged(made, Exported((), (note,)))
        else:
            made = _merged(made, _frames(material, one, target, order))
    return made


def _smooth(material: Material) -> None:
    """Have velocities from the places before and behind each, and say so."""
    material.rows, window, step = with_smooth_velocities(material.tracks())
    if window is None:
        material.notes.append("no track was seen for long enough to be smoothed; velocities are those of the tracker")
        return
    over = round(window.width / step)
    material.notes.append(f"velocities are those of polynomials of order {window.order} over {over} frames, chosen "
                          "from the tracks")  # fmt: skip


def _merged(a: Exported, b: Exported) -> Exported:
    notes = tuple(dict.fromkeys((*a.notes, *b.notes)))
    return Exported((*a.files, *b.files), notes, a.tracks or b.tracks, a.rows or b.rows, a.frames or b.frames)


def _target(material: Material, one: Format, out: str | os.PathLike[str] | None) -> Path:
    suffix = "-png" if one.name == "png" else one.suffix
    if out is None:
        return material.home / f"{material.stem}{suffix}"
    path = Path(os.path.expanduser(out))
    if _is_folder(out) and one.name != "png":
        return path / f"{material.stem}{suffix}"
    if one.name == "mraw" and path.suffix.lower() in (".cih", ""):
        return path.with_suffix(".mraw")
    return path


def _is_folder(out: str | os.PathLike[str]) -> bool:
    """Whether a folder is meant: one that is there, or a name that ends like one."""
    text = os.fspath(out)
    return text.endswith((os.sep, "/")) or Path(os.path.expanduser(text)).is_dir()


def _times_of(target: Path) -> Path:
    """The table of times beside frames in a format that holds none."""
    return target.with_name(f"{target.name}.times.csv")


def _check_target(material: Material, one: Format, target: Path, force: bool) -> None:
    files = [target]
    if isinstance(one, FrameFormat) and one.beside is not None:
        files.append(one.beside(target))
    if isinstance(one, FrameFormat) and not one.times:
        files.append(_times_of(target))
    # A recording of two files is protected as a whole.
    inputs = {Path(os.path.expanduser(name)).absolute() for name in (material.path, material.clip) if name}
    pair = (".mraw", ".cih")
    inputs |= {name.with_suffix(ending) for name in inputs for ending in pair if name.suffix in pair}
    for file in files:
        if file.absolute() in inputs:
            raise InputError(f"{file} is the input itself and is not overwritten; choose another name with -o")
        if file.exists() and not force:
            raise InputError(f"{file} exists already; choose another name with -o, or replace it with --force")
    if one.name == "png" and target.exists():
        check_ours(target)


def _table(material: Material, one: TrackFormat, order: Order) -> TrackTable:
    """What a format of tracks writes."""
    rows = _chosen(material, material.tracks(), order)
    have = fields_of(rows)
    wanted = chosen_measures(order.columns, have)
    if wanted != have:
        rows = with_measures(rows, wanted)

    # Axes of the user hold which way y points; without them the picture is turned over here.
    def counted(given: Tracks) -> Tracks:
        flip = order.up and order.axes is None
        given = given if order.axes is None else order.axes.turned(given, order.up)
        return physical(given, order.scale, fps=material.fps, was=material.was, up=flip, size=material.size)

    return TrackTable(
        counted(rows), Units(order.scale.unit if order.scale else "px", "s" if material.fps > 0 else "frame"),
        material.fps, material.stem, material.size, order.scale, order.up, order.guesses, material.clip_file,
        _clip_times(material) if one.name == "nwb" else None, order.start or material.start,
        "the user" if order.start else material.start_note, material.meta, order.about, order.axes,
        {**material.keypoints.track_names(), **order.names}, material.keypoints, order.key,
        placed(material.relations, rows, counted),
    )  # fmt: skip


def _in_pixels(order: Order) -> Order:
    """The same in pixels of the picture."""
    return replace(order, scale=None, up=False, axes=None)


def _tracks(one: TrackFormat, target: Path, table: TrackTable, order: Order) -> Exported:
    notes, rows = [], table.rows
    if one.pixels and _in_pixels(order) != order:
        notes.append(f"{target.name} counts in pixels of the picture, y down, as {one.name} does")
    if table.units.time == "frame":
        notes.append("the capture rate is not known, so times count frames; say it with --fps")
    if one.name in ("trc", "c3d") and order.scale is None:
        notes.append(f"the markers of {target.name} are in px; say how long a pixel is with --scale")
    if one.name == "trackpy" and order.scale is not None:
        notes.append(f"x, y and ep of {target.name} are in {order.scale.unit}, not in px; give trackpy mpp=1")
    if one.name == "nwb" and order.start is None and table.start is not None:
        notes.append(f"session_start_time is {table.start.isoformat()}, {table.start_note}; --start says it better")
    if not len(rows):
        notes.append("no track is left to be written")
    one.write(table, target)
    return Exported((target,), tuple(notes), len(np.unique(rows["track"])), len(rows))


def _clip_times(material: Material) -> Any:
    """The times of the frames of the clip, from itself where it is still there."""
    with suppress(InputError):
        if material.clip_file is not None:
            with closing(material.open()) as source:
                return np.array([source.info.time.time(index) for index in range(source.info.frames)])
    return material.times


def _chosen(material: Material, rows: Tracks, order: Order) -> Tracks:
    """The rows of the wanted frames, place and kind."""
    # Unconfirmed tracks go first, then frames, then places: what is counted below is what is left.
    if order.tracks == "confirmed":
        rows = confirmed(rows)
    if order.frames is not None:
        numbers = material.numbers
        known = int(rows["frame"].max()) + 1 if len(rows) else 0
        stated = material.meta.get("source", {}).get("frames")
        count = len(numbers) if numbers is not None else stated if isinstance(stated, int) else known
        first, end = frame_range(count, order.frames)
        if numbers is None:
            rows = rows[(rows["frame"] >= first) & (rows["frame"] < end)]
        else:
            rows = rows[np.isin(rows["frame"], numbers[first:end])]
    if order.roi is not None:
        x, y, width, height = order.roi
        if width < 1 or height < 1:
            raise InputError(f"the region of interest {x},{y},{width},{height} is empty; write x,y,width,height")
        # A pixel reaches half a pixel to each side of its centre.
        inside = (rows["x"] >= x - 0.5) & (rows["x"] < x + width - 0.5)
        rows = rows[inside & (rows["y"] >= y - 0.5) & (rows["y"] < y + height - 0.5)]
    if order.min_frames > 1:
        tracks, counts = np.unique(rows["track"][seen(rows)], return_counts=True)
        rows = rows[np.isin(rows["track"], tracks[counts >= order.min_frames])]
    return rows


def _frames(material: Material, one: FrameFormat, target: Path, order: Order) -> Exported:
    with closing(material.open()) as source:
        return _copy(material, source, one, target, order)


def _copy(material: Material, source: FrameSource, one: FrameFormat, target: Path, order: Order) -> Exported:
    wanted: Frames | None = order.frames
    # The frames of the run, where the clip still has them all.
    if wanted is None and material.span is not None and material.span[1] <= source.info.frames:
        wanted = material.span
    moves = one.name == "mp4" and bool(order.video.follow)
    # A body that is followed goes through the whole picture; the region is one of the picture in which it stays still.
    stack = FrameStack(source, wanted, None if moves else order.roi, bits=order.bits, gray=order.gray,
                       blank=order.blank)  # fmt: skip
    rows = None
    # Rows of all frames: trails reach back before the first one that is shown.
    if material.rows is not None:
        rows = plain(_chosen(material, material.rows, replace(order, frames=None, roi=None)))
    options = FrameOptions(order.scale, order.packed, order.playback, rows, material.numbers, order.colour,
                           order.names, material.keypoints, order.look, order.video)  # fmt: skip
    extra = []
    if moves:
        crop_nodes(source.info, order.roi)  # refuses what is outside
        options = replace(options, still=_still(material, stack, order.video.follow), part=order.roi)
        assert options.still is not None
        if options.still.guessed:
            extra.append(f"in {options.still.guessed} frames what stays still was not seen: the picture is moved "
                         "evenly between those before and after")  # fmt: skip
    if order.video.slower is not None:
        if not stack.fps > 0:
            raise InputError("how much slower than life a video plays needs the capture rate; say it with --fps")
        options = replace(options, playback=stack.fps / order.video.slower)
    showing: Any = nullcontext(QuietProgress())
    if order.progress is not None:
        showing = order.progress(f"{source.info.name} to {target.name}", len(stack))
    files, notes = [target], extra
    if one.beside is not None:
        files.append(one.beside(target))
    # Times are written first, and removed again if the frames fail.
    with ExitStack() as undo:
        if not one.times and stack.stamped:
            files.append(_write_times(stack, target))
            undo.callback(files[-1].unlink, missing_ok=True)  # no times without their frames
        with showing as progress:
            stack.progress = progress
            one.write(stack, target, options)
        undo.pop_all()
    if stack.bad:
        named = ", ".join(str(index) for index, _ in stack.bad[:5]) + (" ..." if len(stack.bad) > 5 else "")
        notes.append(f"{len(stack.bad)} frames could not be read and are black: {named}")
    if stack.mosaic and one.name not in ("mp4", "paths"):
        notes.append(f"the pixels are those of the sensor's colour mosaic ({stack.mosaic})")
    if not stack.fps > 0:
        notes.append("the capture rate is not known; say it with --fps")
    return Exported(tuple(files), tuple(notes), frames=len(stack))


def _still(material: Material, stack: FrameStack, follow: tuple[int, ...]) -> Still:
    if material.rows is None:
        raise InputError("a picture can stay still beside tracks alone; export the results of a run or a session")
    return Still(plain(material.rows), follow, keys_of(stack, material.numbers))


def _write_times(stack: FrameStack, target: Path) -> Path:
    """frame, number of the camera, seconds, of each frame."""
    path, text = _times_of(target), io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("frame", "number", "time_s" if stack.fps > 0 else "time_frames"))
    for index, time in enumerate(stack.times.tolist(), stack.first):
        rows.writerow((index, stack.info.first_number + index, repr(time)))
    write_bytes(path, text.getvalue().encode())
    return path
