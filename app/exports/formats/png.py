"""Frames as a folder of numbered PNG files, 8 or 16 bits, lossless."""

from __future__ import annotations

import glob
import os
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np

from app.exports.drawing import encoded
from app.exports.frame_stack import FrameStack
from app.files.atomic import at_work, make_folder, write_error
from kernels.errors import InputError
from kernels.opencv import cv2

_OURS = re.compile(r"frame_\d{6,}\.png")


def write_png(stack: FrameStack, folder: Path) -> None:
    """frame_000000.png and so on, numbered as in the clip; the folder appears when all are written.

    Raises:
        InputError: pixels that are no whole numbers, or the files cannot be written.
    """
    if not stack.unsigned:
        raise InputError(f"PNG holds whole numbers, {stack.info.name} has {stack.dtype}; write --to tiff or npy")
    parent = make_folder(folder.absolute().parent)
    temporary = parent / f".{folder.name}.{os.getpid()}.part"
    _sweep(parent, folder.name)
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir()
        for index, frame in enumerate(stack, stack.first):
            if frame.ndim == 3:
                frame = np.ascontiguousarray(frame[..., [2, 1, 0, 3][: frame.shape[2]]])  # as OpenCV has them
            data = encoded(frame, cv2.IMWRITE_PNG_COMPRESSION, 1)
            (temporary / f"frame_{index:06d}.png").write_bytes(data)
        if folder.exists():  # a folder cannot be replaced in one step: the old one steps aside first
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".old", dir=parent))
            os.replace(folder, old / folder.name)
            os.replace(temporary, folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            os.replace(temporary, folder)
    except OSError as error:
        raise write_error(folder, error, sum(file.stat().st_size for file in temporary.glob("*"))) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _sweep(parent: Path, name: str) -> None:
    """Remove what processes that were killed left of this folder."""
    for left in parent.glob(f".{glob.escape(name)}.*.part"):
        number = left.name.split(".")[-2]
        if number.isdigit() and not at_work(int(number), left):
            shutil.rmtree(left, ignore_errors=True)


def check_ours(folder: Path) -> None:
    """Refuse to replace a folder with anything in it that an export did not write.

    Raises:
        InputError: a file in it is not an export's; one is named.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is a file, not a folder; choose another name for the pictures")
    other = next((file.name for file in folder.iterdir() if not _OURS.fullmatch(file.name)), None)
    if other is not None:
        raise InputError(
            f"{folder} is not replaced: {other} in it was not written by an export; choose another folder"
        )
