"""Frames as a TIFF stack with their time base: ImageJ's own up to 4 GB, BigTIFF beyond (Fiji's Bio-Formats, tifffile).

ImageJ shows the frame interval, the unit of a pixel and the time of each frame as its label.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tifffile

from app.exports.bundle import replacing_all
from app.exports.frame_stack import FrameStack
from app.exports.scale import Scale
from app.files.summary import json_text
from app.provenance import source_facts
from kernels.errors import InputError

MOST_CLASSIC = (1 << 32) - (1 << 25)
"""Bytes of pixels beyond which a file becomes a BigTIFF; the rest of 4 GiB is for what is said about them."""


def write_tiff(stack: FrameStack, path: Path, scale: Scale | None = None, *, most_classic: int = MOST_CLASSIC) -> None:
    """One page a frame, uncompressed and contiguous, so that every frame can be mapped.

    Args:
        stack: any pixels.
        path: the file.
        scale: how long a pixel is.
        most_classic: see MOST_CLASSIC; 0 for BigTIFF in any case.
    """
    if stack.width < 2:  # tifffile takes a last axis of 1 for a channel
        raise InputError(f"a TIFF stack holds pictures at least 2 px wide, not {stack.width}; write --to npy")
    size = len(stack) * stack.frame_bytes
    # Types that ImageJ's own format holds; others are described by tifffile's.
    imagej = size <= most_classic and (stack.dtype.name, stack.channels) in (
        ("uint8", 1), ("uint8", 3), ("uint16", 1), ("float32", 1),
    )  # fmt: skip
    options: dict[str, Any] = {}
    if scale is not None:
        options["resolution"] = (1.0 / scale.factor, 1.0 / scale.factor)
    with (
        replacing_all(path) as (temporary,),
        open(temporary, "w+b", buffering=0) as file,
        tifffile.TiffWriter(file, imagej=imagej, bigtiff=size > most_classic, byteorder="<") as to,
    ):
        to.write(
            iter(stack), shape=(len(stack), *stack.shape), dtype=stack.dtype, software="fusetrack",
            photometric="rgb" if stack.channels > 1 else "minisblack", metadata=_metadata(stack, scale, imagej),
            **options,
        )  # fmt: skip


def _metadata(stack: FrameStack, scale: Scale | None, imagej: bool) -> dict[str, Any]:
    times, info = stack.times, stack.info
    known = stack.fps > 0
    data: dict[str, Any] = {"axes": "TYXS" if stack.channels > 1 else "TYX"}
    if known:
        data |= {"finterval": 1.0 / stack.fps, "fps": stack.fps}
    if scale is not None:
        data["unit"] = scale.unit
    about = {"source": source_facts(info), "first_frame": stack.first, "bits": stack.bits, "mosaic": stack.mosaic}
    if imagej:
        unit = "s" if known else "frames"
        data["Labels"] = [f"frame {stack.first + k} t={time!r} {unit}" for k, time in enumerate(times.tolist())]
        return data | {"Info": json_text(about)}
    return data | {"times_s" if known else "times_frames": times.tolist(), "about": json_text(about, indent=None)}
