"""Phantom cine files: mapped, O(1) access, nothing copied before unpacking.

8- and 16-bit rows are stored from the bottom up and delivered as a flipped view; packed 10- and 12-bit rows are
stored from the top and delivered packed. The flips that the operator set (bFlipH, bFlipV) are part of the picture
and honoured. Colour heads: CFA 3 is gb/rg, CFA 4 is rg/gb.
"""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from app.sources.base import check_picture, describe_rate, identity_of
from app.sources.cine_header import CineHeader, Setup, read_header
from app.sources.cine_log import P10_TO_LINEAR
from app.sources.packed import PACKING, rows_are_whole
from app.sources.raw_stack import Layout, RawStack, rows_of
from app.sources.stamps import StampCheck, check_stamps, fixed_point_seconds
from kernels.errors import BadFrame, SourceError
from kernels.ir.image import U8, U16, ImageType
from pipelines.frame import PixelFormat, SourceInfo, TimeBase

# Offsets in SETUP (see cine_header).
_FRAME_RATE_16, _SERIAL, _FLIP_H, _FLIP_V, _FRAME_RATE, _CFA = 0, 743, 756, 760, 768, 808
_FIRMWARE, _REAL_BPP, _RATE_STEPS, _SHUTTER_NS, _DESCRIPTION = 796, 896, 1048, 1568, 1596
_BLACK, _WHITE, _LENS, _CAMERA_MODEL, _EXACT_RATE = 5732, 5736, 5740, 10128, 10400
_BAYER = {3: "gbrg", 4: "rggb"}
_SWAP_ROWS = {"gbrg": "rggb", "rggb": "gbrg", "bggr": "grbg", "grbg": "bggr"}
_SWAP_COLUMNS = {"gbrg": "bggr", "bggr": "gbrg", "rggb": "grbg", "grbg": "rggb"}
_MAX_RATE = 1e9


class CineSource(RawStack):
    """A Phantom cine.

    Args:
        path: the file.

    Raises:
        SourceError: see `read_header`; or no frame in the file is whole.
    """

    from_trigger = True

    def _describe(self, path: Path) -> tuple[SourceInfo, Layout]:
        header = self._header = read_header(path, self._file)
        warnings = list(header.warnings)
        # The smallest annotation is its own length and the image's: 8 bytes.
        whole = (header.offsets >= 44) & (header.offsets <= self._file.size - header.image_bytes - 8)
        frames = int(np.flatnonzero(whole)[-1]) + 1 if whole.any() else 0
        if not frames:
            raise SourceError(f"{path} is cut short or damaged: not one of its {header.declared} frames is whole")
        if frames < header.declared:
            warnings.append(f"the file is cut short: {frames} of {header.declared} frames are there")
        if broken := frames - int(whole[:frames].sum()):
            warnings.append(f"{broken} of {frames} frames lie outside the file and cannot be read")
        setup = header.setup
        flips = setup.integer(_FLIP_V) != 0, setup.integer(_FLIP_H) != 0
        image, pixels = _formats(path, header, *flips, warnings)
        time = _time_base(header, frames, warnings)
        return SourceInfo(
            path.name, "cine", header.width, header.height, frames, image, pixels, time,
            first_number=header.first_image, declared_frames=header.declared, warnings=tuple(warnings),
            metadata=_metadata(header, *flips, frames), identity=identity_of(path),
        ), _layout(header, image, *flips)  # fmt: skip

    def _offset(self, index: int) -> int:
        """Behind the frame's annotation, which begins with its own length."""
        offset = int(self._header.offsets[index])
        head = self._file.view(index, offset, (4,), np.uint8, (1,))
        annotation = int.from_bytes(head.tobytes(), "little")
        if annotation < 8:
            raise BadFrame(index, f"its annotation says {annotation} bytes, at least 8 are needed")
        return offset + annotation


