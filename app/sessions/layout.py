"""Where the bytes of a session lie.

A session is the preamble (magic, header, schemas, channels, metadata, attachments), then groups, then, once it is
closed, the summary. A group is one uncompressed chunk, its message indexes and a private record that fills it up, so
that every group begins at a multiple of ALIGN and can be written past the system's cache:

    frames    [chunk: frame, frame, ...][message index][TABLE: a FRAME_ROW a frame, zeros]
    messages  [chunk: tracks and events][message indexes][PADDING: zeros]

All frames of a session take the same number of bytes, so that frame k of a group lies at a place that needs no search.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sessions.protobuf import BYTES, FIXED32, FIXED64, delimited, long_varint, tag
from app.sessions.records import HEAD, Damaged, Op
from app.sessions.schemas import IMAGES
from kernels.ir.image import DTYPES, ImageType
from pipelines.frame import PixelFormat, Pixels, SourceInfo

ALIGN = 4096
"""Groups begin at multiples of it (bytes); disks whose sectors are larger than 4096 are written through the cache."""
CHUNK = struct.Struct("<BQQQQIIQ")
"""Head of a chunk: opcode, length, first and last log time, size and checksum of the records, no compression, size."""
INDEX_HEAD = HEAD.size + 6
"""What is before the entries of a message index."""
TABLE_HEAD = struct.Struct("<II")
"""Head of a TABLE's content: checksum of the rows, number of rows."""
MOST_FRAMES = 16
"""Frames of a chunk, at most."""
CHUNK_BYTES = 8 << 20
"""Bytes of a chunk, about: stock readers read whole chunks when they look for a frame."""
MANIFEST, PIPELINE = "manifest.json", "pipeline.toml"
"""Attachments at the beginning (see `manifest`)."""
TABLE_NAME = "frames.table"
"""Attachment of a closed session: the tables of all groups, so that opening needs one read."""

