"""Video files through FFmpeg (PyAV): exact frame index, exact stamps, random access equal to sequential.

Gray streams are delivered as they are stored (8 bits, or up to 16 in 16); colour streams as RGB, 8 bits, or 16 where
the stream has more than 8.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import av
import av.error
import numpy as np

from app.sources.base import (
    SHOWN_TURNED,
    ClipSource,
    check_file,
    check_picture,
    describe_rate,
    identity_of,
    plural,
    reason_of,
)
from app.sources.grid import find_grid, uneven_sentence
from app.sources.integrity import Examined, Integrity, Tell, examining
from app.sources.matroska_sums import has_sums
from app.sources.own import bits_of, color_of, read_json, video_times
from app.sources.video_capture import capture_rate
from app.sources.video_greys import PALETTE, Greys, is_gray_palette, places
from app.sources.video_index import Stamps, VideoIndex, build_index, open_container, packets_of
from app.sources.video_walk import Walk, Walked
from kernels.errors import BadFrame, SourceError
from kernels.ir.image import F32, U8, U16, ImageType
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

_SEEK_COST = 8
"""What a seek costs beside the frames decoded after it, in frames."""
_MOST_FPS = 3e6
_TRIES = 3
"""Entry points before a frame that are tried."""
_RAW = frozenset({"h264", "hevc", "mjpeg", "m4v", "mpegvideo", "vc1", "av1", "obu", "dnxhd", "cavsvideo"})
"""Streams without a container, which holds the stamps: FFmpeg takes 25 frames a second for them."""
_SEEKABLE = frozenset({"mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "asf", "flv", "mpegts", "nut", "ogg", "mxf",
                       "ivf"})  # fmt: skip
"""Containers that stamp each frame, so that a frame is known again after a seek; the others are read from the start."""
_SUMMED, _PLAIN = frozenset({"png", "apng"}), frozenset({"rawvideo", "v210", "r210", "v410", "yuv4"})
"""Codecs with check sums, and those that compress nothing."""


class VideoSource(ClipSource):
    """A video file.

    Args:
        path: the file.

    Raises:
        SourceError: not a video, cut short before its index, or not one frame can be decoded.
    """

    near = False

    def __init__(self, path: Path) -> None:
        check_file(path)
        self._path = path
        self._held: Walked | None = None
        self._seekable = True
        self._closed: set[int] = set()  # entry points that are none
        self._index: VideoIndex = build_index(path)
        self._container, self._stream = open_container(path, self._index.options)
        try:
            self._open(path)
        except BaseException:
            self._container.close()
            raise

    def _open(self, path: Path) -> None:
        # Frames are walked once to look at the first; the walk begins again behind the checks.
        self._rewind()
        # A damaged start is no reason to refuse the rest; it only tells the picture's type.
        first = next((walked.frame for walked in self._walk), None)
        if first is None:
            raise SourceError(f"not one frame of {path} can be decoded")
        width, height = first.width, first.height
        check_picture(path, width, height, 6 * width * height)
        self._pixel_format = first.format.name
        self._greys = Greys.of(first)
        stream, index = self._stream, self._index
        tags = {key.upper(): value for key, value in self._container.metadata.items()}
        lossless = stream.codec_context.name == "ffv1"
        own_tags = read_json(tags.get("FUSETRACK")) if lossless else {}
        image, pixels = _formats(first, bits_of(own_tags, 16))
        pixels = replace(pixels, color=color_of(own_tags, pixels.color))
        self._seekable = self._container.format.name in _SEEKABLE
        warnings = list(index.warnings)
        promised = int(stream.frames or 0)
        if index.hidden and promised == index.frames + index.hidden:
            left = f"{index.hidden} of the {promised} frames that it holds"
            warnings.append(f"by its list of edits the file leaves out {left}")
        elif promised and promised != index.frames:
            warnings.append(f"the header promises {promised} frames, {index.frames} can be decoded")
        warnings += _oddities(self._container, stream, first)
        time, odd = _time_base(index, stream, tags, capture_rate(path, {**stream.metadata, **tags}))
        if time.fps > _MOST_FPS:
            clock = "the file's clock is damaged; give the rate with --fps"
            warnings.append(f"a rate of {time.fps:.3g} fps is no video's: {clock}")
        warnings += odd + _cut_short(self._container, stream, index.order, promised)
        super().__init__(
            SourceInfo(
                path.name, "video", width, height, index.frames, image, pixels, time,
                declared_frames=promised or index.frames, warnings=tuple(warnings),
                metadata={
                    "codec": stream.codec_context.name, "pixel_format": first.format.name,
                    "container": self._container.format.name, "key_frames": len(index.entries),
                    **({SHOWN_TURNED: turned} if (turned := _shown(first)[1]) else {}),
                },
                identity=identity_of(path),
            )
        )  # fmt: skip
        self._rewind()

    def _frame(self, index: int) -> Pixels:
        return self._frame_into(index, np.empty(self._info.image.shape, self._info.image.dtype.numpy))

    def _frame_into(self, index: int, out: Pixels) -> Pixels:
        walked = self._fetch(index)
        if walked is None:
            raise BadFrame(index, "it cannot be decoded")
        if walked.flaw:
            raise BadFrame(index, walked.flaw)
        frame = walked.frame
        image = self._info.image
        # Chroma may be sampled otherwise from frame to frame (MJPEG): the pixels delivered are of the same kind.
        same = frame.format.name == self._pixel_format != PALETTE
        kind = image if same and (frame.width, frame.height) == (image.width, image.height) else _formats(frame)[0]
        if (kind.shape, kind.dtype) != (image.shape, image.dtype):
            raise BadFrame(index, f"it is {frame.width} x {frame.height} {frame.format.name}, unlike the first frame")
        try:
            return _pixels(frame, image, self._greys if same else None, out)
        except (av.error.FFmpegError, ValueError, MemoryError) as error:
            raise BadFrame(index, f"its pixels cannot be converted ({reason_of(error)})") from None

    def _fetch(self, index: int) -> Walked | None:
        """Frame `index`: by decoding on when it is near, else from a key frame before it; None if it never comes."""
        if self._held is not None and self._held.ordinal == index:
            return self._held
        entry = self._index.entry_for(index)
        ahead = index - self._position
        # Decoding on costs a frame each; a seek costs its way from the key frame, and as much as some frames besides.
        detour = index - int(self._index.entries[entry]) + _SEEK_COST if self._seekable and entry >= 0 else ahead
        if 0 < ahead <= detour:
            return self._decode_to(index)
        # A frame just after a key frame may need the group before it, and what is damage to a decoder that has not seen
        # the groups before (pictures let go of that it never had) may be none.
        entries = (k for k in range(entry, -1, -1) if k not in self._closed)
        tried: list[int] = []
        found, missed, early = None, 0, False
        for attempt in entries:
            if not self._seekable or len(tried) == _TRIES or missed == _TRIES:
                break
            if not self._seek(attempt):  # a list of entry points, or of edits, that is damaged
                missed += 1
                continue
            found = self._decode_to(index)
            if found is not None and (not found.flaw or attempt == 0):
                if not found.flaw:
                    self._closed.update(tried)
                return found
            # It is an entry point, and the frame is damaged or missing all the same.
            if self._source.entered:
                self._seekable = not self._source.strange
                tried, early = [*tried, attempt], early or self._source.lost
            else:
                self._closed.add(attempt)
        # Several entry points gave the same damage: it is in the data.
        if len(tried) == _TRIES and self._seekable and not early:
            return found
        # Where seeking fails the file is read from the start, which always works.
        self._rewind()
        found = self._decode_to(index)
        if found is not None and early:  # the container loses its way after a seek
            self._seekable = False
        return found

    def _decode_to(self, index: int) -> Walked | None:
        """Decode on until frame `index`; None when the decoder passes over it or the file ends."""
        if self._held is not None and self._held.ordinal > index:
            return None
        for walked in self._walk:
            self._position, self._held = walked.ordinal, walked
            if walked.ordinal == index:
                return walked
            if walked.ordinal > index:
                # The next frame is in hand already; only the missing one is lost.
                self._position = index
                return None
        self._position = self._index.frames
        return None

    def _seek(self, entry: int) -> bool:
        """Go to a key frame; True when the next packet is that one or a key frame before it."""
        index = self._index
        goal = int(index.entries[entry])
        # Some containers seek by presentation stamps, others by decoding stamps.
        for stamp in dict.fromkeys((int(index.entry_pts[entry]), int(index.entry_dts[entry]))):
            try:
                self._container.seek(stamp, stream=self._stream, backward=True, any_frame=False)
            except (av.error.FFmpegError, ValueError, OverflowError):
                continue
            packets = packets_of(self._container, self._stream)
            packet = next(packets, None)
            if packet is None or not packet.is_keyframe:
                continue
            # Whatever the container says, the packet in hand tells where it went; behind the goal is no use.
            landed = index.ordinal_of(packet.pts)
            if 0 <= landed <= goal:
                if not index.may_be(landed, packet.pos):  # the container's list of entry points is damaged
                    self._seekable = False
                    return False
                self._start(landed, chain([packet], packets))
                return True
        return False

    def _rewind(self) -> None:
        """Open the file again: the one way back that works for every container."""
        self._container.close()
        self._container, self._stream = open_container(self._path, self._index.options)
        self._start(0, packets_of(self._container, self._stream))

    def _start(self, landed: int, packets: Iterable[Any]) -> None:
        self._source = Walk(self._index, self._stream, packets, landed)
        self._walk = iter(self._source)
        self._position = landed - 1
        self._held = None

    @property
    def integrity(self) -> Integrity:
        codec = self._info.metadata["codec"]
        if self._index.summed or codec in _SUMMED:
            return Integrity.SUMS
        if has_sums(self._path):
            return Integrity.TOGETHER
        return Integrity.PLAIN if codec in _PLAIN else Integrity.PACKED

    def examine(self, tell: Tell) -> Examined:
        """As a frame that leans on a damaged one is damaged, too, both are refused from then on."""
        stamped = len(self._index.order) > 0
        found = examining("video").look(self._path, str(self._info.metadata["codec"]), stamped, tell)
        if not found.flaws or not stamped:
            return Examined(found.looked, {k: why for k, why in found.flaws.items() if k < self._info.frames})
        self._index = replace(self._index, torn={**found.flaws, **self._index.torn})
        self._rewind()
        return Examined(found.looked)

    def close(self) -> None:
        self._held = None
        self._container.close()


def _formats(frame: Any, most: int = 16) -> tuple[ImageType, PixelFormat]:
    """Delivered type: gray as stored, of `most` bits, colour as RGB with 8 or 16 bits."""
    bits = max(component.bits for component in frame.format.components)
    if _is_float(frame):
        channels = 1 if frame.format.name.startswith("gray") else 3
        return ImageType(F32, frame.height, frame.width, channels), PixelFormat("mono" if channels == 1 else "rgb", 32)
    if frame.format.name == PALETTE and is_gray_palette(frame):
        return ImageType(U8, frame.height, frame.width, 1, 8), PixelFormat("mono", 8)
    if frame.format.name.startswith("gray"):
        dtype, bits = U8 if bits <= 8 else U16, min(bits, most)
        return ImageType(dtype, frame.height, frame.width, 1, bits), PixelFormat("mono", bits)
    if bits > 8:
        return ImageType(U16, frame.height, frame.width, 3, 16), PixelFormat("rgb", 16)
    return ImageType(U8, frame.height, frame.width, 3, 8), PixelFormat("rgb", 8)


def _is_float(frame: Any) -> bool:
    """Whether a frame's values are floats that can be delivered: gray, or a plane for each of green, blue and red."""
    return bool(frame.format.name.startswith(("grayf", "gbrpf", "gbrapf")))


