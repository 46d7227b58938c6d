"""The clip as a video with its tracks drawn in: markers, ids, trails, losses, and a line of text below.

The picture itself stays uncovered by text: the line has its own strip. Memory is flat: only the trails of the
last frames are held.
"""

from __future__ import annotations

import math
import os
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from types import TracebackType
from typing import Any, BinaryIO

import av
import av.error
import numpy as np
import numpy.typing as npt

from app.exports.atomic import PendingFile, uninterrupted
from app.exports.drawing import (
    DARK,
    GREY,
    PALETTE,
    SHIFT,
    WHITE,
    Colour,
    Picture,
    colour_of,
    display_size,
    find_levels,
    fixed,
    polylines,
    resized,
    text,
    text_width,
    to_display,
)
from kernels.errors import InputError
from kernels.host_cv import cv2
from pipelines.features import Reason, State, Tracks

LOOK_FRAMES = 4
"""Frames looked at before the grey levels are fixed."""
LOST_FRAMES = 20
"""Frames for which a loss stays marked."""
MOST_LABELS = 150
FADES = 8


class TrailPainter:
    """Draws the rows of frame after frame onto pictures, with what is left of the frames before.

    Args:
        factor: the picture's enlargement.
        trail: frames that a trail reaches back.
    """

    def __init__(self, factor: float, trail: int) -> None:
        self._factor = factor
        self._radius = 5.0 if factor <= 1 else 6.0
        self._segments: deque[tuple[Picture, Picture]] = deque(maxlen=max(0, trail))  # (n, 2, 2) fixed, (n,) colours
        self._ids: Picture = np.zeros(0, np.int64)
        self._places: Picture = np.zeros((0, 2))
        self._losses: deque[tuple[int, int, float, float, str]] = deque(maxlen=MOST_LABELS)
        self._frame = 0

    def add(self, rows: Tracks) -> None:
        """Take the rows of the next frame into the trails, without drawing."""
        self._frame += 1
        rows = rows[np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        alive = rows[rows["state"] != State.LOST]
        order = np.argsort(alive["track"], kind="stable")
        ids, places = alive["track"][order].astype(np.int64), self._display(alive)[order]
        _, now, before = np.intersect1d(ids, self._ids, return_indices=True)
        lines = fixed(np.stack((self._places[before], places[now]), axis=1)) if len(now) else np.zeros((0, 2, 2), "i4")
        self._segments.append((lines, ids[now] % len(PALETTE)))
        self._ids, self._places = ids, places
        for row, (x, y) in zip(rows, self._display(rows), strict=True):
            if row["state"] == State.LOST:
                reason = Reason(int(row["reason"])).name.lower().replace("_", " ")
                self._losses.append((self._frame, int(row["track"]), float(x), float(y), reason))
        while self._losses and self._frame - self._losses[0][0] >= LOST_FRAMES:
            self._losses.popleft()

    def draw(self, picture: npt.NDArray[np.uint8], rows: Tracks) -> npt.NDArray[np.uint8]:
        """The picture with trails, losses and the markers of `rows` (those given to `add` last)."""
        picture = self._trails(picture)
        taken: set[tuple[int, int]] = set()
        for frame, _, x, y, reason in self._losses:
            fade = 1.0 - 0.7 * (self._frame - frame) / LOST_FRAMES
            self._cross(picture, x, y, _scaled(WHITE, fade))
            if self._free(taken, x + 8, y - 6, reason):
                text(picture, reason, x + 8, y - 6, size=0.38, colour=_scaled(WHITE, fade))
        rows = rows[(rows["state"] != State.LOST) & np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        for row, (x, y) in zip(rows, self._display(rows), strict=True):
            self._marker(picture, int(row["state"]), int(row["track"]), float(x), float(y))
        believed = rows[rows["state"] != State.TENTATIVE]
        for row, (x, y) in zip(believed[:MOST_LABELS], self._display(believed), strict=False):
            words = str(row["track"])
            place = (float(x) + self._radius + 2, float(y) - self._radius)
            if self._free(taken, *place, words):
                text(picture, words, *place, size=0.42, colour=colour_of(int(row["track"])))
        return picture

    def _display(self, rows: Tracks) -> Picture:
        s = self._factor
        return np.stack((s * rows["x"] + (s - 1) / 2, s * rows["y"] + (s - 1) / 2), axis=1)

    def _trails(self, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        if not any(len(lines) for lines, _ in self._segments):
            return picture
        # The colours go broad onto one layer, the fading thin lines onto its opacity: edges stay smooth.
        ink = picture.copy()
        opacity = np.zeros(picture.shape[:2], np.uint8)
        count = len(self._segments)
        for k in range(FADES):  # oldest first, so that new lines lie on top
            part = [self._segments[i] for i in range(k * count // FADES, (k + 1) * count // FADES)]
            if not part:
                continue
            lines = np.concatenate([p[0] for p in part])
            colours = np.concatenate([p[1] for p in part])
            for c, colour in enumerate(PALETTE):
                cv2.polylines(ink, list(lines[colours == c]), False, colour, 4, cv2.LINE_8, SHIFT)
            polylines(opacity, list(lines), round(40 + 200 * (k + 1) / FADES))
        weight = opacity.astype(np.float32) * np.float32(1 / 255)
        return np.asarray(cv2.blendLinear(ink, picture, weight, np.float32(1) - weight), np.uint8)

    def _marker(self, picture: Picture, state: int, track: int, x: float, y: float) -> None:
        colour = GREY if state == State.TENTATIVE else colour_of(track)
        radius = 0.6 * self._radius if state == State.TENTATIVE else self._radius
        centre = tuple(fixed((x, y)).tolist())
        size = int(fixed(radius))
        cv2.circle(picture, centre, size, DARK, 3, cv2.LINE_AA, SHIFT)
        if state != State.PREDICTED:
            cv2.circle(picture, centre, size, colour, 1, cv2.LINE_AA, SHIFT)
            return
        for start in (20, 110, 200, 290):  # dashed: nothing was seen here
            cv2.ellipse(picture, centre, (size, size), 0, start, start + 50, colour, 1, cv2.LINE_AA, SHIFT)

    def _cross(self, picture: Picture, x: float, y: float, colour: Colour) -> None:
        arm = 4.0
        pieces = [fixed([(x - arm, y - arm), (x + arm, y + arm)]), fixed([(x - arm, y + arm), (x + arm, y - arm)])]
        polylines(picture, pieces, DARK, 3)
        polylines(picture, pieces, colour)

    def _free(self, taken: set[tuple[int, int]], x: float, y: float, words: str) -> bool:
        """Whether a label has room; takes it if so (cells of 12 px, 9 px a letter)."""
        row = int(y // 12)
        cells = {(row, int(x // 12) + k) for k in range(1 + 9 * len(words) // 12)}
        if cells & taken:
            return False
        taken |= cells
        return True


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """How an overlay looks.

    Args:
        playback: frames a second of the video.
        trail: frames that a trail reaches back.
        levels: the pixel values shown black and white; None: found in the first frames.
        rgb: True if colour pictures are red, green, blue; False for blue, green, red.
        quality: constant rate factor of H.264, less is better.
    """

    playback: int = 30
    trail: int = 60
    levels: tuple[float, float] | None = None
    rgb: bool = True
    quality: int = 18


class OverlayWriter:
    """Writes the overlay video (H.264 in MP4, else MPEG-4) frame by frame.

    As a context manager it finishes the file at the end, and also when an exception passes: the frames so far are
    kept. Without a frame no file appears.

    Args:
        path: the video's name, ending in .mp4.
        width, height: of the pictures, px.
        fps: the capture rate, for the slow-motion factor in the text; NaN or 0 when nobody knows.
        style: how it looks.

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
    ) -> None:
        self._style = style or OverlayStyle()
        self._size = (height, width)
        self._factor = display_size(width, height)
        shown = resized(np.zeros((height, width, 3), np.uint8), self._factor).shape
        self._strip = 26
        self._canvas = np.zeros(((shown[0] + self._strip + 1) // 2 * 2, (max(shown[1], 480) + 1) // 2 * 2, 3), np.uint8)
        self._fps = fps if math.isfinite(fps) and fps > 0 else 0.0
        self._painter = TrailPainter(self._factor, self._style.trail)
        self._levels = self._style.levels
        self._first: list[tuple[Picture, Tracks, int, float]] = []
        self._frames = 0
        self._open = True
        self._container: Any = None
        self._file: BinaryIO | None = None
        self._pending = PendingFile(path)
        try:
            self._file = open(self._pending.temporary, "w+b")  # noqa: SIM115
        except OSError as error:
            raise self._pending.failed(error) from error

    @property
    def factor(self) -> float:
        """The enlargement: x of the clip is at factor * x + (factor - 1) / 2 of the video."""
        return self._factor

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
        if picture.shape[:2] != self._size:
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
        self.close()

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
        image = self.draw(picture, rows, index, time)
        try:
            if self._container is None:
                self._start()
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame = frame.reformat(format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG")
            frame.pts = self._frames
            for packet in self._stream.encode(frame):
                self._container.mux(packet)
            self._frames += 1
        except (OSError, av.error.FFmpegError) as error:
            raise self._fail(error) from error

    def draw(self, picture: Picture, rows: Tracks, index: int, time: float) -> npt.NDArray[np.uint8]:
        """The next frame of the video as (height, width, 3) blue, green, red bytes; advances the trails."""
        if self._levels is None:
            self._levels = find_levels([picture])
        shown = resized(to_display(picture, self._levels, self._style.rgb), self._factor)
        self._painter.add(rows)
        shown = self._painter.draw(shown.copy(), rows)
        canvas = self._canvas
        canvas[:] = DARK
        canvas[: shown.shape[0], : shown.shape[1]] = shown
        self._caption(canvas, shown.shape[0] + 18, rows, index, time)
        return canvas

    def _caption(self, canvas: npt.NDArray[np.uint8], y: int, rows: Tracks, index: int, time: float) -> None:
        alive = int(np.isin(rows["state"], (State.TRACKED, State.PREDICTED)).sum())
        left = f"frame {index}"
        if self._fps and math.isfinite(time):
            left += f"    {1e3 * time:.{_decimals(self._fps)}f} ms"
        left += f"    {alive} track{'' if alive == 1 else 's'}"
        text(canvas, left, 8, y, colour=WHITE, outline=False)
        speed = speed_text(self._fps, self._style.playback)
        if speed and text_width(left, 0.45) + text_width(speed, 0.45) + 32 < canvas.shape[1]:
            text(canvas, speed, canvas.shape[1] - 8, y, colour=GREY, outline=False, align=1.0)

    def _start(self) -> None:
        self._container = av.open(self._file, "w", format="mp4", options={"movflags": "faststart"})
        h264 = "libx264" in av.codecs_available
        stream = self._container.add_stream("libx264" if h264 else "mpeg4", rate=Fraction(self._style.playback))
        stream.height, stream.width = self._canvas.shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.options = (
            {"crf": str(self._style.quality), "preset": "veryfast"} if h264 else {"qscale": "3", "flags": "+qscale"}
        )
        context = stream.codec_context
        context.colorspace = context.color_primaries = context.color_trc = 1  # ITU-R BT.709
        context.color_range = 1  # 16 to 235
        self._stream = stream


def speed_text(fps: float, playback: int) -> str:
    """How much slower than life the video plays, such as "1000 fps, shown 33x slower"; "" when nobody knows.

    >>> speed_text(1000, 30), speed_text(30, 30), speed_text(10, 30), speed_text(0, 30)
    ('1000 fps, shown 33x slower', '30 fps', '10 fps, shown 3x faster', '')
    """
    if not fps > 0:
        return ""
    ratio = fps / playback
    if 0.99 < ratio < 1.01:
        return f"{fps:.6g} fps"
    way, ratio = ("slower", ratio) if ratio > 1 else ("faster", 1 / ratio)
    return f"{fps:.6g} fps, shown {ratio:.2g}x {way}" if ratio < 10 else f"{fps:.6g} fps, shown {ratio:.0f}x {way}"


def _decimals(fps: float) -> int:
    """Digits after the point of milliseconds that tell two frames apart."""
    return max(0, math.ceil(math.log10(fps) - 3.0) + 1)


def _scaled(colour: Colour, by: float) -> Colour:
    return (round(colour[0] * by), round(colour[1] * by), round(colour[2] * by))
