"""What a page of a TIFF file holds, and its pixels: gray, colours, palettes, and the raw data of cameras (DNG)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tifffile

from app.sources.base import check_picture, describe_rate, reason_of
from app.sources.image_marks import ORIENTATION, orientation_sentence
from app.sources.tiff_checks import check_lengths, decode_lossless
from app.sources.tiff_directories import Directories
from app.sources.values import deliver, delivered_type
from kernels.errors import BadFrame, ExprError, SourceError
from kernels.ir.image import U8, DType
from pipelines.frame import PixelFormat, Pixels, TimeBase

_MAX_RATIO = 4000
"""Most bytes of picture that one byte of a file is believed to hold (blank LZW pictures reach 1500)."""
_COLOR = {1: "mono", 3: "rgb", 4: "rgba"}
_PALETTE, _CFA, _LINEAR_RAW = 3, 32803, 34892
_WHITE_IS_0 = 0
_BYTE_COUNTS = 279
_CFA_DIM, _CFA_PATTERN, _CFA_LAYOUT = 33421, 33422, 50711
_LINEARIZATION, _BLACK_LEVEL, _WHITE_LEVEL, _ACTIVE_AREA = 50712, 50714, 50717, 50829
_FRAME_RATE, _TIME_CODES, _CAMERA = 51044, 51043, 50708
_FILTERS = ("red", "green", "blue", "cyan", "magenta", "yellow", "white")
_BAYER = {(0, 1, 1, 2): "rggb", (2, 1, 1, 0): "bggr", (1, 0, 2, 1): "grbg", (1, 2, 0, 1): "gbrg"}

Box = tuple[int, int, int, int]
"""Top, left, bottom, right."""


@dataclass(frozen=True, slots=True)
class TiffPicture:
    """The pictures of a stack or sequence: what each page must hold.

    Args:
        kind, height, width, channels: of the delivered array.
        form: how it spells the picture.
        box: the part of the stored picture that is delivered; None for all.
        warnings: sentences about it.
        short: whether the page says that its pixels take fewer bytes than they do. Some programs write that; where
            other pages of a clip do not, it is damage.
    """

    kind: DType
    height: int
    width: int
    channels: int
    form: PixelFormat
    box: Box | None = None
    warnings: tuple[str, ...] = ()
    short: bool = False

    @property
    def bits(self) -> int:
        """Significant bits for the image's type; 0 where the type says it."""
        if self.kind.kind != "u":
            return 0
        return self.kind.bits if self.form.lut else self.form.bits

    def like(self, other: TiffPicture) -> bool:
        """Whether both can be frames of one clip."""
        return (self.kind, self.height, self.width, self.channels, self.form.color, self.form.lut) == (
            other.kind, other.height, other.width, other.channels, other.form.color, other.form.lut
        )  # fmt: skip

    def __str__(self) -> str:
        color = "" if self.form.color == "mono" else f"{self.form.color} "
        return f"{self.width} x {self.height} {color}{self.kind}"


def page_at(tiff: Any, place: int) -> Any:
    """The tifffile page whose directory lies there; the first of the file, which is read already, for that one."""
    first = tiff.pages[0]
    if place == first.offset:
        return first
    tiff.filehandle.seek(place)
    return tifffile.TiffPage(tiff, index=0)


