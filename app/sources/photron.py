"""Photron's headers beside what its software writes: NAME.cih is of NAME.mraw, NAME.avi or NAME000001.tif and on."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.sources.base import ClipSource, frame_numbers, plural
from app.sources.formats import ENDINGS, HEADERS, MRAW, PICTURES
from app.sources.mraw_header import MrawHeader, color_of, metadata, read_mraw_header, time_base
from app.sources.numbering import first_of, natural_key, number_of
from kernels.errors import BadFrame, SourceError
from kernels.ir.image import U16
from pipelines.frame import SourceInfo, TimeBase

_NUMBERED = re.compile(r"[-_ ]?\d+")
_SAME = {"jpeg": "jpg", "tiff": "tif", "mraw": "mra", "raw": "mra"}
"""How the header calls what files are called otherwise."""


def clip_of(header: Path) -> Path:
    """The clip that a header describes: of the kind that it names if there is one, else what is called as it is.

    Raises:
        SourceError: there is none, or the header cannot be read.
    """
    found = [file for file in sorted(header.parent.iterdir(), key=lambda file: natural_key(file.name))
             if _belongs(file, header)]  # fmt: skip
    if not found:
        kind = read_mraw_header(header).text("format")[:20] or MRAW.extensions[0]
        raise SourceError(f"{header} lacks the file with its pixels: put {header.stem}{MRAW.extensions[0]}, or what it "
                          f"describes ({kind}), into the same folder")  # fmt: skip
    if len({file.suffix.lower() for file in found}) == 1:
        return found[0]
    kind = _kind(read_mraw_header(header).text("format") or MRAW.extensions[0])
    return next((file for file in found if _kind(file.suffix) == kind), found[0])


def header_of(clip: Path) -> Path | None:
    """The header beside a clip, or beside the first of numbered pictures; None where there is none."""
    if not clip.parent.is_dir():
        return None
    names = sorted(name for name in os.listdir(clip.parent) if name.lower().endswith(HEADERS))  # of very many files
    found = [file for name in names if _belongs(clip, file := clip.with_name(name))]
    # Of several headers that fit, the one with the longest name.
    return max(found, key=lambda file: (len(file.stem), -HEADERS.index(file.suffix.lower())), default=None)


def _belongs(clip: Path, header: Path) -> bool:
    """Whether a file is called as the clip of a header is."""
    ending, stem, name = clip.suffix.lower(), clip.stem.casefold(), header.stem.casefold()
    if ending in HEADERS or ending not in ENDINGS or not clip.is_file() or not stem.startswith(name):
        return False
    return stem == name or (ending in PICTURES and _NUMBERED.fullmatch(stem[len(name) :]) is not None)


def _kind(word: str) -> str:
    plain = word.strip(" .").lower()
    return _SAME.get(plain, plain[:3])


def describe(source: ClipSource, clip: Path) -> None:
    """Take rate, trigger, bits and camera from the header beside a clip, if there is one that fits.

    Args:
        source: the clip as it was opened.
        clip: its file, or the first of its files.
    """
    info = source.info
    path = None if info.kind == MRAW.kind else header_of(clip)
    if path is None:
        return
    try:
        header = read_mraw_header(path)
    except SourceError as error:
        source.warn(f"{path.name} beside it is not used: {error}")
        return
    size = header.number("width"), header.number("height")
    skipped = number_of(clip) - number_of(first_of(clip)) if clip.stem.casefold() != path.stem.casefold() else 0
    total = header.number("frames")
    # NaN is unequal to itself: what the header does not say is not compared.
    if any(said == said and said != there for said, there in zip(size, (info.width, info.height), strict=True)):
        source.warn(f"{path.name} beside it is of pictures of {size[0]:g} x {size[1]:g} and is not used")
        return
    if total == total and info.frames + skipped > total:
        there = info.frames + skipped
        source.warn(f"{path.name} beside it is of {plural(int(total), 'frame')}, not of {there}, and is not used")
        return
    source.from_trigger = True
    source.replace_info(_with_header(info, header, skipped, _fits(source, header)))


def _fits(source: ClipSource, header: MrawHeader) -> bool:
    """Whether values of the first frame fit into the bits that the header names, where these are the lower ones."""
    depth = header.number("depth")
    if not 8 <= depth < 16 or source.info.image.dtype != U16:
        return False
    try:
        first = source.read(0)
    except BadFrame:
        return False
    if header.text("side").lower() == "higher":
        return not (first & ((1 << (16 - int(depth))) - 1)).any()
    return int(first.max()) < 1 << int(depth)


def _with_header(info: SourceInfo, header: MrawHeader, skipped: int, fits: bool) -> SourceInfo:
    """What is known of a clip with what its header says."""
    warnings: list[str] = []
    start, step = header.number("start"), header.number("step")
    first = (int(start) if start == start else 0) + skipped * (int(step) if step >= 1 else 1)
    time = time_base(header, first, warnings)
    if time.fps > 0:
        note = f"{time.note} ({header.path.name} beside it)"
        old = info.time
        numbers = old.stamps if old.stamps is None or old.origin == "unknown" else frame_numbers(old.stamps)
        gaps = numbers is not None and len(numbers) > 0 and round(float(numbers[-1])) + 1 > len(numbers)
        stamps = time.begin + np.asarray(numbers, np.float64) / time.fps if gaps else None
        time = TimeBase(time.fps, time.origin, note, stamps, time.begin)
    else:
        time = info.time
    total = header.number("frames")
    declared = int(total) - skipped if total == total else info.declared_frames
    if declared > info.frames and info.declared_frames <= info.frames:
        warnings.append(f"{header.path.name} promises {declared} frames, {info.frames} are there")
    image, pixels = info.image, info.format
    if fits:
        depth = int(header.number("depth"))
        shift = 16 - depth if header.text("side").lower() == "higher" else 0
        image, pixels = replace(image, bits=16 if shift else depth), replace(pixels, bits=depth, shift=shift)
    if image.channels == 1 and pixels.color == "mono":
        pixels = replace(pixels, color=color_of(header, 1, warnings))
    return replace(
        info, time=time, image=image, format=pixels, first_number=first, declared_frames=max(declared, info.frames),
        warnings=(*info.warnings, *warnings), metadata={**info.metadata, **metadata(header)},
        identity={**info.identity, "header": str(header.path.resolve())},
    )  # fmt: skip
