"""Frames as Photron .mraw with their .cih, which PFV, pyMRAW and pyIDI read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.exports.bundle import replacing_all
from app.exports.frame_stack import FrameStack
from app.files.summary import json_text
from app.provenance import source_facts
from app.version import __version__
from kernels.errors import InputError
from pipelines.frame import Pixels


def header_of(path: Path) -> Path:
    """The .cih beside an .mraw."""
    return path.with_suffix(".cih")


def write_mraw(stack: FrameStack, path: Path, packed: bool = False) -> None:
    """Pixels without padding: 8 bits as bytes, more as 16-bit words with the value in the lower bits.

    Args:
        stack: whole numbers, gray or RGB.
        path: the .mraw; the .cih gets the same name.
        packed: 12 bits as two pixels in three bytes, most significant bits first, as the cameras do.

    Raises:
        InputError: pixels that the format cannot hold, or the file cannot be written.
    """
    if not stack.unsigned or stack.channels == 4:
        raise InputError(f".mraw holds gray or RGB of whole numbers, {stack.info.name} has {stack.dtype} with "
                         f"{stack.channels} channels; write --to tiff or npy")  # fmt: skip
    if packed and (stack.bits > 12 or stack.width * stack.height * stack.channels % 2):
        raise InputError(f"--packed puts two pixels of at most 12 bits into three bytes; {stack.info.name} has "
                         f"{stack.bits} bits and {stack.width} x {stack.height} px"
                         + (", say --bits 12 if its values need no more" if stack.bits > 12 else ""))  # fmt: skip
    stored = 12 if packed else 8 * stack.dtype.itemsize
    with replacing_all(path, header_of(path)) as (pixels, header):
        with open(pixels, "wb") as file:
            for frame in stack:
                file.write(pack_msb12(frame).data if packed else frame.astype(frame.dtype.newbyteorder("<")).data)
        header.write_bytes(_header(stack, stored).encode("utf-8"))


def pack_msb12(pixels: Pixels) -> npt.NDArray[np.uint8]:
    """Two values in three bytes: b0 = v0 >> 4, b1 = v0 << 4 | v1 >> 8, b2 = v1.

    >>> pack_msb12(np.array([0xABC, 0xDEF], np.uint16)).tobytes().hex()
    'abcdef'
    """
    pairs = pixels.astype(np.uint16).reshape(-1, 2)
    made = np.empty((len(pairs), 3), np.uint8)
    made[:, 0] = pairs[:, 0] >> 4
    made[:, 1] = (pairs[:, 0] & 15) << 4 | pairs[:, 1] >> 8
    made[:, 2] = pairs[:, 1] & 255
    return made.ravel()


def _header(stack: FrameStack, stored: int) -> str:
    info = stack.info
    about = info.metadata
    exposure = about.get("exposure_s")
    fields: dict[str, object] = {
        "Date": _line(about.get("date", "") or "unknown"),
        "Camera Type": _line(about.get("camera", "") or f"unknown (written by fusetrack {__version__})"),
        "Record Rate(fps)": _decimal(stack.fps) if stack.fps > 0 else "0",
        "Shutter Speed(s)": _decimal(exposure) if isinstance(exposure, float) and exposure > 0 else "",
        "Total Frame": len(stack),
        "Original Total Frame": info.frames,
        "Start Frame": info.first_number + stack.first,
        "Save Step": 1,
        "Image Width": stack.width,
        "Image Height": stack.height,
        "Color Type": "Bayer" if stack.mosaic else "Color" if stack.channels == 3 else "Mono",
        "Color Bit": stored * stack.channels,
        "File Format": "MRaw",
        "EffectiveBit Depth": stack.bits,
        "EffectiveBit Side": "Lower",
        "Comment Text": _line(f"frames {stack.first} to {stack.end - 1} of {info.name}"),
    }
    if not fields["Shutter Speed(s)"]:
        del fields["Shutter Speed(s)"]  # unknown
    if stack.mosaic:
        fields["Bayer Pattern"] = stack.mosaic.upper()
    # pyMRAW looks for " : " and stops at an empty line.
    lines = "".join(f"{key} : {value}\n" for key, value in fields.items())
    return f"#Camera Information Header\n{lines}\n#{_line(json_text(source_facts(info), indent=None))}\n"


def _decimal(value: float) -> str:
    """A number with a point and without an exponent, to its last digit."""
    return np.format_float_positional(value, trim="0")


def _line(value: object) -> str:
    return " ".join(str(value).replace(" : ", ": ").split()).encode("utf-8", "backslashreplace").decode()
