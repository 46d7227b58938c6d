"""Clips with random damage, read in order and at random: `python -m tests.app.sources.mutations 60` prints what became
of every frame of 60 damaged copies of each format; `test_mutations.py` runs a few.

Classes of frames:

    same      the pixels of the undamaged clip at the same time
    refused   BadFrame
    moved     pixels of another frame of the undamaged clip
    wrong     pixels that no frame of the undamaged clip has
    type      another size or type than the undamaged clip's

and of copies: `closed` (SourceError). "moved", "wrong" and "type" count apart where the clip has a warning that the
undamaged one has not ("+"). What must not be: another exception ("error"), a frame that differs when it is read again
("differs"), a copy that takes `SECONDS` of the processor ("slow"), and wrong pixels in formats that could tell
(`CHECKED`). Then it prints what a close look finds (`left`), which takes as long again; not with `--frames-alone`.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import tifffile

from app.sources.opening import open_source
from app.verifying import verify
from kernels.errors import BadFrame, SourceError
from tests.app.sources.tiff_writers import raw_picture, write_dng
from tests.app.sources.writers import moving_square, write_video

FRAMES = 24
SECONDS = 20.0
CHECKED = ("mkv ffv1", "tiff deflate", "tiff tiled")
"""Formats whose pixels have check sums: nothing wrong is served. In the others damage that can be decoded is served."""
SUMMED = ("mkv h264",)
"""Files with check sums over many frames: nothing wrong is served without a sentence."""


def _video(ending: str, codec: str, pixel_format: str, channels: int = 3, **options: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        pictures = moving_square(FRAMES, channels=channels)
        return write_video(folder / f"a.{ending}", pictures, codec, pixel_format, rate=500, **options)

    return make


def _tiff(**options: Any) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        with tifffile.TiffWriter(folder / "a.tif") as writer:
            for page in moving_square(FRAMES, channels=1):
                writer.write(page, photometric="minisblack", contiguous=False, metadata=None, **options)
        return folder / "a.tif"

    return make


def _dng(how: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        smooth = np.add.outer(np.arange(16) * 90, np.arange(32) * 45) + raw_picture(5)
        return write_dng(folder / "a.dng", smooth.astype(np.uint16), 12, how, preview=True)

    return make


MAKERS: dict[str, Callable[[Path], Path]] = {
    "mkv ffv1": _video("mkv", "ffv1", "gray", 1, level="3", slicecrc="1", g="1"),
    "mp4 h264": _video("mp4", "libx264", "yuv420p", g="8", threads="1"),
    "avi mjpeg": _video("avi", "mjpeg", "yuvj420p"),
    "mov h264": _video("mov", "libx264", "yuv420p", g="8", bf="0", threads="1", movflags="faststart"),
    "mkv h264": _video("mkv", "libx264", "yuv420p", g="8", threads="1"),
    "mp4 hevc": _video("mp4", "libx265", "yuv420p", g="8", **{"x265-params": "log-level=none"}),
    "flv h263": _video("flv", "flv", "yuv420p", g="8"),
    "tiff plain": _tiff(),
    "tiff lzw": _tiff(compression="lzw"),
    "tiff deflate": _tiff(compression="zlib"),
    "tiff tiled": _tiff(tile=(16, 16), compression="zlib"),
    "dng packed": _dng("packed"),
    "dng ljpeg": _dng("ljpeg"),
}


def damaged(data: bytes, rng: Any) -> bytes:
    """A copy with flipped bits, overwritten bytes, a cut, or bytes more."""
    copy, kind = bytearray(data), int(rng.integers(0, 5))
    at = int(rng.integers(0, len(copy)))
    if kind == 0:
        for place in rng.integers(0, len(copy), int(rng.integers(1, 9))):
            copy[place] ^= 1 << int(rng.integers(0, 8))
    elif kind == 1:
        copy[at : at + 16] = rng.bytes(len(copy[at : at + 16]))
    elif kind == 2:
        return bytes(copy[:at])
    elif kind == 3:
        copy[at:at] = rng.bytes(int(rng.integers(1, 40)))
    else:
        del copy[at : at + int(rng.integers(1, 40))]
    return bytes(copy)


Clip = tuple[dict[float, Any], list[Any], tuple[str, ...]]


def whole(path: Path) -> Clip:
    """Frames of the undamaged clip by their time in frames, and in order; its warnings."""
    with closing(open_source(path)) as source:
        frames = [source.read(k).copy() for k in range(source.info.frames)]
        return {_moment(source, k): frame for k, frame in enumerate(frames)}, frames, source.info.warnings


def _moment(source: Any, index: int) -> float:
    time_base = source.info.time
    return round(time_base.time(index) * (500 if time_base.fps > 0 else 1), 2)


def outcomes(path: Path, clip: Clip, rng: Any) -> Iterator[str]:
    """The class of each frame of a damaged copy, or of the copy."""
    by_time, frames, known = clip
    try:
        source = open_source(path)
    except SourceError:
        yield "closed"
        return
    with closing(source):
        said = "+" if set(source.info.warnings) - set(known) else ""
        count = min(source.info.frames, 2 * FRAMES)
        first = [_read(source, k) for k in range(count)]
        for k in rng.permutation(count)[:8]:
            again = _read(source, int(k))
            if (again is None) != (first[k] is None) or (again is not None and not np.array_equal(again, first[k])):
                yield "differs"
        for k, pixels in enumerate(first):
            right = by_time.get(_moment(source, k))
            if pixels is None:
                yield "refused"
            elif (pixels.shape, pixels.dtype) != (frames[0].shape, frames[0].dtype):
                yield "type" + said
            elif right is not None and np.array_equal(pixels, right):
                yield "same"
            else:
                yield ("moved" if any(np.array_equal(pixels, one) for one in frames) else "wrong") + said


def _read(source: Any, index: int) -> Any:
    try:
        return source.read(index).copy()
    except BadFrame:
        return None


def tried(name: str, cases: int, folder: Path, seed: int = 0) -> dict[str, int]:
    """Classes of the frames of so many damaged copies of one format, and how many copies had each ("copies: ...")."""
    path = MAKERS[name](folder)
    data, clip = path.read_bytes(), whole(path)
    found: Counter[str] = Counter()
    for case in range(cases):
        rng = np.random.default_rng([seed, sorted(MAKERS).index(name), case])
        path.write_bytes(damaged(data, rng))
        begin = time.process_time()
        try:
            seen = list(outcomes(path, clip, rng))
        except Exception:
            traceback.print_exc()
            seen = ["error"]
        if time.process_time() - begin > SECONDS:
            seen.append("slow")
        for word in set(seen) & {"error", "slow", "differs", "wrong"}:
            print(f"{name} {case}: {word} ({seen.count(word)})", file=sys.stderr)
        found.update(seen)
        found.update(f"copies: {word}" for word in set(seen))
    return dict(found)


def left(name: str, cases: int, folder: Path, seed: int = 0) -> tuple[int, int, int]:
    """Of so many damaged copies of one format: frames that are served wrong without a sentence, those of them that a
    close look does not name either (nor says that the file is damaged), and whole ones that it names."""
    path = MAKERS[name](folder)
    data, (by_time, _, known) = path.read_bytes(), whole(path)
    silent = unnamed = good = 0
    for case in range(cases):
        path.write_bytes(damaged(data, np.random.default_rng([seed, sorted(MAKERS).index(name), case])))
        try:
            source = open_source(path)
        except SourceError:
            continue
        with closing(source):
            said = bool(set(source.info.warnings) - set(known))
            for_time = [by_time.get(_moment(source, k)) for k in range(min(source.info.frames, 2 * FRAMES))]
            served = [_read(source, k) for k in range(len(for_time))]
            verdict = verify(source, quiet=True)
        for k, (pixels, right) in enumerate(zip(served, for_time, strict=True)):
            if pixels is not None and right is not None and np.array_equal(pixels, right):
                good += k in verdict.flaws
            elif pixels is not None and not said:
                silent += 1
                unnamed += k not in verdict.flaws and not verdict.harm
    return silent, unnamed, good


def main(cases: int, look: bool) -> None:
    """Print the classes of all formats as JSON, and, for those who `look`, what a close look finds."""
    table = {}
    for name in MAKERS:
        with tempfile.TemporaryDirectory() as folder:
            table[name] = tried(name, cases, Path(folder))
            if not look:
                continue
            close = ("silent", "silent under --verify", "whole ones named by it")
            table[name] |= dict(zip(close, left(name, cases, Path(folder)), strict=True))
    print(json.dumps(table, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]), "--frames-alone" not in sys.argv[2:])
