"""Frames as one NumPy array in a .npy file: (frames, height, width), with the channels last if there are some."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.exports.bundle import replacing_all
from app.exports.frame_stack import FrameStack


def write_npy(stack: FrameStack, path: Path) -> None:
    """`numpy.load(path, mmap_mode="r")` maps it."""
    with replacing_all(path) as (temporary,), open(temporary, "wb") as file:
        dtype = stack.dtype.newbyteorder("<")
        header = {"descr": dtype.str, "fortran_order": False, "shape": (len(stack), *stack.shape)}
        np.lib.format.write_array_header_1_0(file, header)
        for frame in stack:
            file.write(frame.astype(dtype, copy=False).data)
