"""Opens any clip: by what the file holds first, by what it is called second."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

from app.sources.base import ClipSource, check_file, missing_sentence, read_head, reason_of
from app.sources.formats import FORMATS, IMAGES, MRAW, TIFF, VIDEO, open_images
from app.sources.numbering import is_pattern, match_folder, match_numbered, match_pattern
from app.sources.own import attach_times
from app.sources.simulated.source import open_scene
from kernels.errors import SourceError
from pipelines.frame import FrameSource

_IMAGE_HEADS = {
    b"\x89PNG\r\n\x1a\n": ".png", b"\xff\xd8\xff": ".jpg", b"BM": ".bmp", b"P5": ".pgm", b"P2": ".pgm", b"P6": ".ppm",
    b"P3": ".ppm", b"P1": ".pbm", b"P4": ".pbm",
    b"\0\0\0\x0cjP  ": ".jp2", b"\x76\x2f\x31\x01": ".exr",
}  # fmt: skip


def open_source(path: str | Path, *, fps: float | None = None) -> FrameSource:
    """Open a clip.

    Args:
        path: a file, a folder of images, a pattern (shot_*.png, shot_%04d.png, shot_####.png), the first file of
            a numbered sequence, or "sim:NAME" for a rendered scene.
        fps: the capture rate, in place of what the file says.

    Raises:
        SourceError: one sentence that names the file, what is wrong and what to do.
    """
    if fps is not None and not (math.isfinite(fps) and fps > 0):
        raise SourceError(f"the capture rate must be a positive number of frames a second, not {fps}")
    text = str(path)
    if text.startswith("sim:"):
        return open_scene(text, fps=fps)
    if text.startswith("cam:") and not Path(text).exists():
        raise SourceError(
            f"{text} is a camera, and a clip is wanted here; `fusetrack record {text} -o run.mcap` records it, "
            "with --pipeline also its tracks"
        )
    if re.match(r"(?i)(https?|ftp|s3|rtsp)://", text):
        raise SourceError(f"{text} is an address, and a clip is a file; download it first")
    try:
        source = _open(Path(os.path.expanduser(text)))
        attach_times(source, Path(os.path.expanduser(text)))
    except (OSError, ValueError) as error:  # names with a null byte, folders without permission
        raise SourceError(f"{text!r} cannot be opened: {reason_of(error)}") from None
    if fps is not None:
        source.override_rate(fps)
    return source


def _open(path: Path) -> ClipSource:
    if path.is_dir():
        return open_images(match_folder(path, IMAGES))
    if not path.exists():
        if is_pattern(str(path)):
            return open_images(match_pattern(str(path), IMAGES))
        raise SourceError(missing_sentence(path))
    check_file(path)
    return _open_file(path)


def _open_file(path: Path) -> ClipSource:
    head, ending = read_head(path), path.suffix.lower()
    held = next((f for f in FORMATS if f.sniff(head)), None)
    named = next((f for f in FORMATS if ending in f.extensions), None)
    image_ending = next((e for magic, e in _IMAGE_HEADS.items() if head.startswith(magic)), None)
    jpegs = image_ending == ".jpg" and ending in (".mjpeg", ".mjpg")  # one after another
    if held is TIFF:
        source = _open_tiff(path)
    elif held is not None:
        source = held.open(path)
    elif image_ending is not None and named is not MRAW and not jpegs:
        source = open_images(match_numbered(path))
    elif named is MRAW or named is VIDEO:  # the others always begin with their mark
        source = named.open(path)
    elif named is not None:
        raise SourceError(f"{path} is not {named.title}, whatever its name says; its first bytes are {head[:8]!r}")
    elif ending in IMAGES:
        source = open_images(match_numbered(path))
    else:
        raise SourceError(
            f"{path} is no clip that fusetrack knows (cine, mraw, TIFF, NumPy, session, video, images); "
            f"its first bytes are {head[:8]!r}"
        )
    known = (*IMAGES, *(e for f in FORMATS for e in f.extensions))
    expected = (held.extensions or known) if held is not None else IMAGES if image_ending and not jpegs else known
    if ending in known and ending not in expected:
        what = held.title if held is not None else "an image"
        source.warn(f"{path.name} is {what}, not what its ending {ending} says")
    return source


def _open_tiff(path: Path) -> ClipSource:
    """A stack of pages, or the sequence that a single page begins."""
    source = TIFF.open(path)
    if source.info.frames > 1:
        return source
    sequence = match_numbered(path)
    if len(sequence.files) == 1:
        return source
    source.close()
    return open_images(sequence)
