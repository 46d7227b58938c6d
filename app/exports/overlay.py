"""The clip as a video with its tracks drawn in: markers, names, skeletons, trails, losses, and a line of text below.

The picture itself stays uncovered by text: the line has its own strip. Memory is flat: only the trails of the
last frames are held. Of a long clip each second, third ... frame is drawn (`slow_motion`), while trails and losses go
through all of them: what is too long to watch is neither drawn nor encoded.
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

from app.exports.disk_file import DiskFile
from app.exports.drawing import (
    DARK,
    GREY,
    WHITE,
    Picture,
    display_shape,
    display_size,
    find_levels,
    small,
    text,
    text_width,
    to_bytes,
)
from app.exports.markers import PREDICTED, TRACKED, TrailPainter
from app.exports.planes import Planes, show, yuv_of
from app.exports.video_look import PLAIN, Burner, VideoLook
from app.files.atomic import PendingFile, uninterrupted
from app.keypoints import Keypoints
from app.spelling import ordinal
from kernels.errors import InputError
from pipelines.features import Tracks

LOOK_FRAMES = 4
"""Frames looked at before the grey levels are fixed."""
LEAST_SECONDS = 3
"""How long a video lasts at least, where the clip has frames for it: time enough to look for what moves. Each second
more is 30 pictures to draw and encode."""
LEAST_SLOWER = 4
"""By how much it is slower than life, at least, where frames are left out."""
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
        every: each so-manieth frame is drawn, from the first on.
        look: words, stopwatch, gamma; its other parts apply where pictures and rows come from.
        zero: the time from which the stopwatch counts, s.
    """

    playback: Fraction | int | None = None
    trail: int = 60
    levels: tuple[float, float] | None = None
    rgb: bool = True
    quality: int = 26
    every: int = 1
    look: VideoLook = PLAIN
    zero: float = 0.0


class OverlayWriter:
    """Writes the overlay video (H.264 in MP4, else MPEG-4) frame by frame.

    As a context manager it finishes the file at the end, and also when an exception passes: the frames so far are
    kept. Without a frame no file appears.

    Args:
        path: the video's name, ending in .mp4.
        width, height: of the pictures, px.
        fps: the capture rate, for the slow-motion factor in the text; NaN or 0 if unknown.
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
        # H.264 with colour at half the resolution wants even sides; the strip below holds a line of words.
        width, height = (max(shown[1], 480) + 1) // 2 * 2, (shown[0] + STRIP + 1) // 2 * 2
        self._image = av.VideoFrame(width, height, "yuv420p")
        Planes.of(self._image).luma[:] = yuv_of(DARK)[0]
        self._fps = fps if math.isfinite(fps) and fps > 0 else 0.0
        self._every = max(1, self._style.every)
        shown_frames = None if frames is None else -(-frames // self._every)
        self._playback = Fraction(self._style.playback or playback_rate(self._fps / self._every, shown_frames))
        self._speeds = speed_texts(self._fps, float(self._playback), self._every)
        self._painter = TrailPainter(self._factor, self._style.trail, self._every)
        look = self._style.look
        words = bool(look.notes or look.stopwatch)
        self._burner = Burner(look, shown, self._fps, self._style.zero) if words else None
        self._levels = self._style.levels
        self._strip: tuple[str, npt.NDArray[np.uint8]] | None = None
        """The strip below the picture with the words that stay the same from picture to picture."""
        self._first: list[tuple[Picture | None, Tracks, int, float]] = []
        self._given = self._frames = 0
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

    @property
    def facts(self) -> dict[str, object]:
        """Which frames it shows, and how it plays against life: "" if as fast, or if unknown."""
        pace = slower(self._fps, float(self._playback), self._every) if self._fps else ""
        return {"every": self._every, "shown": pace}

    @property
    def draws_next(self) -> bool:
        """Whether the next frame given to `write` is one that is drawn."""
        return self._given % self._every == 0

    def reduced(self, picture: Picture) -> Picture:
        """A very large picture as small as it will be shown, which `write` takes as well; others as they are."""
        return small(picture, self._factor) if picture.shape[:2] == self._size else picture

    def know(self, keypoints: Keypoints) -> None:
        """What is known of tracks as key points, for the frames that come."""
        self._painter.know(keypoints)

    def write(self, picture: Picture, rows: Tracks, index: int, time: float) -> None:
        """Draw and encode one frame, or take its rows alone if it is one of those between.

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
        if picture.shape[:2] not in (self._size, self._reduced):
            raise ValueError(f"the overlay is for pictures of (height, width) {self._size}, not {picture.shape[:2]}")
        # Frames between those that are drawn give their rows to the trails alone.
        drawn = self.reduced(picture) if self.draws_next else None
        self._given += 1
        if drawn is None and self._levels is not None:
            self._painter.add(rows)
            return
        with uninterrupted():
            # Until the levels are known the first pictures are kept.
            if self._levels is not None:
                self._take(drawn, rows, index, time)
                return
            self._first.append((None if drawn is None else drawn.copy(), rows.copy(), index, time))
            if sum(first is not None for first, *_ in self._first) == LOOK_FRAMES:
                self._begin()

    def close(self) -> int:
        """Finish the video; returns its number of frames. A second call does nothing."""
        if not self._open:
            return self._frames
        with uninterrupted():
            if self._first:
                self._begin()
            # Nothing was drawn: no video of no frames.
            if not self._frames:
                self.discard()
                return 0
            self._open = False
            try:
                # The encoder still holds pictures that it looked ahead at.
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
        self._levels = find_levels([picture for picture, *_ in first if picture is not None])
        for frame in first:
            self._take(*frame)

    def _fail(self, error: BaseException) -> InputError:
        result = self._pending.failed(error)
        self.discard()
        return result

    def _take(self, picture: Picture | None, rows: Tracks, index: int, time: float) -> None:
        if picture is None:
            self._painter.add(rows)
        else:
            self._encode(picture, rows, index, time)

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
        shown = to_bytes(picture, self._levels, self._style.rgb, self._style.look.gamma)
        self._image.make_writable()  # an encoder may still have the one before
        planes = Planes.of(self._image)
        show(shown, planes, self._factor if picture.shape[:2] == self._size else 1.0)
        self._painter.add(rows)
        self._painter.draw(planes, self._reduced, rows)
        if self._burner is not None:
            self._burner.burn(planes.luma, planes.colours, index, time)
        self._caption(planes.luma, self._reduced[0] + 18, rows, index, time)
        return planes

    def _caption(self, luma: npt.NDArray[np.uint8], y: int, rows: Tracks, index: int, time: float) -> None:
        alive = int(np.count_nonzero((rows["state"] == TRACKED) | (rows["state"] == PREDICTED)))
        left = f"frame {index}"
        if self._fps and math.isfinite(time):
            left += f"    {1e3 * time:.{_decimals(self._fps)}f} ms"
        left += f"    {alive} track{'' if alive == 1 else 's'}"
        left += " (too many for numbers)" if self._painter.crowded else ""
        room = luma.shape[1] - 32 - text_width(left, 0.45)
        speed = next((words for words in self._speeds if text_width(words, 0.45) < room), "")
        # The words that stay the same are drawn once, the others onto a copy of that strip.
        if self._strip is None or self._strip[0] != speed:
            strip = np.full(luma[self._reduced[0] :].shape, yuv_of(DARK)[0], np.uint8)
            if speed:
                text(strip, speed, luma.shape[1] - 8, y - self._reduced[0], colour=_GREY, outline=False, align=1.0)
            self._strip = speed, strip
        luma[self._reduced[0] :] = self._strip[1]
        text(luma, left, 8, y, colour=_WHITE, outline=False)

    def _start(self) -> None:
        self._container = av.open(self._disk, "w", format="mp4", options={"movflags": "faststart"})
        h264 = "libx264" in av.codecs_available
        stream = self._container.add_stream("libx264" if h264 else "mpeg4", rate=self._playback)
        stream.height, stream.width = self._image.height, self._image.width
        stream.pix_fmt = "yuv420p"
        # A quantiser rather than a rate factor: no looking ahead for the rate, a fifth of the time. 26
        # takes a quarter less time than 23, since most of a picture's noise is below its steps.
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