def _floats(frame: Any, channels: int) -> Pixels:
    """A frame of floats, (height, width) or (height, width, 3) in the order red, green, blue."""
    size = frame.format.components[0].bits // 8
    kind = np.dtype(f"{'>' if frame.format.is_big_endian else '<'}f{size}")
    rows = [np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: frame.height] for plane in frame.planes]
    # Rows are as wide as the decoder pads them: cut to the picture.
    planes = [plane[:, : frame.width * size].view(kind) for plane in rows]
    if channels == 1:
        return planes[0].astype(np.float32)
    green, blue, red = planes[:3]
    return np.stack((red, green, blue), -1).astype(np.float32)


def _pixels(frame: Any, image: ImageType, greys: Greys | None, out: Pixels) -> Pixels:
    """A frame's pixels in the delivered type, in `out` where that fits and it saves a copy; gray ones straight from the
    plane."""
    if image.dtype == F32:
        return _floats(frame, image.channels)
    fits = (out.shape, out.dtype) == (image.shape, image.dtype.numpy) and out.flags.c_contiguous
    if image.channels == 1:
        if frame.format.name == PALETTE:
            return places(frame)
        plane = frame.planes[0]
        # `line_size` is the bytes from row to row, padding included.
        dtype = np.dtype(np.uint8) if image.dtype == U8 else np.dtype(">u2" if frame.format.is_big_endian else "<u2")
        rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: image.height]
        pixels = rows[:, : image.width * dtype.itemsize].view(dtype)
        if not fits:
            return pixels.astype(image.dtype.numpy)  # a copy: the decoder uses the plane again
        np.copyto(out, pixels)
        return out
    if fits and greys is not None and greys.fill(frame, out):
        return out
    converted: Pixels = frame.to_ndarray(format="rgb24" if image.dtype == U8 else "rgb48le")
    return converted


