"""Opens any clip: by what the file holds first, by what it is called second."""

from __future__ import annotations

import os
import re
from pathlib import Path

from app.files.missing import missing_sentence
from app.path_kinds import NO_CLIPS, what_is
from app.sources.base import ClipSource, check_file, read_head, reason_of
from app.sources.foreign import refusal
from app.sources.formats import (
    ENDINGS,
    FORMATS,
    HEADERS,
    IMAGES,
    MRAW,
    PICTURES,
    SESSION,
    format_of,
    named,
    split,
    stands_for,
)
from app.sources.looking import remarks
from app.sources.numbering import is_pattern, match_folder, match_numbered, match_pattern
from app.sources.own import attach_times
from app.sources.photron import clip_of, describe
from app.sources.reading import AS_STORED, Reading
from kernels.errors import SourceError
from pipelines.frame import FrameSource


def open_source(
    path: str | Path, reading: Reading = AS_STORED, *, fps: float | None = None, bits: int | None = None, turn: int = 0,
    gaps: bool = True,
) -> FrameSource:  # fmt: skip
    """Open a clip.

    Args:
        path: a file, a folder of images, a pattern (shot_*.png, shot_%04d.png, shot_####.png), the first file of
            a numbered sequence, a part of a file ("file.h5:/entry/data"), or "sim:NAME" for a rendered scene.
        reading: how to read it, in place of what the file says.
        fps, bits, turn, gaps: the same one by one (`app.sources.reading.Reading`).

    Raises:
        SourceError: one sentence that names the file, what is wrong and what to do.
    """
    if reading == AS_STORED:
        reading = Reading(fps, bits, turn, gaps)
    text = str(path)
    if text.startswith("sim:"):
        if reading.bits is not None or reading.turn:
            raise SourceError(f"{text} is rendered as it is; --bits and --turn are for clips")
        from app.sources.simulated.source import open_scene  # here: what reads files does not wait for what draws

        return open_scene(text, fps=reading.fps)
    if text.startswith("cam:") and not Path(text).exists():
        raise SourceError(
            f"{text} is a camera, and a clip is wanted here; `fusetrack record {text} -o run.mcap` records it, "
            "with --pipeline also its tracks"
        )
    if re.match(r"(?i)(https?|ftp|s3|rtsp)://", text):
        raise SourceError(f"{text} is an address, and a clip is a file; download it first")
    try:
        text = os.path.expanduser(text)
        file, part = split(text)
        source, first = _open(Path(file), part)
        # What lies beside the clip comes before the rate and bits that the user gives, which replace it.
        describe(source, first)
        attach_times(source, first if Path(file).suffix.lower() in HEADERS else stands_for(text))
    except (OSError, ValueError) as error:  # names with a null byte, folders without permission
        raise SourceError(f"{text!r} cannot be opened: {reason_of(error)}") from None
    try:
        reading.apply(source)
        if source.info.kind not in (SESSION.kind, "simulated"):  # what a session holds was looked at as it was recorded
            source.warn(*remarks(source))
    except BaseException:
        source.close()
        raise
    return source


def _open(path: Path, part: str) -> tuple[ClipSource, Path]:
    """The clip, and the first of its files."""
    if not path.exists() and not is_pattern(str(path)):
        raise SourceError(missing_sentence(path))
    if path.is_dir() and (words := refusal(path, b"")):
        raise SourceError(words)
    if path.is_dir() and (what := what_is(path)).kind in NO_CLIPS:
        raise SourceError(what.wrong("a clip"))
    if path.is_dir() or not path.exists():
        sequence = match_folder(path, PICTURES) if path.is_dir() else match_pattern(str(path), PICTURES)
        return IMAGES.open(sequence), sequence.files[0]
    check_file(path)
    clip = clip_of(path) if path.suffix.lower() in HEADERS else path
    # A recording that is named by one of several headers is told by that one.
    return _open_file(path if clip.suffix.lower() in MRAW.sure else clip, part), clip


def _open_file(path: Path, part: str = "") -> ClipSource:
    head, ending = read_head(path), path.suffix.lower()
    held, called = format_of(head, ending), named(ending)
    if held is None and (words := refusal(path, head)):
        raise SourceError(words)
    form = held or called
    if form is None and (what := what_is(path)).kind in NO_CLIPS:
        raise SourceError(what.wrong("a clip"))
    if form is None:
        known = ", ".join(one.title for one in FORMATS)
        raise SourceError(f"{path} is no clip that fusetrack knows ({known}); its first bytes are {head[:8]!r}")
    if held is None and form.marked:
        raise SourceError(f"{path} is not {form.title}, whatever its name says; its first bytes are {head[:8]!r}")
    if part and not form.parts:
        raise SourceError(f"{path} is {form.title} and has no parts; leave out :{part}")
    source = form.open(path, part)
    if form.numbered and source.info.frames == 1:
        sequence = match_numbered(path)
        if len(sequence.files) > 1:
            source.close()
            source = IMAGES.open(sequence)
    if ending in ENDINGS and form.extensions and ending not in form.extensions:
        source.warn(f"{path.name} is {form.title}, not what its ending {ending} says")
    return source
