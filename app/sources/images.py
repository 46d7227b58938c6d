"""Image sequences: one file a frame (TIFF, PNG, BMP, JPEG, PGM ...), in natural order of their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from app.sources.array import NO_RATE
from app.sources.base import ClipSource, check_file, check_picture, describe_rate, plural, read_head, reason_of
from app.sources.formats import TIFF
from app.sources.image_marks import Marks, many_sentence, marks_of, orientation_sentence
from app.sources.integrity import Examined, Integrity, Tell, examining
from app.sources.numbering import Sequence
from app.sources.pnm import pixels_of as pnm_pixels
from app.sources.pnm import size_of as pnm_size
from app.sources.tiff_checks import integrity_of
from app.sources.tiff_picture import file_facts, file_rate, file_words, open_tiff, page_at, picture_of, pixels_of
from app.sources.values import white_sentence
from kernels.errors import BadFrame, ExprError, SourceError
from kernels.ir.image import DType, ImageType, dtype_of
from kernels.opencv import cv2
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

_PNG, _JPEG = b"\x89PNG", b"\xff\xd8\xff"
_CV_COLOR = {1: "mono", 3: "bgr", 4: "bgra"}


@dataclass(frozen=True, slots=True)
class _Picture:
    """One decoded file.

    Args:
        pixels: as they are stored.
        form: how they spell the picture.
        dtype: their type.
        bits: significant bits of the stored values; 0 where the type says it.
        warnings: sentences about the file, of which the first file's are the clip's.
        facts: what it says of its camera.
        time: the rate that it names; None for none.
    """

    pixels: Pixels
    form: PixelFormat
    dtype: DType
    bits: int
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    time: TimeBase | None = None

    @property
    def kind(self) -> tuple[object, ...]:
        """What all files of a sequence share."""
        return self.pixels.shape, self.dtype, self.form.color, self.form.shift, self.form.lut


class ImagesSource(ClipSource):
    """A sequence of image files.

    Args:
        files: in order; or one file alone.

    Raises:
        SourceError: the first file cannot be decoded.
    """

    def __init__(self, files: Sequence | Path) -> None:
        sequence = files if isinstance(files, Sequence) else Sequence(files.name, (files,))
        self._files = sequence.files
        first = _load(self._files[0])
        height, width, channels = (*first.pixels.shape, 1)[:3]
        image = ImageType(first.dtype, height, width, channels, first.bits)
        self._kind, self._color = first.kind, first.form.color
        warnings = [*sequence.warnings, *filter(None, first.warnings)]
        stats = [p.stat() for p in self._files]
        sizes = [s.st_size for s in stats]
        if empty := sizes.count(0):
            warnings.append(f"{empty} of {plural(len(sizes), 'file')} hold nothing (0 bytes) and cannot be read")
        newest = max(s.st_mtime_ns for s in stats)
        super().__init__(
            SourceInfo(
                sequence.name, "images", width, height, len(self._files), image, first.form,
                _time_base(sequence, first.time), first_number=sequence.numbers[0] if sequence.numbers else 0,
                declared_frames=len(self._files), warnings=tuple(warnings),
                metadata={**_metadata(sequence), **first.facts},
                identity={"path": str(self._files[0].resolve()), "bytes": sum(sizes), "mtime_ns": newest},
            )
        )  # fmt: skip

    def _frame(self, index: int) -> Pixels:
        image = self._info.image
        try:
            picture = _load(self._files[index], index)
        except SourceError as error:
            raise BadFrame(index, str(error)) from None
        if picture.kind != self._kind:
            height, width = picture.pixels.shape[:2]
            raise BadFrame(
                index,
                f"{self._files[index].name} is {width} x {height} {picture.form.color} {picture.dtype}, "
                f"the first file is {image.width} x {image.height} {self._color} {image.dtype}",
            )
        return picture.pixels

    @property
    def integrity(self) -> Integrity:
        first = self._files[0]
        head = read_head(first, 16)
        if TIFF.sniff(head):
            tiff, directories = open_tiff(first)
            try:
                return integrity_of(page_at(tiff, directories.chain().frames[0]))
            finally:
                tiff.close()
                directories.close()
        if head.startswith(_PNG):
            return Integrity.SUMS
        return Integrity.PLAIN if head.startswith((b"BM", b"P")) else Integrity.PACKED

    def examine(self, tell: Tell) -> Examined:
        found: Examined = examining("pictures").look_at_jpegs((_data_of(path) for path in self._files), tell)
        return found

    def close(self) -> None:
        """Nothing stays open between frames."""


def _time_base(sequence: Sequence, named: TimeBase | None) -> TimeBase:
    """The rate that the first file names, if any; where numbers are missing, the time of a frame counts the missing
    ones."""
    numbers = np.asarray(sequence.numbers, np.float64)
    stamps = None
    if len(numbers) > 2:
        steps = np.diff(numbers)
        values, counts = np.unique(steps, return_counts=True)
        # The most frequent step of the numbers is one frame.
        if len(values) > 1:
            stamps = (numbers - numbers[0]) / values[np.argmax(counts)]
    time = named or TimeBase(float("nan"), "unknown", NO_RATE)
    if stamps is None:
        return time
    note = f"{time.note}; gaps in the numbering count as missing frames"
    return replace(time, note=note, stamps=stamps if named is None else stamps / time.fps)


def _metadata(sequence: Sequence) -> Mapping[str, Any]:
    return {"first_file": sequence.files[0].name, "last_file": sequence.files[-1].name}


def _data_of(path: Path) -> bytes:
    """A JPEG file; b"" for others, and for what cannot be read."""
    try:
        return path.read_bytes() if read_head(path, 3) == _JPEG else b""
    except (OSError, SourceError):
        return b""


def _load(path: Path, index: int = 0) -> _Picture:
    """Decode one file, frame `index` of the clip, without changing its values.

    Raises:
        SourceError: the file cannot be decoded or is no picture that fusetrack handles.
    """
    size = check_file(path)
    # By its first bytes, not its name.
    if TIFF.sniff(read_head(path, 16)):
        return _load_tiff(path, index, size)
    try:
        data = path.read_bytes()
    except (OSError, MemoryError) as error:
        raise SourceError(f"{path} cannot be read: {reason_of(error)}") from None
    if head := pnm_size(data):
        width, height, channels, largest, _ = head
        check_picture(path, width, height, width * height * channels * (1 if largest < 256 else 2))
        try:
            pixels, bits = pnm_pixels(data)
        except (ValueError, MemoryError) as error:
            raise SourceError(f"{path} cannot be decoded: {reason_of(error)}") from None
        form = PixelFormat({1: "mono", 3: "rgb"}.get(channels, "rgba"), bits)
        kind = dtype_of(pixels.dtype)
        return _Picture(pixels, form, kind, bits if kind.kind == "u" else 0)
    marks = marks_of(data)
    if marks.flaw:
        raise SourceError(f"{path} cannot be decoded: {marks.flaw}")
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except (cv2.error, MemoryError) as error:
        raise SourceError(f"{path} cannot be decoded: {reason_of(error)}") from None
    if decoded is None:
        raise SourceError(f"{path} cannot be decoded: it is damaged or no image")
    channels = 1 if decoded.ndim == 2 else decoded.shape[2]
    if channels not in _CV_COLOR:
        raise SourceError(f"{path} has {channels} channels a pixel; 1, 3 or 4 are supported")
    try:
        kind = dtype_of(decoded.dtype)
    except ExprError as error:
        raise SourceError(f"{path} cannot be used: {error}") from None
    check_picture(path, decoded.shape[1], decoded.shape[0], decoded.nbytes)
    form = _significant(decoded, marks, PixelFormat(_CV_COLOR[channels], kind.bits))
    time = None
    if marks.fps:
        time = TimeBase(marks.fps, "header", f"{describe_rate(marks.fps)}, the capture rate that the file names")
    bits = form.bits + form.shift if kind.kind == "u" else 0
    words = orientation_sentence(marks.orientation), many_sentence(path, marks.pictures)
    return _Picture(decoded, form, kind, bits, words, {}, time)


def _load_tiff(path: Path, index: int, size: int) -> _Picture:
    tiff, directories = open_tiff(path)
    try:
        chain = directories.chain()
        if not chain.frames:
            raise ValueError("it has no page")
        page = page_at(tiff, chain.frames[0])
        picture = picture_of(path, page, size)
        warnings = [*file_words(tiff), *picture.warnings, white_sentence(picture.kind), *chain.warnings]
        if len(chain.frames) > 1:
            warnings.append(
                f"{path.name} holds {len(chain.frames)} pages; in a sequence only the first of each file is used"
            )
        pixels = pixels_of(index, page, picture)
        facts = file_facts(tiff, page)
        return _Picture(pixels, picture.form, picture.kind, picture.bits, tuple(warnings), facts, file_rate(tiff))
    except BadFrame as error:
        raise SourceError(f"{path} cannot be used: {error.reason}") from None
    except SourceError:
        raise
    except Exception as error:  # a damaged TIFF may raise anything that its decoder raises
        raise SourceError(f"{path} cannot be decoded: {reason_of(error)}") from None
    finally:
        tiff.close()
        directories.close()


def _significant(pixels: Pixels, marks: Marks, form: PixelFormat) -> PixelFormat:
    """The format where a PNG names fewer bits than it stores: by its rules they are spread over all of them, by zeros
    below or by the top bits once more; some programs leave them as they were.
    """
    bits, spread = marks.significant, form.bits - marks.significant
    if not 0 < bits < form.bits or pixels.dtype.kind != "u" or pixels.ndim != 2:
        return form
    below = pixels & ((1 << spread) - 1)
    # Left-aligned values that repeat their top bits below, as PNG recommends.
    again = (pixels >> max(bits - spread, 0) >> spread) << max(spread - bits, 0)
    if not below.any() or (bits >= spread and np.array_equal(below, again)):
        return replace(form, bits=bits, shift=spread)
    return replace(form, bits=bits) if int(pixels.max()) < 1 << bits else form