def _time_base(index: VideoIndex, stream: Any, tags: Mapping[str, str], capture: float) -> tuple[TimeBase, list[str]]:
    """The grid of the stamps, or they themselves; and what is odd about them.

    They are playback times, and the note says so, unless the file names the rate at which it was captured (`capture`, 0
    for none).
    """
    declared = [Fraction(rate) for rate in (stream.average_rate, stream.base_rate, stream.guessed_rate) if rate]
    nominal = float(declared[0]) if declared else 0.0
    advice = "give the camera's rate with --fps if it was higher"
    invented = stream.container.format.name in _RAW
    # Raw streams have no clock: their stamps are invented by FFmpeg.
    if len(index.order) < 2 or not stream.time_base or invented:
        if capture:
            return TimeBase(capture, "header", f"{describe_rate(capture)}, the capture rate that the file names"), []
        if nominal > 0 and not invented:
            note = f"{describe_rate(nominal)}, the container's playback rate; {advice}"
            return TimeBase(nominal, "container", note), []
        return TimeBase(float("nan"), "unknown", "the file names no frame rate; give it with --fps"), []
    ticks = np.sort(index.order)
    stamps = (ticks - ticks[0]).astype(np.float64) * float(stream.time_base)
    own = video_times(tags, stamps, float(stream.time_base))
    if own is not None:
        return own, []
    grid = find_grid(ticks, stream.time_base, declared)
    if grid is None:
        mean = (len(stamps) - 1) / float(stamps[-1])
        fps = nominal if nominal > 0 and abs(nominal / mean - 1) < 0.02 else mean
        note = f"{describe_rate(fps)}, the container's playback rate, with the stamp of each frame; {advice}"
        return TimeBase(fps, "container", note, stamps), list(filter(None, (uneven_sentence(stamps),)))
    rate, played = capture or grid.rate, describe_rate(grid.rate)
    times = grid.numbers / rate if grid.missing else None
    if capture:
        note = f"{describe_rate(rate)}, the capture rate that the file names; it is played at {played}"
    else:
        note = f"{played}, the container's playback rate; {advice}"
    odd = [f"{grid.sentence()}, by the time stamps; the times of those that are there leave room for them"]
    return TimeBase(rate, "header" if capture else "container", note, times), odd if grid.missing else []


