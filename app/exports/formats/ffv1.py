"""Frames as FFV1 (RFC 9043) in Matroska: lossless, half the size, with the exact time of every frame.

FFmpeg counts the times of a Matroska file in milliseconds, too coarse for a fast camera; the file's own tick can be
finer. So stamps are given to FFmpeg in ticks of a microsecond or less, and the tick is set right afterwards.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import av
import av.error
import numpy as np

from app.exports.disk_file import DiskFile
from app.exports.frame_stack import FrameStack
from app.files.atomic import PendingFile, errno_of
from app.files.summary import json_text
from app.provenance import source_facts
from kernels.errors import InputError
from pipelines.frame import Pixels

_TICK = b"\x2a\xd7\xb1\x83" + (1_000_000).to_bytes(3, "big")
"""The element TimestampScale as FFmpeg writes it: ticks of 1 000 000 ns."""
_GRAY = {8: "gray", 9: "gray9le", 10: "gray10le", 12: "gray12le", 14: "gray14le", 16: "gray16le"}
_COLOR = {(3, 1): "bgr0", (4, 1): "bgra", (3, 2): "gbrp16le"}
PLAIN_RATE = 30.0
"""Frames a second if the capture rate is unknown."""


def write_ffv1(stack: FrameStack, path: Path, playback: float | None = None) -> None:
    """A video whose frames decode to the same bits.

    Args:
        stack: whole numbers.
        path: the .mkv.
        playback: frames a second at which players show it; None for the true times. The capture rate is in the tag
            CAPTURE_RATE in any case.

    Raises:
        InputError: pixels that FFV1 cannot hold, or the file cannot be written.
    """
    form = _form(stack)
    pending = PendingFile(path)
    container: Any = None
    disk: DiskFile | None = None
    try:
        with open(pending.temporary, "w+b") as file:
            disk = DiskFile(file)
            container = av.open(disk, "w", format="matroska")
            try:
                _encode(container, disk, stack, form, playback)
            except BaseException:
                _drop(container)  # while there is a file for its last words, which libav would print that it lacks
                raise
            container.close()
            _check(disk)
            _set_tick(file, _tick(stack, playback))
    except (OSError, av.error.FFmpegError) as error:
        if errno_of(error) == errno.ENOSYS:
            pending.discard()
            raise InputError(f"FFV1 takes no pictures of {stack.width} x {stack.height} px; write --to npy") from error
        raise pending.failed(disk.error if disk is not None and disk.error is not None else error) from error
    except BaseException:
        pending.discard()
        raise
    pending.commit()


def _form(stack: FrameStack) -> str:
    """FFmpeg's name of the pixels; depths that it has not go into the next that it has."""
    known = {one.name for one in av.Codec("ffv1", "w").video_formats or ()}
    if stack.unsigned and stack.channels == 1:
        return next(name for bits, name in _GRAY.items() if bits >= stack.bits and name in known)
    form = _COLOR.get((stack.channels, stack.dtype.itemsize), "")
    if not stack.unsigned or form not in known:
        raise InputError(f"FFV1 holds gray, RGB and 8-bit RGBA of whole numbers; {stack.info.name} has {stack.dtype} "
                         f"with {stack.channels} channels: write --to tiff or npy")  # fmt: skip
    return form


def _rate(stack: FrameStack, playback: float | None) -> float:
    return playback or (stack.fps if stack.fps > 0 else PLAIN_RATE)


def _tick(stack: FrameStack, playback: float | None) -> int:
    """Nanoseconds of a tick: a thousandth of a frame or less, and a divisor of a second."""
    rate = _rate(stack, playback)
    # Stamps in ticks tell frames apart to a thousandth; Matroska's usual tick of 1 ms is too coarse.
    return 1000 if rate <= 1000 else 100 if rate <= 10_000 else 10


def _encode(container: Any, disk: DiskFile, stack: FrameStack, form: str, playback: float | None) -> None:
    rate, tick = _rate(stack, playback), _tick(stack, playback)
    # g = 1: each frame by itself, so that one that is damaged harms no other; check sums in each slice.
    options = {"level": "3", "slicecrc": "1", "g": "1"}
    if min(stack.width, stack.height) >= 8:  # each slice is for a processor of its own
        options["slices"] = "16" if stack.width * stack.height >= 1 << 20 else "4"
    stream = container.add_stream("ffv1", rate=Fraction(rate).limit_denominator(100_000), options=options)
    stream.width, stream.height, stream.pix_fmt = stack.width, stack.height, form
    context = stream.codec_context
    # A tick of a millisecond is written now, and replaced in the file at the end (`_set_tick`): libav knows no other.
    context.time_base, context.color_range, context.thread_count = Fraction(1, 1000), 2, 0
    own = playback is None and stack.fps > 0
    times = stack.times - stack.times[0] if own else np.arange(len(stack)) / rate
    about = {"source": source_facts(stack.info), "first_frame": stack.first, "bits": stack.bits, "mosaic": stack.mosaic,
             "frames": len(stack), "playback": playback}  # fmt: skip
    rate_text = repr(stack.fps) if stack.fps > 0 else "unknown"
    container.metadata.update(CAPTURE_RATE=rate_text, BITS=str(stack.bits), FUSETRACK=json_text(about, None))
    stamps = np.rint(times * 1e9 / tick).astype(np.int64)
    order = np.arange(len(stamps))
    stamps = np.maximum.accumulate(stamps - order) + order  # each frame at least a tick after the one before
    for stamp, pixels in zip(stamps.tolist(), stack, strict=True):
        frame = _frame(pixels, stack, form)
        frame.pts, frame.time_base = stamp, Fraction(1, 1000)
        container.mux(stream.encode(frame))
        _check(disk)
    container.mux(stream.encode(None))


def _frame(pixels: Pixels, stack: FrameStack, form: str) -> Any:
    """The pixels in FFmpeg's planes, whose rows may be longer."""
    if form == "gbrp16le":
        planes = [pixels[..., 1], pixels[..., 2], pixels[..., 0]]
    elif form in ("bgr0", "bgra"):
        whole = np.zeros((*pixels.shape[:2], 4), np.uint8)
        whole[..., :3] = pixels[..., 2::-1]
        whole[..., 3] = pixels[..., 3] if form == "bgra" else 0
        planes = [whole.reshape(stack.height, -1)]
    else:
        planes = [pixels]
    frame = av.VideoFrame(stack.width, stack.height, form)
    for plane, values in zip(frame.planes, planes, strict=True):
        # FFmpeg's planes are little-endian bytes.
        values = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).view(np.uint8).reshape(stack.height, -1)
        rows = np.zeros((stack.height, plane.line_size), np.uint8)
        rows[:, : values.shape[1]] = values
        plane.update(rows)
    return frame


def _set_tick(file: BinaryIO, tick: int) -> None:
    """Replace the file's tick; all its times are counted in it."""
    file.flush()
    file.seek(0)
    place = file.read(4096).find(_TICK)
    if place < 0:
        raise InputError("this FFmpeg writes Matroska in a way that fusetrack does not know; write --to tiff")
    file.seek(place + 4)
    file.write(tick.to_bytes(3, "big"))


def _check(disk: DiskFile) -> None:
    if disk.error is not None:
        raise disk.error


def _drop(container: Any) -> None:
    with suppress(OSError, ValueError, av.error.FFmpegError):
        if container is not None:
            container.close()
