"""Scenes as files: a clip, and its truth as a table beside it.

| file            | what it holds                                                                     |
|-----------------|-----------------------------------------------------------------------------------|
| .mp4            | H.264, 8 bits, lossy: small, plays everywhere                                     |
| .mkv            | H.264 as above, or FFV1 (lossless, 8..16 bits) when `lossless` is asked for       |
| .avi            | FFV1, or motion JPEG of 8 bits when a quality is asked for: each frame by itself   |
| .npy            | a plain array (frames, height, width), u8 or u16; it has no frame rate            |

Luma carries the picture in full range (0..255) and chroma is neutral, since not every player decodes H.264's gray
profile; the file's frame rate is the capture rate, and there are no B-frames, so that frame i is the i-th picture.
JPEGs are gray: what their quantisation adds looks like noise, and so small motions are kept, which H.264 rounds away.
"""

from __future__ import annotations

import csv
import math
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.error
import numpy as np
import numpy.typing as npt

from app.files.atomic import size_text
from app.sources.simulated.scene import Scene
from kernels.errors import InputError
from kernels.opencv import cv2

Progress = Callable[[int, int], None]
FFV1_AT_BEST = 8
"""How much smaller FFV1 makes pictures with noise, at the very best."""
AVI_FPS = 1000
"""Beyond which FFmpeg writes 600 into the head of an AVI file, whatever the rate."""
COLUMNS = ("frame", "time_s", "track", "x_px", "y_px", "visible")
QUALITY = 8
"""x264's constant rate factor: what it adds to the centre of a marker is below 0.01 px."""
KEY_EVERY = 64
"""Frames between key frames: the price of a jump."""
# psychovisual tricks invent detail; weighted prediction models the lamp's flicker
X264 = "bframes=0:aq-mode=1:aq-strength=0.6:no-psy=1:weightp=2:me=umh:subme=9:ref=4:deblock=-1,-1"


def write_scene(
    scene: Scene, path: str | Path, *, lossless: bool = False, jpeg: int | None = None,
    progress: Progress | None = None,
) -> Path:  # fmt: skip
    """Write a scene's clip, and its truth into `truth_path(path)`; existing files are replaced once both are whole.

    Args:
        scene: what to render.
        path: the clip; its ending chooses the format (table above).
        lossless: FFV1 in .mkv; .avi and .npy are lossless anyway.
        jpeg: motion JPEG of this quality, 1 .. 100 (best), in .avi.
        progress: called with (frames written, frames in all).

    Returns:
        The path of the truth table: columns frame, time_s, track, x_px, y_px, visible (0 or 1), one header line.

    Raises:
        InputError: unknown ending, more bits than the format holds, or the file cannot be written.
    """
    path = Path(path)
    encode = _encoder(scene, path, lossless, jpeg)
    _check_room(scene, path, lossless, jpeg)
    table = truth_path(path)
    clip_part, table_part = (p.with_name(f".{p.stem}.part{p.suffix}") for p in (path, table))
    try:
        with open(table_part, "w", newline="", encoding="ascii") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(COLUMNS)
            with encode(clip_part) as put:
                for index in range(scene.frames):
                    put(scene.render(index))
                    rows.writerows(_texts(row) for row in scene.truth(index).tolist())
                    if progress is not None:
                        progress(index + 1, scene.frames)
        os.replace(clip_part, path)
        os.replace(table_part, table)
    except (OSError, av.error.FFmpegError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be written ({reason}); choose another folder or name") from error
    finally:
        clip_part.unlink(missing_ok=True)
        table_part.unlink(missing_ok=True)
    return table


def truth_path(path: str | Path) -> Path:
    """Where the truth of the clip `path` lies: "face.mp4" -> "face.truth.csv"."""
    path = Path(path)
    return path.with_name(path.stem + ".truth.csv")


def _check_room(scene: Scene, path: Path, lossless: bool, jpeg: int | None) -> None:
    """Say before it is rendered that a clip cannot fit. How small H.264 and JPEG, or FFV1 without noise, make one is
    not known beforehand.

    Raises:
        InputError: there is less room than it needs.
    """
    exact = path.suffix.lower() == ".npy"
    if not exact and not (scene.noise and jpeg is None and (lossless or path.suffix.lower() == ".avi")):
        return
    needed = scene.frames * math.prod(scene.shape) * (1 if scene.bits <= 8 else 2) // (1 if exact else FFV1_AT_BEST)
    try:
        free = shutil.disk_usage(path.absolute().parent).free
    except OSError:  # the writer reports it
        return
    if needed > free:
        raise InputError(
            f"{path} needs {'' if exact else 'at least '}{size_text(needed)}, and {size_text(free)} are free there; "
            "take fewer frames (--frames) or another place"
        )


def _texts(row: tuple[int, float, int, float, float, bool]) -> tuple[int | str, ...]:
    frame, time, track, x, y, visible = row
    return frame, f"{time:.9g}", track, f"{x:.4f}", f"{y:.4f}", int(visible)


Put = Callable[[npt.NDArray[Any]], None]
Encoder = Callable[[Path], Any]


def _encoder(scene: Scene, path: Path, lossless: bool, jpeg: int | None) -> Encoder:
    """What opens the clip for writing, by the ending of its name."""
    suffix = path.suffix.lower()
    if suffix == ".avi" and scene.fps > AVI_FPS:
        raise InputError(f"{path}: .avi holds up to {AVI_FPS} frames a second, not {scene.fps:g}; "
                         "write .npy, or .mp4")  # fmt: skip
    if jpeg is not None:
        if not 1 <= jpeg <= 100:
            raise InputError(f"the quality of JPEG is 1 to 100 (best), not {jpeg}")
        if lossless or suffix != ".avi":
            raise InputError(f"{path}: motion JPEG is written as .avi, and loses a little")
        if scene.bits > 8:
            raise InputError(f"{path}: JPEG holds 8 bits and the scene has {scene.bits}; write FFV1 (.avi) or .npy")
        return lambda part: _jpegs(scene, part, jpeg)
    if suffix == ".npy":
        return lambda part: _npy(scene, part)
    if suffix == ".avi" or (suffix == ".mkv" and lossless):
        form = "gray" if scene.bits == 8 else "gray16le"
        return lambda part: _video(scene, part, "ffv1", form, {"level": "3", "slicecrc": "1"})
    if suffix not in (".mp4", ".mkv"):
        ending = path.suffix or "a bare name"
        raise InputError(f"{path}: a clip is written as .mp4, .mkv, .avi or .npy, not as {ending}")
    if lossless:
        raise InputError(f"{path}: .mp4 holds no lossless clip that every player opens; write .mkv, .avi or .npy")
    if scene.bits > 8:
        raise InputError(
            f"{path}: H.264 holds 8 bits and the scene has {scene.bits}; write .npy, .avi or a lossless .mkv"
        )
    if scene.width % 2 or scene.height % 2:
        raise InputError(
            f"{path}: H.264 needs an even width and height, not {scene.width}x{scene.height}; write .npy, .avi or "
            "a lossless .mkv"
        )
    options = {"crf": str(QUALITY), "preset": "slow", "x264-params": f"{X264}:keyint={KEY_EVERY}"}
    return lambda part: _video(scene, part, "libx264", "yuvj420p", options)


@contextmanager
def _npy(scene: Scene, path: Path) -> Iterator[Put]:
    dtype = np.dtype(np.uint8 if scene.bits <= 8 else "<u2")
    header = {"descr": dtype.str, "fortran_order": False, "shape": (scene.frames, *scene.shape)}
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)

        def put(picture: npt.NDArray[Any]) -> None:
            file.write(np.ascontiguousarray(picture, dtype).data)

        yield put