FRAME_ROW = np.dtype(
    [
        ("sequence", "<u8"),  # which of the frames that were announced to the recorder, from 0
        ("camera_id", "<i8"),  # the camera's own number, or UNKNOWN
        ("camera_time", "<i8"),  # the camera's own clock, ns, or UNKNOWN
        ("host_time", "<i8"),  # when the host had it, ns since 1970; of a clip, when it was taken as far as is known
        ("time", "<f8"),  # seconds as pipelines are given them, NaN when unknown
        ("crc", "<u4"),  # CRC-32 of the pixels
        ("flags", "<u4"),  # 0
    ]
)
"""What is known about one frame."""
FrameRows = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """The type of every frame of a session (`ImageType` and `PixelFormat` as plain values).

    Args:
        width, height: of the picture in px.
        dtype, rows, columns, channels, bits: of the delivered array.
        color, sample_bits, packing, shift, lut: how it spells the picture.
    """

    width: int
    height: int
    dtype: str
    rows: int
    columns: int
    channels: int
    bits: int
    color: str = "mono"
    sample_bits: int = 8
    packing: str = "none"
    shift: int = 0
    lut: tuple[int, ...] = ()

    @classmethod
    def of(cls, info: SourceInfo) -> Picture:
        """What `info` says about its frames."""
        image, form = info.image, info.format
        return cls(
            info.width, info.height, image.dtype.name, image.height, image.width, image.channels, image.bits,
            form.color, form.bits, form.packing, form.shift, tuple(form.lut),
        )  # fmt: skip

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Picture:
        """What `facts` wrote.

        Raises:
            ValueError: it did not.
        """
        try:
            made = cls(**{**facts, "lut": tuple(facts["lut"])})
            whole = (made.width, made.height, made.rows, made.columns, made.channels, made.bits, made.shift)
            if not all(type(n) is int and 0 <= n < 1 << 24 for n in whole) or not 0 < made.frame_bytes < 1 << 34:
                raise ValueError(f"the layout of the frames cannot be: {dict(facts)}")
        except (TypeError, KeyError) as error:
            raise ValueError(f"the layout of the frames is not whole ({error})") from None
        return made

    def facts(self) -> dict[str, Any]:
        """JSON-able."""
        return {**asdict(self), "lut": list(self.lut)}

    @property
    def image(self) -> ImageType:
        return ImageType(DTYPES[self.dtype], self.rows, self.columns, self.channels, self.bits)

    @property
    def format(self) -> PixelFormat:
        return PixelFormat(self.color, self.sample_bits, self.packing, self.shift, self.lut)

    @property
    def step(self) -> int:
        """Bytes of a row."""
        return self.columns * self.channels * DTYPES[self.dtype].itemsize

    @property
    def frame_bytes(self) -> int:
        return self.rows * self.step

    @property
    def encoding(self) -> str:
        """The word of `foxglove.RawImage`; spellings that it has not get a word of our own, which viewers refuse
        rather than draw wrongly.

        >>> Picture(4, 2, "u16", 2, 4, 1, 12).encoding
        'mono16'
        """
        if self.packing != "none" or self.dtype not in ("u8", "u16", "f32"):
            return f"{self.color}-{self.dtype}-{self.packing}{self.sample_bits}"
        if self.color == "mono" and self.dtype == "f32":
            return "32FC1"
        depth = 16 if self.dtype == "u16" else 8
        if self.color == "mono":
            return f"mono{depth}"
        return f"bayer_{self.color}{depth}" if len(set(self.color)) == 3 and len(self.color) == 4 and (
            "a" not in self.color) else f"{self.color}{depth}"  # fmt: skip

    def view(self, data: npt.NDArray[np.uint8]) -> Pixels:
        """The delivered array over the bytes of one frame."""
        kind = DTYPES[self.dtype].numpy
        array = data.view(kind.newbyteorder("<")).reshape(self.image.shape)
        return array if sys.byteorder == "little" else array.astype(kind)

    def bytes_of(self, pixels: Pixels) -> npt.NDArray[np.uint8]:
        """The bytes of one frame, copied only if the array is not contiguous.

        Raises:
            ValueError: another shape or type.
        """
        image = self.image
        if pixels.shape != image.shape or pixels.dtype != image.dtype.numpy:
            raise ValueError(
                f"frames of this session are {image.dtype} {image.shape}, not {pixels.dtype} {pixels.shape}"
            )
        flat = np.ascontiguousarray(pixels, image.dtype.numpy.newbyteorder("<"))
        return flat.reshape(-1).view(np.uint8)


