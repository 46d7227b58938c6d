"""What a NorPix sequence says beside its pixels: its header, and the time of each frame."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sources.base import MappedFile, check_picture, describe_rate
from app.sources.grid import find_grid
from app.sources.stamps import check_stamps
from kernels.errors import SourceError
from pipelines.frame import TimeBase

HEADER = np.dtype({
    "names": ["version", "width", "height", "depth", "bits", "image_bytes", "format", "frames", "step", "rate",
              "bayer", "compression", "oldest"],
    "formats": ["<i4", "<u4", "<u4", "<u4", "<u4", "<u4", "<u4", "<u4", "<u4", "<f8", "<i4", "<u4", "<u4"],
    "offsets": [28, 548, 552, 556, 560, 564, 568, 572, 580, 584, 608, 620, 656],
    "itemsize": 1024,
})  # fmt: skip
"""Fields of the header; the others say nothing of pixels and times."""
STAMP = np.dtype([("s", "<u4"), ("ms", "<u2"), ("us", "<u2")])
"""What is behind the pixels of a frame: seconds since 1970."""
_DESCRIPTION = slice(36, 548)
_BAYER = ("gbrg", "grbg", "bggr", "rggb")
_RATES = (1e-6, 1e9)
_COARSE = 20
"""Stamps of which a rate can be estimated where they are coarser than the frames."""

Stamps = npt.NDArray[Any]


def read_header(path: Path, file: MappedFile) -> dict[str, Any]:
    """The fields of `HEADER`, and "description".

    Raises:
        SourceError: cut short, or of a picture that cannot be.
    """
    data = file.bytes(0, HEADER.itemsize)
    if len(data) < HEADER.itemsize:
        raise SourceError(f"{path} is cut short: its header takes {HEADER.itemsize} bytes, {len(data)} are there")
    row = np.frombuffer(data, HEADER)[0]
    header: dict[str, Any] = {name: row[name].item() for name in HEADER.names or ()}
    check_picture(path, header["width"], header["height"])
    header["description"] = data[_DESCRIPTION].decode("utf-16-le", "ignore").split("\0")[0].strip()
    return header


def mosaic_of(header: dict[str, Any], warnings: list[str]) -> str:
    """The order of the colours of a mosaic, as `PixelFormat.color`."""
    if 0 <= header["bayer"] < len(_BAYER):
        return _BAYER[header["bayer"]]
    warnings.append("the header does not name the order of the Bayer mosaic; red, green / green, blue is assumed")
    return "rggb"


def time_base(header: dict[str, Any], stamps: Stamps, warnings: list[str]) -> TimeBase:
    """By the stamps where they are sane, else by the rate that the header suggests for playing."""
    rate = header["rate"]
    nominal = rate if _RATES[0] < rate < _RATES[1] else float("nan")
    made = _by_stamps(stamps, nominal, warnings)
    if made is None:
        if not nominal > 0:
            return TimeBase(float("nan"), "unknown", "the file names no frame rate; give it with --fps")
        return TimeBase(nominal, "header", f"{describe_rate(nominal)}, the header's rate (no usable time stamps)")
    if nominal > 0 and abs(made.fps / nominal - 1) > 0.01:
        warnings.append(f"the header says {describe_rate(nominal)}, the time stamps say {describe_rate(made.fps)}; "
                        "the stamps are used")  # fmt: skip
    return made


def _by_stamps(stamps: Stamps, nominal: float, warnings: list[str]) -> TimeBase | None:
    if len(stamps) < 2 or not stamps["s"].any():
        return None
    fine, ticks = _fine(stamps), ticks_of(stamps)
    since = ticks - ticks[0]
    steps = np.diff(since)
    # Several frames bear one stamp: in whole ms they do not tell each step.
    if not fine and (steps >= 0).all() and (steps == 0).any() and since[-1] >= _COARSE:
        return _coarse(since, nominal, warnings)
    declared = [Fraction(nominal)] if nominal > 0 else []
    grid = find_grid(ticks, Fraction(1, 1_000_000 if fine else 1000), declared) if (steps > 0).all() else None
    if grid is not None:
        if grid.missing:
            warnings.append(f"{grid.sentence()}, by the time stamps; the times of those that are there leave room")
        note = f"{describe_rate(grid.rate)} from the time stamps"
        return TimeBase(grid.rate, "stamps", note, grid.numbers / grid.rate if grid.missing else None)
    check = check_stamps(since * (1e-6 if fine else 1e-3))
    warnings.extend(check.warnings)
    if check.seconds is None:
        return None
    steps = np.diff(check.seconds)
    # Steps that are usual tell the rate; pauses do not.
    usual = steps[np.abs(steps - check.step) <= check.step / 2]
    fps = 1.0 / (float(usual.mean()) if len(usual) else check.step)  # a computer's clock jitters
    return TimeBase(fps, "stamps", f"{describe_rate(fps)} from the time stamps", check.seconds)


def ticks_of(stamps: Stamps) -> npt.NDArray[np.int64]:
    """Stamps in microseconds; in milliseconds where they have none."""
    ticks: npt.NDArray[np.int64] = stamps["s"].astype(np.int64) * 1000 + stamps["ms"]
    return ticks * 1000 + stamps["us"] if _fine(stamps) else ticks


def _fine(stamps: Stamps) -> bool:
    """Whether they have microseconds; in older files there may be anything in their place."""
    return bool((stamps["us"] < 1000).all() and stamps["us"].any())


def _coarse(since: npt.NDArray[np.int64], nominal: float, warnings: list[str]) -> TimeBase:
    """Of stamps in whole milliseconds, several frames to one."""
    numbers = np.arange(len(since))
    if nominal > 0 and (np.abs(since - numbers * (1000 / nominal)) <= 1).all():
        return TimeBase(nominal, "stamps", f"{describe_rate(nominal)}, which the time stamps (whole ms) agree with")
    fps = (len(since) - 1) / (float(since[-1]) * 1e-3)
    warnings.append("the time stamps are in whole milliseconds, coarser than the frames, which are taken as even")
    return TimeBase(fps, "stamps", f"{describe_rate(fps)} on average by the time stamps")


def metadata(header: dict[str, Any], stamps: Stamps) -> dict[str, Any]:
    """Version, description and date for the summary."""
    data: dict[str, Any] = {"version": header["version"], "suggested_fps": header["rate"]}
    if header["description"].isprintable() and header["description"]:
        data["description"] = header["description"]
    if len(stamps) and int(stamps["s"][0]):
        data["first_frame_utc"] = datetime.fromtimestamp(int(stamps["s"][0]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return data
