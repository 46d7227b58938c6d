"""TIFF stacks (multi-page, BigTIFF, ImageJ), read page by page; every compression that imagecodecs knows."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import tifffile

from app.sources.array import NO_RATE
from app.sources.base import (
    ClipSource,
    MappedFile,
    check_file,
    check_picture,
    identity_of,
    reason_of,
)
from app.sources.own import bits_of, read_json, tiff_times
from app.sources.tiff_description import Description, describe, more_pages_follow
from app.sources.tiff_pages import PlainPages
from kernels.errors import BadFrame, ExprError, SourceError
from kernels.ir.image import DType, ImageType, dtype_of
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

# Defects are reported by our own sentences.
logging.getLogger("tifffile").setLevel(logging.CRITICAL)

_MAX_RATIO = 4000
"""Most bytes of picture that one byte of a file is believed to hold (blank LZW pictures reach 1500)."""
_COLOR = {1: "mono", 3: "rgb", 4: "rgba"}


class TiffSource(ClipSource):
    """A TIFF file of one or many pages of the same size.

    Args:
        path: the file.

    Raises:
        SourceError: damaged, no page, or a kind of page that is no picture.
    """

    def __init__(self, path: Path) -> None:
        size = check_file(path)
        self._stack: MappedFile | None = None
        self._plain: PlainPages | None = None
        try:
            self._tiff = tifffile.TiffFile(path)
        except Exception as error:  # tifffile lets struct, index and value errors of damaged files through
            raise SourceError(f"{path} cannot be read as TIFF: {reason_of(error)}") from None
        try:
            self._open(path, size)
        except SourceError:
            self._tiff.close()
            raise
        except Exception as error:
            self._tiff.close()
            raise SourceError(f"{path} is damaged: {reason_of(error)}") from None

    def _open(self, path: Path, size: int) -> None:
        pages = len(self._tiff.pages)
        if not pages:
            raise SourceError(f"{path} holds no frames: it has no page")
        page = self._tiff.pages[0]
        kind, height, width, channels, color = page_type(path, page, size)
        said = describe(self._tiff)
        about = said.about
        bits = bits_of(read_json(about.get("Info") or about.get("about")), int(page.bitspersample))
        image = ImageType(kind, height, width, channels, bits if kind.kind == "u" else 0)
        warnings = [said.check(path)] if said.channels > 1 or said.slices > 1 else []
        if int(page.photometric) == 0:
            warnings.append("the file says that 0 is white; the values are delivered as they are stored")
        frames, declared = pages, max(pages, said.pages)
        if pages == 1:
            frames = self._hidden_stack(path, page, image, size, said)
        else:
            self._plain = PlainPages.of(path, self._tiff, image)
            self._mapped = None if self._plain is None else self._plain.file
        if frames < declared:
            warnings.append(f"the file is cut short: {frames} of {declared} frames are there")
        elif more_pages_follow(self._tiff, size):
            there = "1 frame is" if frames == 1 else f"{frames} frames are"
            warnings.append(f"the file is cut short: {there} there, and it names more")
        super().__init__(
            SourceInfo(
                path.name, "tiff", width, height, frames, image, PixelFormat(color, image.bits or kind.bits),
                tiff_times(about, frames) or TimeBase(float("nan"), "unknown", NO_RATE),
                declared_frames=declared, warnings=tuple(filter(None, warnings)),
                metadata=_metadata(page), identity=identity_of(path),
            )
        )  # fmt: skip

    def _hidden_stack(self, path: Path, page: Any, image: ImageType, size: int, said: Description) -> int:
        """Frames of a file with one page. ImageJ writes stacks beyond 4 GiB as one page followed by raw pictures, and
        tifffile writes all other pages behind the pictures, where a cut takes them away."""
        raw = int(page.compression) == 1 and page.is_contiguous and image.channels == 1
        if said.pages <= 1 or not raw:
            return 1
        self._start = int(page.dataoffsets[0])
        self._stack = self._mapped = MappedFile(path)
        self._byteorder = self._tiff.byteorder
        return max(1, min(said.pages, (size - self._start) // image.nbytes))

    def _frame(self, index: int) -> Pixels:
        image = self._info.image
        if self._stack is not None:
            size = image.dtype.itemsize
            dtype = image.dtype.numpy.newbyteorder(self._byteorder)
            start = self._start + index * image.nbytes
            pixels = self._stack.view(index, start, image.shape, dtype, (image.width * size, size))
            return pixels.astype(image.dtype.numpy, copy=False)
        plain = None if self._plain is None else self._plain.read(index)
        if plain is not None:
            return plain.astype(image.dtype.numpy, copy=False)
        try:
            page = self._tiff.pages[index]
            kind, height, width, channels, _ = page_type(Path(self._info.name), page, 0)
            if (kind, height, width, channels) != (image.dtype, image.height, image.width, image.channels):
                raise BadFrame(index, f"the page is {width} x {height} {kind}, the first is {image}")
            return page_pixels(page)
        except BadFrame:
            raise
        except Exception as error:  # a damaged page may raise anything that its decoder raises
            raise BadFrame(index, f"the page cannot be decoded ({reason_of(error)})") from None

    def close(self) -> None:
        self._tiff.close()
        for mapped in (self._stack, self._plain):
            if mapped is not None:
                mapped.close()


def page_type(path: Path, page: Any, file_bytes: int) -> tuple[DType, int, int, int, str]:
    """Type, height, width, channels and colour of a page, before anything is decoded.

    Args:
        path: for the sentence.
        page: a tifffile page.
        file_bytes: size of the file, to disbelieve sizes that it cannot hold; 0 for no check.

    Raises:
        SourceError: no picture, or of a size that cannot be.
    """
    height, width, channels = int(page.imagelength), int(page.imagewidth), int(page.samplesperpixel)
    if page.dtype is None or int(page.imagedepth) != 1:
        raise SourceError(f"{path} has a page that is no picture ({page.bitspersample} bits a sample)")
    try:
        kind = dtype_of(page.dtype)
    except ExprError as error:
        raise SourceError(f"{path} cannot be used: {error}") from None
    if channels not in _COLOR:
        raise SourceError(f"{path} has {channels} channels a pixel; 1 (gray), 3 (RGB) or 4 (RGBA) are supported")
    check_picture(path, width, height, width * height * channels * kind.itemsize)
    if file_bytes and width * height * channels * kind.itemsize > _MAX_RATIO * file_bytes:
        raise SourceError(f"{path} says it is {width} x {height}, far more than its {file_bytes} bytes can hold")
    if int(page.photometric) == 3:  # palette
        return dtype_of(np.uint8), height, width, 3, "rgb"
    return kind, height, width, channels, _COLOR[channels]


def page_pixels(page: Any) -> Pixels:
    """The pixels of a page, (height, width) or (height, width, channels), palettes looked up."""
    pixels = page.asarray(maxworkers=1)
    if int(page.photometric) == 3:
        return np.ascontiguousarray((page.colormap[:, pixels] >> 8).astype(np.uint8).transpose(1, 2, 0))
    if int(page.samplesperpixel) > 1 and int(page.planarconfig) == 2:
        return np.ascontiguousarray(np.moveaxis(pixels, 0, -1))
    return np.asarray(pixels)


def _metadata(page: Any) -> dict[str, Any]:
    """Compression and the description's first line."""
    data: dict[str, Any] = {"compression": str(getattr(page.compression, "name", page.compression))}
    lines = str(page.description or "").splitlines()
    if lines:
        data["description"] = lines[0][:200]
    return data
