"""The clip as a video with its tracks drawn in: markers, names, skeletons, trails, losses, and a line of text below.

The picture itself stays uncovered by text: the line has its own strip. Memory is flat: only the trails of the
last frames are held.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from fractions import Fraction
from types import TracebackType
from typing import Any, BinaryIO

import av
import av.error
import numpy as np
import numpy.typing as npt

from app.exports.atomic import PendingFile, uninterrupted
from app.exports.disk_file import DiskFile
from app.exports.drawing import (
    DARK,
    GREY,
    WHITE,
    Picture,
    display_shape,
    display_size,
    find_levels,
    resized,
    small,
    text,
    text_width,
    to_bytes,
)
from app.exports.keypoints import Keypoints
from app.exports.markers import TrailPainter
from app.exports.planes import Planes, show, yuv_of
from kernels.errors import InputError
from pipelines.features import State, Tracks

LOOK_FRAMES = 4
"""Frames looked at before the grey levels are fixed."""
STRIP = 26
"""Rows below the picture, for the line of text."""
ENCODERS = 4
"""Threads that encode, at most."""
_WHITE, _GREY = ((yuv_of(colour)[0],) * 3 for colour in (WHITE, GREY))


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """How an overlay looks.

    Args:
        playback: frames a second of the video; None for `playback_rate`.
        trail: frames that a trail reaches back.
        levels: the pixel values shown black and white; None: found in the first frames.
        rgb: True if colour pictures are red, green, blue; False for blue, green, red.
        quality: constant quantiser of H.264, less is better.
    """

    playback: Fraction | int | None = None
    trail: int = 60
    levels: tuple[float, float] | None = None
    rgb: bool = True
    quality: int = 23


class OverlayWriter:
    """Writes the overlay video (H.264 in MP4, else MPEG-4) frame by frame.

    As a context manager it finishes the file at the end, and also when an exception passes: the frames so far are
    kept. Without a frame no file appears.

    Args:
        path: the video's name, ending in .mp4.
        width, height: of the pictures, px.
        fps: the capture rate, for the slow-motion factor in the text; NaN or 0 when nobody knows.
        style: how it looks.
        frames: how many will come, if that is known; a few are played slowly enough to be seen.

    Raises:
        InputError: here, in `write` and in `close`, when the system refuses to write; no file is left then.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        width: int,
        height: int,
        fps: float,
        style: OverlayStyle | None = None,
        frames: int | None = None,
    ) -> None:
        self._style = style or OverlayStyle()
        self._size = (height, width)
        self._factor = display_size(width, height)
        self._reduced = shown = display_shape(width, height)
        width, height = (max(shown[1], 480) + 1) // 2 * 2, (shown[0] + STRIP + 1) // 2 * 2
        self._image = av.VideoFrame(width, height, "yuv420p")
        Planes.of(self._image).luma[:] = yuv_of(DARK)[0]
        self._fps = fps if math.isfinite(fps) and fps > 0 else 0.0
        self._playback = Fraction(self._style.playback or playback_rate(self._fps, frames))
        self._painter = TrailPainter(self._factor, self._style.trail)
        self._levels = self._style.levels
        self._first: list[tuple[Picture, Tracks, int, float]] = []
        self._frames = 0
        self._open = True
        self._container: Any = None
        self._file: BinaryIO | None = None
        self._disk: DiskFile | None = None
        self._pending = PendingFile(path)
        try:
            self._file = open(self._pending.temporary, "w+b")  # noqa: SIM115
            self._disk = DiskFile(self._file)
        except OSError as error:
            raise self._pending.failed(error) from error

    @property
    def factor(self) -> float:
        """The enlargement: x of the clip is at factor * x + (factor - 1) / 2 of the video."""
        return self._factor

    def reduced(self, picture: Picture) -> Picture:
        """A very large picture as small as it will be shown, which `write` takes as well; others as they are."""
        return small(picture, self._factor) if picture.shape[:2] == self._size else picture

    def know(self, keypoints: Keypoints) -> None:
        """What is known of tracks as key points, for the frames that come."""
        self._painter.know(keypoints)

    def write(self, picture: Picture, rows: Tracks, index: int, time: float) -> None:
        """Draw and encode one frame.

        Args:
            picture: (height, width) or (height, width, channels), any dtype; not kept.
            rows: the rows of this frame (TRACK_DTYPE).
            index: the frame's index in the clip.
            time: seconds.

        Raises:
            ValueError: the picture has another size, or the writer is closed.
        """
        if not self._open:
            raise ValueError("the overlay is closed")
        picture = self.reduced(picture)
        if picture.shape[:2] not in (self._size, self._reduced):
            raise ValueError(f"the overlay is for pictures of (height, width) {self._size}, not {picture.shape[:2]}")
        with uninterrupted():
            if self._levels is not None:
                self._encode(picture, rows, index, time)
                return
            self._first.append((picture.copy(), rows.copy(), index, time))
            if len(self._first) == LOOK_FRAMES:
                self._begin()

    def close(self) -> int:
        """Finish the video; returns its number of frames. A second call does nothing."""
        if not self._open:
            return self._frames
        with uninterrupted():
            if self._first:
                self._begin()
            if not self._frames:
                self.discard()
                return 0
            self._open = False
            try:
                assert self._file is not None
                for packet in self._stream.encode(None):
                    self._container.mux(packet)
                self._container.close()
                self._check()
                self._file.close()
            except (OSError, av.error.FFmpegError) as error:
                raise self._fail(error) from error
            self._pending.commit()
        return self._frames

    def discard(self) -> None:
        """Leave nothing behind."""
        self._open = False
        # libav flushes into the file while closing; on a full disk it may complain again.
        for thing in (self._container, self._file):
            try:
                if thing is not None:
                    thing.close()
            except (OSError, ValueError, av.error.FFmpegError):
                pass
        self._pending.discard()

    def __enter__(self) -> OverlayWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except InputError:
            if not isinstance(error, InputError):
                raise  # else the disk was full before, and the first to notice says what is kept

    def _begin(self) -> None:
        first, self._first = self._first, []
        self._levels = find_levels([picture for picture, *_ in first])
        for frame in first:
            self._encode(*frame)

    def _fail(self, error: BaseException) -> InputError:
        result = self._pending.failed(error)
        self.discard()
        return result

    def _encode(self, picture: Picture, rows: Tracks, index: int, time: float) -> None:
        self.draw(picture, rows, index, time)
        try:
            if self._container is None:
                self._start()
            frame = self._image
            frame.pts = self._frames
            for packet in self._stream.encode(frame):
                self._container.mux(packet)
            self._check()
            self._frames += 1
        except (OSError, av.error.FFmpegError) as error:
            raise self._fail(error) from error

    def _check(self) -> None:
        if self._disk is not None and self._disk.error is not None:
            raise self._disk.error

    def draw(self, picture: Picture, rows: Tracks, index: int, time: float) -> Planes:
        """The next frame of the video, there until the next call; advances the trails."""
        picture = self.reduced(picture)
        if self._levels is None:
            self._levels = find_levels([picture])
        shown = to_bytes(picture, self._levels, self._style.rgb)
        if picture.shape[:2] == self._size:
            shown = resized(shown, self._factor)
        self._image.make_writable()  # an encoder may still have the one before
        planes = Planes.of(self._image)
        show(shown, planes)
        self._painter.add(rows)
        self._painter.draw(planes, shown.shape[:2], rows)
        planes.luma[shown.shape[0] :] = yuv_of(DARK)[0]
        self._caption(planes.luma, shown.shape[0] + 18, rows, index, time)
        return planes

    def _caption(self, luma: npt.NDArray[np.uint8], y: int, rows: Tracks, index: int, time: float) -> None:
        alive = int(np.isin(rows["state"], (State.TRACKED, State.PREDICTED)).sum())
        left = f"frame {index}"
        if self._fps and math.isfinite(time):
            left += f"    {1e3 * time:.{_decimals(self._fps)}f} ms"
        left += f"    {alive} track{'' if alive == 1 else 's'}"
        left += " (too many for numbers)" if self._painter.crowded else ""
        text(luma, left, 8, y, colour=_WHITE, outline=False)
        speed = speed_text(self._fps, float(self._playback))
        if speed and text_width(left, 0.45) + text_width(speed, 0.45) + 32 < luma.shape[1]:
            text(luma, speed, luma.shape[1] - 8, y, colour=_GREY, outline=False, align=1.0)

    def _start(self) -> None:
        self._container = av.open(self._disk, "w", format="mp4", options={"movflags": "faststart"})
        h264 = "libx264" in av.codecs_available
        stream = self._container.add_stream("libx264" if h264 else "mpeg4", rate=self._playback)
        stream.height, stream.width = self._image.height, self._image.width
        stream.pix_fmt = "yuv420p"
        # A quantiser rather than a rate factor: no looking ahead for the rate, a fifth of the time. 23 gives
        # the size of factor 20 where there is noise, and less in clean pictures, at 45 dB.
        stream.options = (
            {"qp": str(self._style.quality), "preset": "ultrafast"} if h264 else {"qscale": "3", "flags": "+qscale"}
        )
        context = stream.codec_context
        context.colorspace = 6  # ITU-R BT.601
        context.color_primaries = context.color_trc = 1  # those of sRGB screens: ITU-R BT.709
        context.color_range = 1  # 16 to 235
        context.thread_type = "FRAME"  # the next is drawn meanwhile
        context.thread_count = min(ENCODERS, os.cpu_count() or 1)
        self._stream = stream


