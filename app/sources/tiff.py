"""TIFF stacks (multi-page, BigTIFF, ImageJ), read page by page; every compression that imagecodecs knows."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.sources.array import NO_RATE
from app.sources.base import ClipSource, check_file, identity_of, reason_of
from app.sources.integrity import Examined, Integrity, Tell, examining
from app.sources.own import bits_of, color_of, read_json, tiff_times
from app.sources.tiff_checks import integrity_of, is_lzw
from app.sources.tiff_description import Description, describe
from app.sources.tiff_pages import PlainPages
from app.sources.tiff_picture import (
    file_facts,
    file_rate,
    file_words,
    open_tiff,
    page_at,
    picture_of,
    pixels_of,
)
from app.sources.values import white_sentence
from kernels.errors import BadFrame, SourceError
from kernels.ir.image import ImageType
from pipelines.frame import Pixels, SourceInfo, TimeBase

# Defects are reported by our own sentences.
logging.getLogger("tifffile").setLevel(logging.CRITICAL)


class TiffSource(ClipSource):
    """A TIFF file of one or many pages of the same size.

    Args:
        path: the file.

    Raises:
        SourceError: damaged, no page, or a kind of page that is no picture.
    """

    def __init__(self, path: Path) -> None:
        size = check_file(path)
        self._stack = False  # whether pictures follow one page
        self._plain: PlainPages | None = None
        self._tiff, self._directories = open_tiff(path)
        try:
            self._mapped = self._directories.file
            self._open(path, size)
        except BadFrame as error:
            self.close()
            raise SourceError(f"{path} cannot be used: {error.reason}") from None
        except SourceError:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise SourceError(f"{path} is damaged: {reason_of(error)}") from None

    def _open(self, path: Path, size: int) -> None:
        chain = self._directories.chain()
        self._places = chain.frames
        if not self._places:
            raise SourceError(f"{path} holds no frames: it has no page")
        page = page_at(self._tiff, self._places[0])
        self._picture = picture = picture_of(path, page, size)
        said = describe(self._tiff, page)
        about, form = said.about, picture.form
        facts = read_json(about.get("Info") or about.get("about"))
        bits = bits_of(facts, picture.bits) if picture.bits else 0
        image = ImageType(picture.kind, picture.height, picture.width, picture.channels, bits)
        warnings = [*file_words(self._tiff), *picture.warnings, white_sentence(picture.kind), *chain.warnings]
        if said.channels > 1 or said.slices > 1:
            warnings.append(said.check(path))
        frames = len(self._places)
        declared = max(frames, said.pages)
        # One page alone: the others may follow it as raw data without directories of their own.
        if frames == 1:
            frames = self._hidden_stack(page, image, size, said)
        else:
            self._plain = PlainPages.of(page, self._directories, self._places, image)
        if frames < declared:
            warnings.append(f"the file is cut short: {frames} of {declared} frames are there")
        elif chain.cut:
            there = "1 frame is" if frames == 1 else f"{frames} frames are"
            warnings.append(f"the file is cut short: {there} there, and it names more")
        if not form.lut and bits:
            form = replace(form, bits=bits, color=color_of(facts, form.color))
        super().__init__(
            SourceInfo(
                path.name, "tiff", image.width, image.height, frames, image, form,
                tiff_times(about, frames) or file_rate(self._tiff) or TimeBase(float("nan"), "unknown", NO_RATE),
                declared_frames=declared, warnings=tuple(filter(None, warnings)),
                metadata=file_facts(self._tiff, page), identity=identity_of(path),
            )
        )  # fmt: skip
        if page.dtype != image.dtype.numpy and image.dtype.kind == "i":  # values that may not fit
            self._decoded(0)

    def _hidden_stack(self, page: Any, image: ImageType, size: int, said: Description) -> int:
        """Frames of a file with one page. ImageJ writes stacks beyond 4 GiB as one page followed by raw pictures, and
        tifffile writes all other pages behind the pictures, where a cut takes them away."""
        raw = int(page.compression) == 1 and page.is_contiguous and image.channels == 1
        if said.pages <= 1 or not raw or page.dtype != image.dtype.numpy or self._picture.box is not None:
            return 1
        self._start = int(page.dataoffsets[0])
        self._stack = True
        return max(1, min(said.pages, (size - self._start) // image.nbytes))

    def _frame(self, index: int) -> Pixels:
        image = self._info.image
        if self._stack:
            size = image.dtype.itemsize
            dtype = image.dtype.numpy.newbyteorder("<" if self._directories.order == "<" else ">")
            start = self._start + index * image.nbytes
            pixels = self._directories.file.view(index, start, image.shape, dtype, (image.width * size, size))
            return pixels.astype(image.dtype.numpy, copy=False)
        plain = None if self._plain is None else self._plain.read(index)
        if plain is not None:
            return plain.astype(image.dtype.numpy, copy=False)
        return self._decoded(index)

    def _decoded(self, index: int) -> Pixels:
        """A frame by tifffile."""
        try:
            page = page_at(self._tiff, self._places[index])
            picture = picture_of(Path(self._info.name), page, 0)
            if not picture.like(self._picture):
                raise BadFrame(index, f"the page is {picture}, the first is {self._picture}")
            if picture.short and not self._picture.short:
                raise BadFrame(index, "its data are damaged: they are fewer bytes than its pixels take")
            return pixels_of(index, page, picture)
        except BadFrame:
            raise
        except Exception as error:  # a damaged page may raise anything that its decoder raises
            raise BadFrame(index, f"the page cannot be decoded ({reason_of(error)})") from None

    @property
    def integrity(self) -> Integrity:
        return integrity_of(page_at(self._tiff, self._places[0]))

    def examine(self, tell: Tell) -> Examined:
        if not is_lzw(page_at(self._tiff, self._places[0])):
            return Examined()
        pages = (lambda place=place: page_at(self._tiff, place) for place in self._places)
        found: Examined = examining("pictures").look_at_lzw(pages, tell)
        return found

    def close(self) -> None:
        self._tiff.close()
        self._directories.close()