def _formats(
    path: Path, header: CineHeader, flip_v: bool, flip_h: bool, warnings: list[str]
) -> tuple[ImageType, PixelFormat]:
    """What is delivered, and how it spells the picture."""
    width, height, bits = header.width, header.height, _real_bits(header, warnings)
    color = _color(header, flip_v, flip_h, warnings)
    if not header.sample_bits:
        dtype, channels = (U8 if header.bit_count in (8, 24) else U16), (3 if header.bit_count >= 24 else 1)
        image = ImageType(dtype, height, width, channels, bits)
        check_picture(path, width, height, image.nbytes)
        return image, PixelFormat(color, bits)
    lut = P10_TO_LINEAR if header.sample_bits == 10 else ()
    check_picture(path, width, height, 2 * width * height)
    # A picture flipped left to right, or whose rows share bytes, cannot stay packed.
    if rows_are_whole(width, header.sample_bits) and header.stride > 0 and not flip_h:
        row = width * header.sample_bits // 8
        return ImageType(U8, height, row), PixelFormat(color, bits, PACKING[header.sample_bits], 0, lut)
    return ImageType(U16, height, width, 1, bits), PixelFormat(color, bits, "none", 0, lut)


def _layout(header: CineHeader, image: ImageType, flip_v: bool, flip_h: bool) -> Layout:
    """How a frame lies behind its annotation; flips are where it is to be shown in another order."""
    bits, width, height = header.sample_bits, header.width, header.height
    # Stored bottom-up, or stored top-down and flipped by the operator; packed ones are stored top-down.
    turned = flip_v if bits else flip_v == header.top_down
    flips = tuple(slice(None, None, -1 if turn else None) for turn in (turned, flip_h)) if turned or flip_h else ()
    if not bits:
        dtype = "u1" if image.dtype.itemsize == 1 else "<u2"
        return Layout(image.shape, dtype, rows_of(image.shape, dtype, header.stride), flips=flips)
    if not header.stride:
        return Layout((header.image_bytes,), "u1", (1,), bits=bits, samples=width * height, flips=flips)
    packed, row = image.dtype == U8, -(-width * bits // 8)
    return Layout((height, row), "u1", (header.stride, 1), bits=0 if packed else bits, samples=width, flips=flips)


def _real_bits(header: CineHeader, warnings: list[str]) -> int:
    """Significant bits of a sample, after the table of packed 10-bit files."""
    if header.sample_bits:
        return 12
    stored = 8 if header.bit_count in (8, 24) else 16
    real = header.setup.integer(_REAL_BPP, default=stored)
    if stored == 8 or 8 <= real <= 16:
        return min(real, stored) if stored == 16 else 8
    warnings.append(f"the depth in the camera settings ({real} bits) cannot be; {stored} bits are assumed")
    return stored


def _color(header: CineHeader, flip_v: bool, flip_h: bool, warnings: list[str]) -> str:
    """Colour spelling; a flip moves the first colour unless that side is odd."""
    if header.bit_count >= 24:
        return "bgr"
    cfa = header.setup.integer(_CFA)
    if header.compression != 2 or cfa & 0xFFFFFF == 0 or cfa & 0x80000000:
        return "mono"
    order = _BAYER.get(cfa & 0xFFFFFF)
    if order is None:
        warnings.append(f"the colour filter code {cfa & 0xFFFFFF} is not known; the mosaic is delivered as gray")
        return "mono"
    if flip_v and header.height % 2 == 0:
        order = _SWAP_ROWS[order]
    if flip_h and header.width % 2 == 0:
        order = _SWAP_COLUMNS[order]
    return order


def _time_base(header: CineHeader, frames: int, warnings: list[str]) -> TimeBase:
    """Time stamps where they are sane, else the nominal rate."""
    setup = header.setup
    nominal = setup.number(_EXACT_RATE, "d") or float(setup.integer(_FRAME_RATE) or setup.integer(_FRAME_RATE_16, "H"))
    if not 0 < nominal < _MAX_RATE:
        nominal = float("nan")
    # Tagged block 1002: times of the images as 32.32 fixed-point numbers, the fraction first.
    block = header.blocks.get(1002, b"")
    if len(block) >= 8 * frames and frames > 1:
        table = np.frombuffer(block, "<u4", 2 * frames).reshape(frames, 2)
        check = check_stamps(fixed_point_seconds(table[:, 0], table[:, 1]))
        warnings.extend(check.warnings)
        if check.seconds is not None:
            fps = 1.0 / check.step
            note = f"{describe_rate(fps)} from the camera's time stamps"
            if nominal > 0 and abs(fps / nominal - 1) > 0.01:
                ratio = nominal / fps
                # A whole ratio of header and stamps: every so many'th frame was saved.
                each = f"; every {round(ratio)}th frame was saved" if ratio > 1.5 and abs(ratio % 1 - 0.5) > 0.4 else ""
                note += f" (the header's nominal rate is {describe_rate(nominal)})"
                warnings.append(
                    f"the header says {describe_rate(nominal)}, the time stamps say {describe_rate(fps)}{each}; "
                    "the stamps are used"
                )
            return TimeBase(fps, "stamps", note, check.seconds + _first_time(header, check, warnings))
    if not nominal > 0:
        return TimeBase(float("nan"), "unknown", "the file names no frame rate; give it with --fps")
    if setup.integer(_RATE_STEPS):
        warnings.append("the camera changed its rate during the recording and there are no time stamps to tell when")
    note = f"{describe_rate(nominal)}, the header's nominal rate (no usable time stamps)"
    # Without stamps the camera's frame numbers count from the trigger.
    return TimeBase(nominal, "header", note, begin=header.first_image / nominal)


def _first_time(header: CineHeader, check: StampCheck, warnings: list[str]) -> float:
    """Seconds of the first frame from the trigger: by the trigger's own stamp, else from frame number 0."""
    assert check.seconds is not None
    first = header.first_image
    inside = 0 <= -first < len(check.seconds)
    by_number = float(-check.seconds[-first]) if inside else first * check.step
    stamped = _from_trigger(header)
    if stamped is None:
        return by_number
    # Number 0 is exposed within a frame of the trigger; between it and a clip far away the rate may have changed.
    if abs(stamped - by_number) <= 2 * check.step + (0 if inside else 0.01 * abs(by_number)):
        return stamped
    warnings.append("the time stamps of trigger and frames do not fit the frames' numbers; times count from number 0")
    return by_number


def _from_trigger(header: CineHeader) -> float | None:
    """Seconds from the trigger to the stamp of the first frame; None where one of them is not recorded."""
    whole, fraction = header.trigger
    stamps = header.blocks.get(1002, b"")
    if not whole or len(stamps) < 8:
        return None
    # Whole seconds are subtracted as whole numbers; a float of 1.4e9 s has no digits left for a fraction of a frame.
    first_fraction, first_whole = struct.unpack_from("<II", stamps)
    ticks: int = (first_whole - whole) * 2**32 + first_fraction - fraction
    return ticks / 2**32


def _metadata(header: CineHeader, flip_v: bool, flip_h: bool, frames: int) -> dict[str, Any]:
    """Camera, exposure, trigger for the summary; fields that the file does not have are left out."""
    setup: Setup = header.setup
    data: dict[str, Any] = {
        "camera": setup.text(_CAMERA_MODEL, 256),
        "serial": setup.integer(_SERIAL),
        "firmware": setup.integer(_FIRMWARE),
        "description": setup.text(_DESCRIPTION, 4096),
        "lens": setup.text(_LENS, 256),
        "nominal_fps": setup.integer(_FRAME_RATE) or setup.integer(_FRAME_RATE_16, "H"),
        "black_level": setup.integer(_BLACK, "i"),
        "white_level": setup.integer(_WHITE, "i"),
        "cfa": setup.integer(_CFA),
    }
    data = {key: value for key, value in data.items() if value}
    data["flipped_vertically"], data["flipped_horizontally"] = flip_v, flip_h
    exposures = header.blocks.get(1003, b"")
    if len(exposures) >= 4 * frames:
        seconds = np.frombuffer(exposures, "<u4", frames) / 2.0**32
        data["exposure_s"] = float(np.median(seconds))
        if seconds.max() > 1.001 * seconds.min():
            data["exposure_range_s"] = [float(seconds.min()), float(seconds.max())]
    elif setup.integer(_SHUTTER_NS):
        data["exposure_s"] = setup.integer(_SHUTTER_NS) * 1e-9
    whole, fraction = header.trigger
    if whole:
        # The fraction is of 2^32: scaled to nanoseconds in whole numbers.
        moment = datetime.fromtimestamp(whole, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        data["trigger_utc"] = f"{moment}.{fraction * 10**9 >> 32:09d}Z"
        from_trigger = _from_trigger(header)
        if from_trigger is not None:
            data["first_frame_from_trigger_s"] = from_trigger
    return data
