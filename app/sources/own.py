"""What fusetrack's exports say beside the pixels: capture rate, time of each frame, bits of the camera's values.

`x.npy.times.csv` beside `x.npy`; tags of a Matroska file; the description of a TIFF stack.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sources.base import ClipSource, describe_rate
from app.sources.grid import find_rounded
from pipelines.frame import TimeBase

SUFFIX = ".times.csv"
EXACT = 1e-9
"""Seconds up to which times are not rounded."""
FITS = 0.02
"""Share by which the rate of the stamps of a video may differ from the capture rate that it names."""
_LABEL = re.compile(r"frame \d+ t=([-+.0-9e]+) (s|frames)")


def times_of(clip: Path) -> Path:
    """The table of times beside a clip, whether it is there or not."""
    clip = clip if clip.name else clip.resolve()  # the folder that one is in has no name of its own
    return clip.with_name(f"{clip.name}{SUFFIX}")


def attach_times(source: ClipSource, path: Path) -> None:
    """Take the times from the table beside an export, if there is one.

    Args:
        source: the clip as it was opened; only one whose format holds no times is changed.
        path: what was opened.
    """
    info = source.info
    if info.kind not in ("npy", "mraw", "images"):
        return
    table = times_of(path)
    if not table.is_file():
        return
    try:
        with table.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file)
            # The table may be longer than a clip that was cut short.
            unit = {"time_s": "s", "time_frames": "frames"}[next(rows)[2]]
            times = np.array([float(row[2]) for row in islice(rows, info.declared_frames)])[: info.frames]
    except (OSError, ValueError, KeyError, IndexError, StopIteration, csv.Error):
        times, unit = np.zeros(0), ""
    made = time_base(times, unit, info.frames, info.time.fps, f"from {table.name}", source.from_trigger)
    if made is None:
        source.warn(f"{table.name} is no table of the times of these {info.frames} frames and is not used")
    else:
        source.retime(made)


def time_base(
    times: npt.NDArray[np.float64], unit: str, frames: int, fps: float, whence: str, from_trigger: bool = False
) -> TimeBase | None:
    """The time base of a clip whose frames have these times; None if they do not fit it.

    Args:
        times: of each frame, in `unit`: "s", or "frames" if the rate is unknown.
        unit: see there.
        frames: of the clip.
        fps: its rate, NaN for what the times tell.
        whence: where they come from, in words.
        from_trigger: whether they count from the trigger, as the clip's numbers do, and stay as they are.
    """
    if len(times) != frames or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        return None
    if unit != "s" or not from_trigger:
        times = times - times[0]
    if unit != "s":
        return TimeBase(float("nan"), "unknown", f"times in frames {whence}; give the capture rate with --fps", times)
    # Times that were written with few decimals are put back onto their grid.
    grid = find_rounded(times, [Fraction(fps).limit_denominator(10**6)] if fps > 0 else ())
    even = times if grid is None else times[0] + grid.numbers / grid.rate
    if grid is not None and np.abs(even - times).max() > EXACT:
        fps, note = grid.rate, f"{describe_rate(grid.rate)}, by the times of the frames {whence}, which are rounded"
        note += f"; {grid.sentence()}" if grid.missing else ""
        return TimeBase(fps, "stamps", note, even)
    if not fps > 0 and frames > 1:
        fps = float(f"{1 / np.median(np.diff(times)):.9g}")
    if not fps > 0:
        return None
    return TimeBase(fps, "stamps", f"{describe_rate(fps)}, with the time of each frame {whence}", times)


def read_json(text: object) -> dict[str, Any]:
    """What an export says about itself; {} if it is not ours."""
    try:
        facts = json.loads(str(text or ""))
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) and isinstance(facts.get("source"), dict) and "first_frame" in facts else {}


def bits_of(facts: Mapping[str, Any], most: int) -> int:
    """Bits of the camera's values, where an export says fewer than its format."""
    bits = facts.get("bits")
    return bits if isinstance(bits, int) and 0 < bits <= most else most


def color_of(facts: Mapping[str, Any], color: str) -> str:
    """The order of the colour filters where gray pixels of an export are a sensor's mosaic, else the given colour."""
    mosaic = facts.get("mosaic")
    return str(mosaic) if color == "mono" and mosaic in ("rggb", "bggr", "grbg", "gbrg") else color


def tiff_times(about: Mapping[str, Any], frames: int) -> TimeBase | None:
    """The time base of a TIFF stack by its description (ImageJ's, or tifffile's); None if there is none."""
    interval = about.get("finterval")
    fps = 1.0 / interval if isinstance(interval, int | float) and 0 < interval < 1e9 else float("nan")
    fps = float(f"{fps:.12g}")
    labels = about.get("Labels")
    found = [_LABEL.fullmatch(str(label)) for label in labels] if isinstance(labels, list) else []
    try:
        if found and all(found):
            units = {match[2] for match in found if match}
            times = np.array([float(match[1]) for match in found if match])
            made = time_base(times, "s" if units == {"s"} else "frames", frames, fps, "from the labels of the stack")
        elif isinstance(about.get("times_s"), list):
            made = time_base(np.array(about["times_s"], np.float64), "s", frames, fps, "from the file's description")
        else:
            made = None
    except (ValueError, TypeError):
        made = None
    if made is not None or not fps > 0:
        return made
    return TimeBase(fps, "header", f"{describe_rate(fps)}, by the frame interval in the file's description")


def video_times(tags: Mapping[str, str], stamps: npt.NDArray[np.float64], tick: float) -> TimeBase | None:
    """The time base of a video that names its capture rate, as exports do; None if it does not, or if its frames are
    no longer those that were exported.

    Args:
        tags: of the file.
        stamps: seconds of each frame by the file.
        tick: seconds to which they are exact.
    """
    facts = read_json(tags.get("FUSETRACK"))
    try:
        fps = float(tags.get("CAPTURE_RATE", ""))
    except ValueError:
        return None
    if not facts or not 0 < fps < 1e9 or len(stamps) < 2:
        return None
    steps = np.arange(len(stamps))
    if np.abs(stamps - steps / fps).max() <= tick:
        return TimeBase(fps, "header", f"{describe_rate(fps)}, the capture rate that the file names")
    playback = facts.get("playback")
    if isinstance(playback, int | float) and playback > 0 and facts.get("frames") == len(stamps):
        note = f"{describe_rate(fps)}, the capture rate that the file names; it is played at {describe_rate(playback)}"
        return TimeBase(fps, "header", note)
    if abs(fps * float(np.median(np.diff(stamps))) - 1) < FITS:
        return TimeBase(fps, "stamps", f"{describe_rate(fps)}, with the time of each frame from the file", stamps)
    return None