@contextmanager
def _video(scene: Scene, path: Path, codec: str, form: str, options: dict[str, str]) -> Iterator[Put]:
    rate = Fraction(scene.fps).limit_denominator(100_000)
    flags = {"movflags": "+faststart"} if path.suffix.lower() == ".mp4" else {}
    with closing(av.open(str(path), "w", options=flags)) as container:
        stream = container.add_stream(codec, rate=rate, options=options)
        stream.width, stream.height, stream.pix_fmt = scene.width, scene.height, form
        context = stream.codec_context
        context.color_range = 2  # full: 0 is black and 255 is white
        context.time_base = 1 / rate
        height, width = scene.shape
        neutral = np.full((height // 2, width), 128, np.uint8)
        count = 0

        def put(picture: npt.NDArray[Any]) -> None:
            nonlocal count
            planes = np.concatenate([picture, neutral]) if form == "yuvj420p" else picture
            frame = av.VideoFrame.from_ndarray(planes, format=form)
            frame.pts, frame.time_base = count, 1 / rate
            count += 1
            container.mux(stream.encode(frame))

        yield put
        container.mux(stream.encode())


@contextmanager
def _jpegs(scene: Scene, path: Path, quality: int) -> Iterator[Put]:
    """Motion JPEG of gray pictures, which FFmpeg's own encoder does not make; the tables of quantisation are those of
    the standard's annex K, which spread what is lost more evenly than FFmpeg's."""
    rate = Fraction(scene.fps).limit_denominator(100_000)
    how = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
    with closing(av.open(str(path), "w")) as container:
        stream = container.add_stream("mjpeg", rate=rate)
        stream.width, stream.height, stream.pix_fmt = scene.width, scene.height, "yuvj420p"  # which nothing keeps
        stream.codec_context.time_base = 1 / rate
        count = 0

        def put(picture: npt.NDArray[Any]) -> None:
            nonlocal count
            done, data = cv2.imencode(".jpg", picture, how)
            assert done
            packet = av.Packet(data.tobytes())
            packet.stream, packet.time_base, packet.is_keyframe = stream, 1 / rate, True
            packet.pts = packet.dts = count
            count += 1
            container.mux(packet)

        yield put