def slow_motion(fps: float, frames: int | None) -> int:
    """Each so-manieth frame of a clip that its video shows: so many are left out that it lasts LEAST_SECONDS, while it
    stays LEAST_SLOWER times slower than life. All, where the rate or the length is unknown.

    >>> slow_motion(1000, 360), slow_motion(800, 520), slow_motion(1000, 60_000), slow_motion(60, 60_000)
    (4, 5, 8, 1)
    >>> slow_motion(float("nan"), 60_000), slow_motion(1000, None), slow_motion(1000, 150)
    (1, 1, 1)
    """
    if not fps > 0 or frames is None:
        return 1
    return max(1, min(frames // (30 * LEAST_SECONDS), int(fps / (30 * LEAST_SLOWER))))


def slower(fps: float, playback: float, every: int) -> str:
    """How a video plays against life.

    >>> slower(1000, 30, 1), slower(1000, 30, 2), slower(30, 30, 1), slower(10, 30, 1)
    ('33x slower', '17x slower', '', '3x faster')
    """
    ratio = fps / (playback * every)
    if 0.99 < ratio < 1.01:
        return ""
    way, ratio = ("slower", ratio) if ratio > 1 else ("faster", 1 / ratio)
    return f"{ratio:.2g}x {way}" if ratio < 10 else f"{ratio:.0f}x {way}"


def speed_texts(fps: float, playback: float, every: int = 1) -> tuple[str, ...]:
    """How much slower than life the video plays, such as "1000 fps, shown 33x slower", and which frames it shows, in
    more words and in fewer; if the capture rate is unknown, at what rate, and nothing if that is the usual 30.

    >>> speed_texts(1000, 30), speed_texts(30, 30), speed_texts(0, 30), speed_texts(0, 7.5)
    (('1000 fps, shown 33x slower',), ('30 fps',), (), ('shown at 7.5 frames/s',))
    >>> speed_texts(1000, 30, 2)
    ('1000 fps, shown 17x slower, every 2nd frame', '17x slower, every 2nd frame', '1 of 2 frames')
    """
    if not fps > 0:
        return () if playback == 30 else (f"shown at {playback:.3g} frames/s",)
    pace = slower(fps, playback, every)
    whole = f"{fps:.6g} fps" + (f", shown {pace}" if pace else "")
    if every == 1:
        return (whole,)
    which = f"every {ordinal(every)} frame"
    return f"{whole}, {which}", ", ".join(filter(None, (pace, which))), f"1 of {every} frames"


def _decimals(fps: float) -> int:
    """Digits after the point of milliseconds that tell two frames apart."""
    return max(0, math.ceil(math.log10(fps) - 3.0) + 1)
