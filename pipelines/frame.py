"""A frame on its way from a source to the tracks, and what a source and a sink must offer.

Coordinates: x right, y down, pixel centres at integers; time in seconds from frame 0 (or from the trigger where
the file knows it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kernels.ir.image import ImageType

Pixels = npt.NDArray[Any]

BAYER = ("rggb", "bggr", "grbg", "gbrg")
"""Orders of colour mosaics: the colours of the first two pixels of the first row, then of the second."""
UNKNOWN = int(np.iinfo(np.int64).min)
"""A camera's number or time that is unknown."""

ARRIVAL = np.dtype([("camera_id", "<i8"), ("camera_time", "<i8"), ("host_time", "<i8")])
"""What came with a frame: the camera's own number and clock (ns), UNKNOWN where it has none; when the host had it (ns
since 1970)."""
STEPS = (1e-12, 1e9)
"""Between frames, s: what is shorter or longer is no capture rate, and squares of it are no numbers."""


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """How the delivered array spells the picture; the pipeline's front end turns it into plain pixels.

    Args:
        color: "mono", "rgb", "bgr", "rgba", "bgra", or a Bayer order "rggb", "bggr", "grbg", "gbrg" (the
            colours of the first two pixels of the first row, then of the second).
        bits: significant bits of a sample (12 for 12 bits in 16), after unpacking and shifting.
        packing: "none", or how samples share bytes, most significant bits first: "msb10" (4 samples in 5 bytes),
            "msb12" (2 samples in 3 bytes). The delivered array of a packed picture is u8, one row of bytes a row.
        shift: bits by which samples are left-justified (4 for 12 bits in the top of 16).
        lut: a table that maps each stored value to the linear one (Phantom's packed 10 bit), or () for none.
    """

    color: str = "mono"
    bits: int = 8
    packing: str = "none"
    shift: int = 0
    lut: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeBase:
    """When the frames were exposed.

    Args:
        fps: effective frames a second of the frames served (after save steps); NaN if unknown.
        origin: "stamps" (a time stamp a frame), "header" (camera file), "container" (a video's playback rate, often
            not the capture rate), "user" (--fps), "scene" (simulated) or "unknown".
        note: one sentence for the summary: where the time base comes from, what looked wrong.
        stamps: seconds of each frame, float64 of shape (frames,), or None for begin + index / fps. They count from the
            trigger where the file knows it, as the camera's numbers do, else from frame 0.
        begin: seconds of frame 0 where there are no stamps: negative before the trigger.
    """

    fps: float
    origin: str
    note: str
    stamps: npt.NDArray[np.float64] | None = None
    begin: float = 0.0

    def time(self, index: int) -> float:
        """Seconds of frame `index` from the trigger or frame 0 (index itself when the rate is unknown)."""
        if self.stamps is not None and index < len(self.stamps):
            return float(self.stamps[index])
        return self.begin + index / self.fps if self.fps > 0 else float(index)


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a source knows before the first frame is read.

    Args:
        name: short name for people (the file's name, or "sim:vortex").
        kind: "cine", "mraw", "video", "tiff", "images", "npy", "simulated", ...
        width, height: size of the picture in pixels (the delivered row of a packed picture is longer or shorter).
        frames: frames that can be served.
        image: type and shape of the delivered arrays.
        format: how they spell the picture.
        time: the time base.
        first_number: the camera's number of frame 0 (negative before the trigger), 0 if it has none.
        declared_frames: frames that the header promises (more than `frames` when the file is cut short).
        warnings: sentences about what is odd in the file; shown to the user and written into the summary.
        metadata: camera, exposure and the like, JSON-able, for the summary.
        identity: what names the content for provenance (path, size, modification time), JSON-able.
    """

    name: str
    kind: str
    width: int
    height: int
    frames: int
    image: ImageType
    format: PixelFormat
    time: TimeBase
    first_number: int = 0
    declared_frames: int = 0
    warnings: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    identity: Mapping[str, Any] = field(default_factory=dict)


class FrameSource(Protocol):
    """A clip: random access by index, fastest in order."""

    @property
    def info(self) -> SourceInfo: ...

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        """The delivered array of frame `index`, shape and dtype of `info.image`.

        Args:
            index: 0 .. info.frames - 1.
            out: written and returned when given; else a new or read-only array.

        Raises:
            BadFrame: this frame cannot be decoded (the next one may).
            IndexError: no such frame.
        """
        ...

    def close(self) -> None: ...


class InMemory(FrameSource, Protocol):
    """A clip whose frames lie in memory as they are delivered, so that they need not be copied."""

    def view(self, first: int, end: int) -> Pixels | None:
        """Frames `first` to `end` - 1 where they lie, (end - first, *info.image.shape), C-contiguous; None where some
        have to be read. They stay as they are as long as a reference to them is held."""
        ...


class Camera(Protocol):
    """A live source: frames come when they come, each once, in order; nothing waits for the reader.

    Between `start` and `stop` the camera delivers into a queue of its own; what it cannot deliver is missing in its
    numbers (`ARRIVAL`), never silent. All methods are called by one thread but `close`, which any may call: a `take`
    that waits then raises CameraLost. A number that comes twice is a fault of the camera, delivered as it comes.

    A camera whose picture changes its size or type is lost (`CameraLost`, once all pictures of the old type were
    taken); `info` is as before until `start` connects again and says what it delivers now.
    """

    @property
    def info(self) -> SourceInfo:
        """As of a clip; `frames` is 0, as it is unknown how many will come. `start` may change it."""
        ...

    def start(self) -> None:
        """Begin to deliver; also after `CameraLost`, to connect again.

        Raises:
            CameraLost: it is not there (any more).
            InputError: it cannot be used as it is asked to.
        """
        ...

    def take(self, pixels: Pixels, arrivals: npt.NDArray[Any], timeout: float) -> int:
        """The next frames, oldest first: as many as are there and fit.

        Args:
            pixels: (n, *info.image.shape), C-contiguous, n >= 1; its first rows are written.
            arrivals: (n,) of ARRIVAL; likewise.
            timeout: seconds to wait for the first frame.

        Returns:
            How many; 0 if none came in time.

        Raises:
            CameraLost: it stopped delivering, after all that it had delivered was taken.
            EndOfStream: it was to deliver so many frames, or those of a file, and all were taken; `start` begins anew.
                Also after `stop`, once all was taken.
        """
        ...

    def stop(self) -> None:
        """Deliver no more; what was delivered can still be taken."""
        ...

    def close(self) -> None:
        """Give the camera back; allowed at any time, more than once."""
        ...


@dataclass(frozen=True, slots=True)
class FrameBatch:
    """Consecutive frames: indices (B,), times (B,) in seconds, pixels (B, *shape)."""

    indices: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]
    pixels: Pixels

    def __len__(self) -> int:
        return len(self.indices)


@dataclass(frozen=True, slots=True)
class Result:
    """What leaves the pipeline for one frame: tapped images and tables, the rows of the trackers, and, where somebody
    wanted them, what was measured of each row (`pipelines.measures`)."""

    index: int
    time: float
    taps: Mapping[str, Pixels]
    tracks: Pixels
    measures: Pixels | None = None


class Sink(Protocol):
    """What receives results: an exporter, a recorder, a window."""

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None: ...

    def close(self) -> None: ...