def _cut_short(container: Any, stream: Any, order: Stamps, promised: int) -> list[str]:
    """Of a container that promises a length instead of a number of frames (Matroska, FLV), where its last frame ends
    sooner."""
    rate = float(stream.average_rate or stream.guessed_rate or 0)
    if promised or not container.duration or len(container.streams) > 1 or not len(order) or not rate:
        return []
    tick = float(stream.time_base)
    first, last = float(order.min()) * tick, float(order.max()) * tick
    step = (last - first) / (len(order) - 1) if len(order) > 1 else 1 / rate
    seconds = container.duration / av.time_base
    short = seconds - (last + step)
    if short < max(0.75 * step, 1.2 * tick):  # some end with the last frame's stamp; all round
        return []
    frames = len(order) + max(1, round(short / step))
    return [f"the header promises {seconds:.4g} s (about {plural(frames, 'frame')}), and {len(order)} "
            f"{'is' if len(order) == 1 else 'are'} there: the file is cut short"]  # fmt: skip


def _oddities(container: Any, stream: Any, first: Any) -> list[str]:
    """What people who measure must know of a video, a sentence each."""
    found = []
    if shown := _shown(first)[0]:
        found.append(f"the file asks to be shown {shown}")
    if first.interlaced_frame:
        found.append("the video is interlaced: odd and even rows are from different times, and what moves is torn; "
                     "deinterlace it first, such as by ffmpeg -i FILE -vf bwdif -c:v ffv1 NEW.mkv")  # fmt: skip
    aspect = stream.codec_context.sample_aspect_ratio or stream.sample_aspect_ratio
    if aspect and aspect != 1:
        found.append(f"the pixels are not square: by the file {aspect.numerator}:{aspect.denominator} as wide as high; "
                     "positions count stored pixels along both axes")  # fmt: skip
    others = [s for s in container.streams.video if s is not stream and s.codec_context is not None]
    if others:
        found.append(f"the file holds {plural(len(others) + 1, 'video stream')}; the first one is read")
    return found


def _shown(frame: Any) -> tuple[str, int]:
    """How a file asks players to show its pictures, and what to do for it, "" for as they are; by how many degrees
    clockwise it has them turned, if that is all.

    Its matrix says where the axes go: x to (a, b), y to (c, d).
    """
    try:
        matrix = frame.side_data.get("DISPLAYMATRIX")
    except ValueError:  # PyAV lists all that comes with a frame, and knows not each kind of it (EXIF)
        return "", 0
    if matrix is None:
        return "", 0
    a, b, _, c, d = np.frombuffer(matrix, "=i4")[:5].astype(float) / 65536
    # A negative determinant is a mirror image.
    if a * d - b * c < 0:
        sides = "left to right" if abs(b) < abs(a) and a < 0 else "top to bottom" if abs(b) < abs(a) else "and turned"
        return f"mirrored {sides}; frames come as stored", 0
    clockwise = round(math.degrees(math.atan2(b, a))) % 360
    quarters = clockwise in (90, 180, 270)
    advice = f", --turn {clockwise} turns them" if quarters else ""
    words = f"turned by {clockwise} degrees clockwise; frames come as stored{advice}" if clockwise else ""
    return words, clockwise if quarters else 0