class FrameLayout:
    """The records of the frames of one session, as NumPy sees them: `dtype` is a whole message record.

    Args:
        picture: the type of the frames.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        fixed: dict[str, bytes] = {}
        fields: list[tuple[Any, ...]] = []

        def constant(data: bytes) -> None:
            name = f"constant{len(fixed)}"
            fixed[name] = data
            fields.append((name, "u1", (len(data),)))

        fields += [("op", "u1"), ("length", "<u8"), ("channel", "<u2"), ("sequence32", "<u4"), ("log_time", "<u8"),
                   ("publish_time", "<u8")]  # fmt: skip
        # A frame is a protobuf message whose length never changes: every field has a fixed width (padded varints,
        # fixed32 and fixed64), so that a record is a NumPy row and only its values are filled in.
        constant(tag(1, BYTES) + b"\x0c" + tag(1, 0))
        fields.append(("seconds", "u1", (5,)))
        constant(tag(2, 0))
        fields.append(("nanos", "u1", (5,)))
        constant(
            tag(2, FIXED32) + struct.pack("<I", picture.width) + tag(3, FIXED32) + struct.pack("<I", picture.height)
            + delimited(4, picture.encoding.encode()) + tag(5, FIXED32) + struct.pack("<I", picture.step)
            + delimited(7, b"camera") + tag(1001, FIXED64)
        )  # fmt: skip
        fields.append(("sequence", "<u8"))
        for k, (name, kind) in enumerate([("camera_id", "<i8"), ("camera_time", "<i8"), ("host_time", "<i8"),
                                          ("time", "<f8")]):  # fmt: skip
            constant(tag(1002 + k, FIXED64))
            fields.append((name, kind))
        constant(tag(1006, FIXED32))
        fields.append(("crc", "<u4"))
        constant(tag(6, BYTES) + long_varint(picture.frame_bytes))
        fields.append(("pixels", "u1", (picture.frame_bytes,)))
        self.dtype = np.dtype(fields)
        self.prefix = np.dtype(fields[:-1])
        """The same without the pixels: what is before them."""
        self.stride = self.dtype.itemsize
        self._fixed = {name: np.frombuffer(data, np.uint8) for name, data in fixed.items()}
        self.frames = max(1, min(MOST_FRAMES, CHUNK_BYTES // self.stride))
        """Frames of a full chunk."""

    def group_bytes(self, frames: int) -> int:
        """Bytes of a whole group."""
        return aligned(self.table_at(frames) + HEAD.size + TABLE_HEAD.size + FRAME_ROW.itemsize * frames)

    def index_at(self, frames: int) -> int:
        """Where the message index begins in the group."""
        return CHUNK.size + self.stride * frames

    def table_at(self, frames: int) -> int:
        """Where the table begins in the group."""
        return self.index_at(frames) + INDEX_HEAD + 16 * frames

    def prepare(self, records: npt.NDArray[Any]) -> None:
        """Write what is the same in every record."""
        records["op"], records["channel"] = Op.MESSAGE, IMAGES
        records["length"] = self.stride - HEAD.size
        for name, data in self._fixed.items():
            records[name] = data

    def describe(self, records: npt.NDArray[Any], rows: FrameRows) -> None:
        """Write what differs, from the rows of the table."""
        for name in ("sequence", "camera_id", "camera_time", "host_time", "time", "crc"):
            records[name] = rows[name]
        records["sequence32"] = rows["sequence"] & 0xFFFFFFFF
        records["log_time"] = rows["host_time"]
        known = rows["camera_time"] >= 0
        # Stock viewers order by the camera's clock where there is one.
        stamp = np.where(known, rows["camera_time"], rows["host_time"])
        records["publish_time"] = stamp
        # Five groups of seven bits, lowest first: a varint of fixed length.
        for name, numbers in (("seconds", stamp // 1_000_000_000), ("nanos", stamp % 1_000_000_000)):
            records[name] = numbers[:, None] >> np.arange(0, 35, 7) & 0x7F | np.array([128, 128, 128, 128, 0])

    def rows_of(self, prefixes: npt.NDArray[Any]) -> FrameRows:
        """The rows of the table, read back from the records themselves.

        Raises:
            Damaged: these are not frames of this session.
        """
        if (prefixes["op"] != Op.MESSAGE).any() or (prefixes["length"] != self.stride - HEAD.size).any() or (
            prefixes["channel"] != IMAGES).any():  # fmt: skip
            raise Damaged("a chunk holds something else than frames of this session")
        rows = np.zeros(len(prefixes), FRAME_ROW)
        for name in ("sequence", "camera_id", "camera_time", "host_time", "time", "crc"):
            rows[name] = prefixes[name]
        return rows


def aligned(count: int) -> int:
    """The next multiple of ALIGN.

    >>> aligned(1), aligned(4096)
    (4096, 4096)
    """
    return -(-count // ALIGN) * ALIGN


def table_record(rows: FrameRows, room: int) -> bytes:
    """A TABLE record that fills exactly `room` bytes."""
    data = rows.tobytes()
    body = TABLE_HEAD.pack(zlib.crc32(data), len(rows)) + data
    return HEAD.pack(Op.TABLE, room - HEAD.size) + body + bytes(room - HEAD.size - len(body))


def read_table(content: bytes) -> FrameRows:
    """The rows in a TABLE's content, or in the attachment of a closed session.

    Raises:
        Damaged: the checksum differs, or the rows are not all there.
    """
    if len(content) < TABLE_HEAD.size:
        raise Damaged("a table of frames is cut")
    crc, count = TABLE_HEAD.unpack_from(content)
    data = content[TABLE_HEAD.size : TABLE_HEAD.size + count * FRAME_ROW.itemsize]
    if len(data) != count * FRAME_ROW.itemsize or zlib.crc32(data) != crc:
        raise Damaged("the checksum of a table of frames differs")
    return np.frombuffer(data, FRAME_ROW)
