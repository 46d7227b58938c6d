"""Image sequences: one file a frame (TIFF, PNG, BMP, JPEG, PGM ...), in natural order of their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tifffile

from app.sources.array import NO_RATE
from app.sources.base import ClipSource, check_file, check_picture, plural, read_head, reason_of
from app.sources.formats import TIFF
from app.sources.numbering import Sequence
from app.sources.tiff import page_pixels, page_type
from kernels.errors import BadFrame, ExprError, SourceError
from kernels.host.opencv import cv2
from kernels.ir.image import DType, ImageType, dtype_of
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

_CV_COLOR = {1: "mono", 3: "bgr", 4: "bgra"}


@dataclass(frozen=True, slots=True)
class _Picture:
    pixels: Pixels
    color: str
    dtype: DType
    channels: int
    bits: int
    pages: int = 1


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
        height, width = first.pixels.shape[:2]
        image = ImageType(first.dtype, height, width, first.channels, first.bits)
        self._color = first.color
        warnings = list(sequence.warnings)
        if first.pages > 1:
            warnings.append(
                f"{self._files[0].name} holds {first.pages} pages; in a sequence only the first of each file is used"
            )
        stats = [p.stat() for p in self._files]
        sizes = [s.st_size for s in stats]
        if empty := sizes.count(0):
            warnings.append(f"{empty} of {plural(len(sizes), 'file')} hold nothing (0 bytes) and cannot be read")
        newest = max(s.st_mtime_ns for s in stats)
        super().__init__(
            SourceInfo(
                sequence.name, "images", width, height, len(self._files), image, PixelFormat(first.color, first.bits),
                _time_base(sequence), first_number=sequence.numbers[0] if sequence.numbers else 0,
                declared_frames=len(self._files), warnings=tuple(warnings), metadata=_metadata(sequence),
                identity={"path": str(self._files[0].resolve()), "bytes": sum(sizes), "mtime_ns": newest},
            )
        )  # fmt: skip

    def _frame(self, index: int) -> Pixels:
        image = self._info.image
        try:
            picture = _load(self._files[index])
        except SourceError as error:
            raise BadFrame(index, str(error)) from None
        if picture.pixels.shape != image.shape or picture.dtype != image.dtype or picture.color != self._color:
            height, width = picture.pixels.shape[:2]
            raise BadFrame(
                index,
                f"{self._files[index].name} is {width} x {height} {picture.color} {picture.dtype}, "
                f"the first file is {image.width} x {image.height} {self._color} {image.dtype}",
            )
        return picture.pixels

    def close(self) -> None:
        """Nothing stays open between frames."""


def _time_base(sequence: Sequence) -> TimeBase:
    """No rate; where numbers are missing, the time of a frame counts the missing ones."""
    numbers = np.asarray(sequence.numbers, np.float64)
    stamps = None
    if len(numbers) > 2:
        steps = np.diff(numbers)
        values, counts = np.unique(steps, return_counts=True)
        if len(values) > 1:
            stamps = (numbers - numbers[0]) / values[np.argmax(counts)]
    note = NO_RATE if stamps is None else f"{NO_RATE}; gaps in the numbering count as missing frames"
    return TimeBase(float("nan"), "unknown", note, stamps)


def _metadata(sequence: Sequence) -> Mapping[str, Any]:
    return {"first_file": sequence.files[0].name, "last_file": sequence.files[-1].name}


def _load(path: Path) -> _Picture:
    """Decode one file without changing its values.

    Raises:
        SourceError: the file cannot be decoded or is no picture that fusetrack handles.
    """
    size = check_file(path)
    if TIFF.sniff(read_head(path, 16)):
        try:
            with tifffile.TiffFile(path) as tiff:
                page = tiff.pages[0]
                kind, _, _, channels, color = page_type(path, page, size)
                bits = int(page.bitspersample) if kind.kind == "u" and int(page.photometric) != 3 else kind.bits
                return _Picture(page_pixels(page), color, kind, channels, bits, len(tiff.pages))
        except SourceError:
            raise
        except Exception as error:  # a damaged TIFF may raise anything that its decoder raises
            raise SourceError(f"{path} cannot be decoded: {reason_of(error)}") from None
    try:
        pixels = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_UNCHANGED)
    except (cv2.error, OSError, MemoryError) as error:
        raise SourceError(f"{path} cannot be decoded: {reason_of(error)}") from None
    if pixels is None:
        raise SourceError(f"{path} cannot be decoded: it is damaged or no image")
    channels = 1 if pixels.ndim == 2 else pixels.shape[2]
    if channels not in _CV_COLOR:
        raise SourceError(f"{path} has {channels} channels a pixel; 1, 3 or 4 are supported")
    try:
        kind = dtype_of(pixels.dtype)
    except ExprError as error:
        raise SourceError(f"{path} cannot be used: {error}") from None
    check_picture(path, pixels.shape[1], pixels.shape[0], pixels.nbytes)
    return _Picture(pixels, _CV_COLOR[channels], kind, channels, kind.bits)
