"""The frames of a clip as plain pixels, bit by bit what the camera measured: unpacked, right-justified, cropped."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from app.progress import Progress
from app.sources.packed import unpack_msb
from kernels.errors import BadFrame, InputError
from pipelines.frame import FrameSource, Pixels, TimeBase
from pipelines.frontend import Roi, crop_nodes
from pipelines.streaming.common.preparing import frame_range

_PACKED = {"msb10": 10, "msb12": 12}


class FrameStack:
    """Frames of one clip in order, to be gone through once.

    Pixels of a colour sensor stay the mosaic that they are (`mosaic` names its order); red, green and blue come in this
    order. A camera's logarithmic table (packed 10 bit of Phantom) is applied.

    Args:
        source: the clip; not closed.
        frames: first and one past the last, as `frame_range` takes them.
        roi: x, y, width, height in px; None for the whole picture.
        bits: how many bits the values need, where the clip says more (16 for 12 in a .npy); None for what it says.
        gray: one channel of pictures whose channels are all the same, as video often stores gray ones.
        blank: put a black frame where one cannot be read, so that all others keep their place; else that is an error.
        progress: called with every frame.

    Raises:
        InputError: frames or region reach outside the clip.
    """

    def __init__(
        self,
        source: FrameSource,
        frames: tuple[int | None, int | None] | None = None,
        roi: Roi | None = None,
        *,
        bits: int | None = None,
        gray: bool = False,
        blank: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self.source, self.info = source, source.info
        info, form, image = self.info, self.info.format, self.info.image
        self.progress = progress
        self.first, self.end = frame_range(info.frames, frames)
        crop_nodes(info, roi)  # refuses what is outside
        self.roi = roi
        self.width, self.height = (info.width, info.height) if roi is None else roi[2:]
        delivered = {"rgb": 3, "bgr": 3, "rgba": 4, "bgra": 4}.get(form.color, 1)
        self._gray = gray and delivered > 1
        self.channels = 1 if gray else delivered
        self.mosaic = "" if delivered > 1 or form.color == "mono" else _moved(form.color, roi)
        self._lut = np.array(form.lut, np.uint16) if form.lut else None
        self._blank = blank
        self.bad: list[tuple[int, str]] = []
        """Frames that are black because they could not be read, and why."""
        # Whole numbers are delivered with as many bytes as their bits need.
        if image.dtype.kind in "ub" or form.packing != "none":
            said = 1 if image.dtype.kind == "b" else form.bits
            self.bits = bits or (said if self._lut is None else int(self._lut.max()).bit_length())
            self.dtype: np.dtype[Any] = np.dtype(np.uint8 if self.bits <= 8 else np.uint16)
            # Where type and bits agree no value can be too large, and none has to be looked at.
            whole = self.bits == 8 * self.dtype.itemsize and image.dtype.itemsize == self.dtype.itemsize
            self._most: int | None = None if whole else (1 << self.bits) - 1
        elif bits is not None:
            raise InputError(f"--bits does not fit {info.name}, whose pixels are {image.dtype} and no whole bits")
        else:
            self.bits, self.dtype, self._most = image.dtype.bits, np.dtype(image.dtype.numpy), None

    def __len__(self) -> int:
        return self.end - self.first

    @property
    def shape(self) -> tuple[int, ...]:
        """Of a frame: (height, width), or (height, width, channels)."""
        return (self.height, self.width) if self.channels == 1 else (self.height, self.width, self.channels)

    @property
    def frame_bytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def unsigned(self) -> bool:
        """Whether pixels are whole numbers from 0 on."""
        return self.dtype.kind == "u"

    @property
    def fps(self) -> float:
        """The capture rate, NaN if unknown."""
        return rate_of(self.info.time)

    @property
    def times(self) -> npt.NDArray[np.float64]:
        """Seconds of each frame (frames if the rate is unknown)."""
        return np.array([self.info.time.time(index) for index in range(self.first, self.end)])

    @property
    def stamped(self) -> bool:
        """Whether each frame has a time of its own, more than its number tells."""
        return self.info.time.stamps is not None

    def __iter__(self) -> Iterator[Pixels]:
        """Every frame as a C-contiguous array of `shape` and `dtype`; valid until the next.

        Raises:
            InputError: a frame cannot be read (unless `blank`), or a value needs more than `bits`.
        """
        for index in range(self.first, self.end):
            missing = 0
            try:
                pixels = self._plain(self.source.read(index), index)
            except BadFrame as error:
                if not self._blank:
                    raise InputError(
                        f"{self.info.name}: {error}; --blank puts a black frame in its place, --frames leaves it out"
                    ) from None
                self.bad.append((index, error.reason))
                pixels, missing = np.zeros(self.shape, self.dtype), 1
            yield pixels
            if self.progress is not None:
                self.progress.advance(1, missing)

    def _plain(self, pixels: Pixels, index: int) -> Pixels:
        form = self.info.format
        # In the order in which the values were packed: bytes, crop, shift, curve, channels.
        if form.packing != "none":
            pixels = unpack_msb(pixels, self.info.width, _PACKED[form.packing])
        if self.roi is not None:
            x, y, width, height = self.roi
            pixels = pixels[y : y + height, x : x + width]
        if form.shift:
            pixels = pixels >> form.shift
        if self._lut is not None:
            pixels = self._lut[pixels]
        if self._gray:
            if not (pixels[..., :3] == pixels[..., :1]).all():
                raise InputError(f"frame {index} of {self.info.name} has colours; leave --gray out")
            pixels = pixels[..., 0]
        elif form.color in ("bgr", "bgra"):
            pixels = pixels[..., [2, 1, 0, 3][: self.channels]]
        if self._most is not None and int(pixels.max()) > self._most:
            raise InputError(
                f"{self.info.name} holds the value {int(pixels.max())}, more than {self.bits} bits; raise --bits"
            )
        return np.ascontiguousarray(pixels, self.dtype).reshape(self.shape)


def rate_of(time: TimeBase) -> float:
    """The capture rate: what the clip says, else what its stamps in seconds tell; NaN if unknown."""
    if time.fps > 0 or time.stamps is None or time.origin == "unknown" or len(time.stamps) < 2:
        return time.fps
    step = float(np.median(np.diff(time.stamps)))
    return 1.0 / step if step > 0 else math.nan


def _moved(pattern: str, roi: Roi | None) -> str:
    """The order of a mosaic that begins at another pixel.

    >>> _moved("rggb", (1, 0, 8, 8)), _moved("rggb", (0, 1, 8, 8)), _moved("rggb", (2, 2, 8, 8))
    ('grbg', 'gbrg', 'rggb')
    """
    a, b, c, d = list(pattern)
    if roi is not None and roi[0] % 2:
        a, b, c, d = b, a, d, c
    if roi is not None and roi[1] % 2:
        a, b, c, d = c, d, a, b
    return a + b + c + d