def playback_rate(fps: float, frames: int | None) -> Fraction:
    """Frames a second to play at: 30, or fewer so that it lasts 2 s and is not faster than life.

    >>> playback_rate(1000, 400), playback_rate(1000, 15), playback_rate(10.0, 400), playback_rate(0, None)
    (Fraction(30, 1), Fraction(15, 2), Fraction(10, 1), Fraction(30, 1))
    """
    rate = Fraction(30)
    if fps > 0:
        rate = min(rate, Fraction(fps).limit_denominator(1000))
    if frames is not None:
        rate = min(rate, Fraction(max(1, frames), 2))
    return max(rate, Fraction(1, 10))


def speed_text(fps: float, playback: float) -> str:
    """How much slower than life the video plays, such as "1000 fps, shown 33x slower"; when nobody knows, at what
    rate, and nothing if that is the usual 30.

    >>> speed_text(1000, 30), speed_text(30, 30), speed_text(10, 30), speed_text(0, 30), speed_text(0, 7.5)
    ('1000 fps, shown 33x slower', '30 fps', '10 fps, shown 3x faster', '', 'shown at 7.5 frames/s')
    """
    if not fps > 0:
        return "" if playback == 30 else f"shown at {playback:.3g} frames/s"
    ratio = fps / playback
    if 0.99 < ratio < 1.01:
        return f"{fps:.6g} fps"
    way, ratio = ("slower", ratio) if ratio > 1 else ("faster", 1 / ratio)
    return f"{fps:.6g} fps, shown {ratio:.2g}x {way}" if ratio < 10 else f"{fps:.6g} fps, shown {ratio:.0f}x {way}"


def _decimals(fps: float) -> int:
    """Digits after the point of milliseconds that tell two frames apart."""
    return max(0, math.ceil(math.log10(fps) - 3.0) + 1)