def picture_of(path: Path, page: Any, file_bytes: int) -> TiffPicture:
    """What a page holds, before anything is decoded.

    Args:
        path: for the sentence.
        page: a tifffile page.
        file_bytes: size of the file, to disbelieve sizes that it cannot hold; 0 for no check.

    Raises:
        SourceError: no picture, of a size that cannot be, or of a kind that is not supported.
    """
    height, width, channels = int(page.imagelength), int(page.imagewidth), int(page.samplesperpixel)
    if page.dtype is None or int(page.imagedepth) != 1:
        raise SourceError(f"{path} has a page that is no picture ({page.bitspersample} bits a sample)")
    try:
        kind = delivered_type(page.dtype)
    except ExprError as error:
        raise SourceError(f"{path} cannot be used: {error}") from None
    if channels not in _COLOR:
        raise SourceError(f"{path} has {channels} channels a pixel; 1 (gray), 3 (RGB) or 4 (RGBA) are supported")
    check_picture(path, width, height, width * height * channels * kind.itemsize)
    # Sizes that even the best compression cannot pack into the file are damage.
    if file_bytes and width * height * channels * kind.itemsize > _MAX_RATIO * file_bytes:
        raise SourceError(f"{path} says it is {width} x {height}, far more than its {file_bytes} bytes can hold")
    photometric = int(page.photometric)
    short = int(page.compression) == 1 and 0 < sum(_numbers(page, _BYTE_COUNTS)) < -(
        -width * height * channels * int(page.bitspersample) // 8)  # fmt: skip
    if photometric == _PALETTE:
        return TiffPicture(U8, height, width, 3, PixelFormat("rgb", 8), None, (), short)
    warnings = []
    if photometric == _WHITE_IS_0:
        warnings.append("the file says that 0 is white; the values are delivered as they are stored")
    bits = int(page.bitspersample) if kind.kind == "u" else kind.bits
    color = _COLOR[channels]
    # Raw photographs (DNG): values may be stored by a curve, beside a border that saw no light.
    raw = photometric in (_CFA, _LINEAR_RAW) or any(tag in page.tags for tag in (_WHITE_LEVEL, _LINEARIZATION))
    if not raw or kind.kind != "u":
        return TiffPicture(kind, height, width, channels, PixelFormat(color, bits), None, tuple(warnings), short)
    if photometric == _CFA and channels == 1:
        color = _mosaic(path, page, warnings)
    lut = _linear(page, bits)
    white = max(_numbers(page, _WHITE_LEVEL), default=0)
    # The depth of what is delivered, behind the curve; the level of white may need fewer bits than that.
    if lut:
        bits = max(max(lut), 1).bit_length()
    if 0 < white < 1 << (16 if lut else bits):
        bits = max(white, max(lut, default=0)).bit_length()
    box = _active(page, warnings)
    if box is not None:
        height, width = box[2] - box[0], box[3] - box[1]
    return TiffPicture(kind, height, width, channels, PixelFormat(color, bits, lut=lut), box, tuple(warnings), short)


def pixels_of(index: int, page: Any, picture: TiffPicture) -> Pixels:
    """The pixels of a page, frame `index` of its clip: (height, width) or (height, width, channels), palettes looked
    up.

    Raises:
        BadFrame: values that cannot be delivered, or the file ends before them.
        Exception: a damaged page may raise anything that its decoder raises.
    """
    size = page.parent.filehandle.size
    if any(a + n > size for a, n in zip(page.dataoffsets, page.databytecounts, strict=True)):
        raise BadFrame(index, "the file ends before its last byte")
    check_lengths(page)
    decode_lossless(page)
    pixels = _loose(page) if _is_loose(page) else page.asarray(maxworkers=1)
    if int(page.photometric) == _PALETTE:
        return np.ascontiguousarray((page.colormap[:, pixels] >> 8).astype(np.uint8).transpose(1, 2, 0))
    if int(page.samplesperpixel) > 1 and int(page.planarconfig) == 2:
        # Channels one after the other (planar) become the last axis.
        pixels = np.moveaxis(pixels, 0, -1)
    if picture.box is not None:
        top, left, bottom, right = picture.box
        pixels = pixels[top:bottom, left:right]
    return deliver(index, np.ascontiguousarray(pixels), picture.kind)


def _is_loose(page: Any) -> bool:
    """Whether samples of 9 to 15 bits take two bytes each, as some cameras write them, against TIFF's rules."""
    samples = int(page.imagelength) * int(page.imagewidth) * int(page.samplesperpixel)
    one_run = int(page.compression) == 1 and not page.is_tiled and int(page.planarconfig) == 1
    return one_run and 8 < int(page.bitspersample) < 16 and sum(page.databytecounts) == 2 * samples


def _loose(page: Any) -> Pixels:
    file, rows = page.parent.filehandle, []
    for start, count in zip(page.dataoffsets, page.databytecounts, strict=True):
        file.seek(start)
        rows.append(file.read(count))
    return np.frombuffer(b"".join(rows), np.dtype("u2").newbyteorder(page.parent.byteorder)).reshape(page.shape)


def file_words(tiff: Any) -> list[str]:
    """Sentences about the whole file, by what its first page says."""
    return [words for words in (orientation_sentence(tiff.pages[0].tags.valueof(ORIENTATION)),) if words]


def file_facts(tiff: Any, page: Any) -> dict[str, Any]:
    """What the file says of its camera, for the summary."""
    tags = tiff.pages[0].tags
    facts: dict[str, Any] = {"compression": str(getattr(page.compression, "name", page.compression))}
    lines = str(page.description or "").splitlines()
    if lines:
        facts["description"] = lines[0][:200]
    camera = tags.valueof(_CAMERA)
    if isinstance(camera, str) and camera.strip():
        facts["camera"] = camera.strip()[:200]
    black = sorted(set(_numbers(page, _BLACK_LEVEL)))
    if black and black != [0]:
        facts["black_level"] = black
    code = tags.valueof(_TIME_CODES)
    if isinstance(code, bytes | tuple) and len(code) >= 4:
        facts["time_code"] = _time_code(bytes(code[:4]))
    return facts


def file_rate(tiff: Any) -> TimeBase | None:
    """The rate that a DNG names; None if it names none."""
    rate = tiff.pages[0].tags.valueof(_FRAME_RATE)
    if not (isinstance(rate, tuple) and len(rate) == 2 and rate[1]) or not 0 < rate[0] / rate[1] < 1e9:
        return None
    fps = rate[0] / rate[1]
    note = f"{describe_rate(fps)}, by the tag FrameRate of the file; give the camera's rate with --fps if it was higher"
    return TimeBase(fps, "header", note)


def open_tiff(path: Path) -> tuple[Any, Directories]:
    """The file as tifffile has it, and its directories; the caller closes both.

    Raises:
        SourceError: it has not even a first page.
    """
    try:
        tiff = tifffile.TiffFile(path)
        if not len(tiff.pages[0].tags):
            raise ValueError("its first page says nothing")
    except Exception as error:  # tifffile lets struct, index and value errors of damaged files through
        raise SourceError(f"{path} cannot be read as TIFF: {reason_of(error)}") from None
    try:
        return tiff, Directories(path)
    except SourceError:
        tiff.close()
        raise


def _mosaic(path: Path, page: Any, warnings: list[str]) -> str:
    """The order of the filters in front of the pixels, which counts from the corner of the active area.

    Raises:
        SourceError: another one than Bayer's.
    """
    pattern, size = tuple(_numbers(page, _CFA_PATTERN)), tuple(_numbers(page, _CFA_DIM))
    if not pattern:
        warnings.append("the pixels lie behind colour filters in an order that the file does not name; they are "
                        "delivered as gray")  # fmt: skip
        return "mono"
    layout = next(iter(_numbers(page, _CFA_LAYOUT)), 1)
    if size != (2, 2) or layout != 1 or pattern not in _BAYER:
        names = [_FILTERS[c] if 0 <= c < len(_FILTERS) else str(c) for c in dict.fromkeys(pattern)]
        across = " x ".join(str(n) for n in reversed(size)) or "unknown size"
        raise SourceError(
            f"{path} is a colour mosaic of {across} with {', '.join(names)}; only Bayer's (2 x 2 of red, green and "
            "blue) can be used: convert the clip with the camera's software, or save it as gray or RGB TIFF"
        )
    return _BAYER[pattern]


def _linear(page: Any, bits: int) -> tuple[int, ...]:
    """The linear value of each stored value of so many bits; () where they are linear already."""
    table = _numbers(page, _LINEARIZATION)[: 1 << bits]
    if bits > 16 or len(table) < 2 or min(table) < 0 or max(table) >= 1 << 16:
        return ()
    table += table[-1:] * ((1 << bits) - len(table))  # what is past its end is as bright as its end
    return () if table == list(range(1 << bits)) else tuple(table)


def _active(page: Any, warnings: list[str]) -> Box | None:
    """The part of the sensor that saw light; None for all."""
    area = _numbers(page, _ACTIVE_AREA)
    height, width = int(page.imagelength), int(page.imagewidth)
    if len(area) != 4 or tuple(area) == (0, 0, height, width):
        return None
    top, left, bottom, right = area
    if not (0 <= top < bottom <= height and 0 <= left < right <= width):
        return None
    warnings.append(f"of {width} x {height} stored pixels those are delivered that the file calls active: "
                    f"{right - left} x {bottom - top} from x {left}, y {top}")  # fmt: skip
    return top, left, bottom, right


def _numbers(page: Any, tag: int) -> list[int]:
    """The whole numbers of a tag; of fractions the whole parts."""
    value = page.tags.valueof(tag)
    if value is None or isinstance(value, str):
        return []
    if isinstance(value, int | float):
        return [int(value)]
    found = page.tags.get(tag)
    values = [v for v in value if isinstance(v, int | float | np.integer)]
    if found is not None and int(found.dtype) in (5, 10):  # fractions: two numbers each
        return [int(a / b) for a, b in zip(values[::2], values[1::2], strict=False) if b]
    return [int(v) for v in values]


def _time_code(code: bytes) -> str:
    """SMPTE 12M: hours, minutes, seconds and frames as decimal digits, the last ones first.

    >>> _time_code(bytes([0x12, 0x34, 0x56, 0x01]))
    '01:56:34:12'
    """
    masks = (0x3F, 0x7F, 0x7F, 0x3F)
    return ":".join(f"{byte & mask:02x}" for byte, mask in reversed(list(zip(code, masks, strict=True))))
