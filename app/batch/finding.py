"""Which clips a batch is about: from patterns, folders and lists to clips, each once, with a name below the root."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from app.files.missing import missing_sentence
from app.results import SUMMARY
from app.sources.base import NoPictures
from app.sources.formats import ENDINGS, HEADERS, IMAGES, PICTURES, Format, named, split, stands_for
from app.sources.numbering import is_pattern, match_numbered, match_pattern, natural_key
from app.sources.photron import clip_of
from kernels.errors import FusetrackError, InputError, SourceError

SIMULATED = "sim:"
DONE = "done.json"
"""The marker in a folder of results that are whole."""
_OWN_NAMES = ("overlay", "trajectories", "tracks")


@dataclass(frozen=True, slots=True)
class Clip:
    """One clip of a batch.

    Args:
        path: absolute, or "sim:SCENE".
        name: the path below the root, with forward slashes; what people see.
        missing: the sentence where a file that was named is not there; "" for others.
    """

    path: str
    name: str
    missing: str = ""


@dataclass(slots=True)
class Found:
    """What patterns led to.

    Args:
        root: the folder that all names are below.
        clips: each once, in natural order of their names.
        unmatched: patterns that matched nothing.
        twice: how often a clip was matched again.
        left_out: files that patterns matched and that are no clips, or results of earlier runs.
    """

    root: Path
    clips: list[Clip] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    twice: int = 0
    left_out: int = 0


def read_list(file: str) -> list[str]:
    """The lines of a list of clips or patterns ("-" is stdin); empty ones and those that begin with # do not count.

    Raises:
        InputError: it cannot be read, or holds a table.
    """
    try:
        text = sys.stdin.read().removeprefix("\ufeff") if file == "-" else Path(file).read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"the list {file} cannot be read: {error.strerror}; give a file with a clip a line") from None
    except UnicodeDecodeError:
        raise InputError(f"the list {file} is not a text file in UTF-8; give a file with a clip a line") from None
    every = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    lines = [(number, line) for number, line in every if line and not line.startswith("#")]
    if odd := next((number for number, line in lines if "\0" in line), None):
        raise InputError(f"the list {file} holds a null byte in line {odd}, which no name of a file can")
    row = next((one for one in lines if _is_row(one[1])), None)
    if row is not None:  # of points, of tracks, of a force
        raise InputError(f"the list {file} is a table (line {row[0]}: {row[1][:40]}); give a file with a clip a line, "
                         "and points to `fusetrack run CLIP --points`")  # fmt: skip
    return [line for _, line in lines]


def _is_row(line: str) -> bool:
    """Whether a line is one of a table and no clip: most of its cells are numbers."""
    cells = [cell for cell in re.split(r"[,;\t]", line) if cell.strip()]
    numbers = sum(re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", cell) is not None for cell in cells)
    return 2 * numbers > len(cells) and not os.path.lexists(os.path.expanduser(line))


def missing_words(path: str) -> str:
    """Says that a clip is not there; "" if it is, or if nothing need be (a simulated one)."""
    path = split(path)[0]
    if path.startswith(SIMULATED) or os.path.lexists(path):
        return ""
    if is_pattern(path):  # of an image sequence, such as shot_%04d.png
        try:
            match_pattern(path, PICTURES)
            return ""
        except SourceError as error:
            return str(error)
    return missing_sentence(Path(path))


def find(patterns: Sequence[str], out: Path) -> Found:
    """The clips that patterns, folders and names lead to.

    Args:
        patterns: paths, globs (** for any depth), folders (all clips below), "sim:SCENE".
        out: the folder of the results; what lies in it is no clip.

    Raises:
        InputError: nothing is matched.
    """
    found, bases = Found(Path()), []
    seen: dict[str, None] = {}
    missing: dict[str, str] = {}
    out = Path(os.path.realpath(out))
    for pattern in patterns:
        matched = False
        for path in _matches(pattern, found, out):
            matched = True
            if path.startswith(SIMULATED):
                key = path
            else:
                # By its real path: links and patterns may lead to one clip several times.
                key = os.path.realpath(path)
                if words := missing_words(path):
                    missing[path] = words
            if key in seen or path in seen:
                found.twice += 1
                continue
            seen[key] = seen[path] = None
            found.clips.append(Clip(path, path, missing.get(path, "")))
        if matched and not pattern.startswith(SIMULATED):
            bases.append(_base(pattern))
        if not matched:
            found.unmatched.append(pattern)
    if all(clip.missing for clip in found.clips):
        if missing:
            raise InputError(next(iter(missing.values())))
        left = f" ({found.left_out} files there are no clips)" if found.left_out else ""
        given = ", ".join(map(repr, patterns[:3])) + (" ..." if len(patterns) > 3 else "")
        raise InputError(f"no clip matches {given}{left}; quote patterns for the shell, ** stands for any folders")
    found.root = _common(bases)
    found.clips = [Clip(c.path, _name(c.path, found.root), c.missing) for c in found.clips]
    found.clips.sort(key=lambda clip: (natural_key(clip.name), clip.name))
    return found


def _matches(pattern: str, found: Found, out: Path) -> Iterator[str]:
    """The clips of one pattern, absolute."""
    if pattern.startswith(SIMULATED):
        yield pattern
        return
    text, part = split(os.path.expanduser(pattern))
    if part:
        yield from (f"{clip}:{part}" for clip in _matches(text, found, out))
    elif os.path.isdir(text):
        yield from _clips_in(_below(Path(text), out), found)
    elif os.path.lexists(text):
        yield _whole(Path(text))
    elif glob.has_magic(text):
        # The shortest way first: links may lead to the same clip over many.
        found_there = sorted(glob.iglob(text, recursive=True), key=lambda match: (match.count(os.sep), match))
        files = [Path(match) for match in found_there]
        folders = [file for file in files if file.is_dir()]
        files = [file for file in files if not file.is_dir()]
        kept = [file for file in files if not _is_in(file, out)]
        found.left_out += len(files) - len(kept)
        # A pattern for files ("**/*") meets folders, too; one that meets nothing else is about folders.
        if not files:
            kept = [file for folder in folders for file in _below(folder, out)]
        yield from _clips_in(kept, found)
    else:
        yield os.path.abspath(text)  # named, and not there; or a pattern such as shot_%04d.png


def _is_in(file: Path, out: Path) -> bool:
    return Path(os.path.realpath(file)).is_relative_to(out)


def _below(folder: Path, out: Path) -> list[Path]:
    """All files in a folder and those in it, but for hidden ones and results."""
    files = []
    for where, folders, names in os.walk(folder, followlinks=False):
        here = Path(where)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not _is_in(here / name, out))
        files += [here / name for name in sorted(names) if not name.startswith(".")]
    return files


def _clips_in(files: Iterable[Path], found: Found) -> Iterator[str]:
    """The clips among files: those with the ending of a clip; numbered images are one clip together."""
    images: list[Path] = []
    for file in files:
        ending = file.suffix.lower()
        if _is_result(file):
            found.left_out += 1
        elif ending in PICTURES:
            images.append(file)
        elif ending in ENDINGS and not _holds_none(file):
            yield _whole(file)
        else:
            found.left_out += 1
    covered: set[Path] = set()
    # In natural order, so that the first picture of a sequence names it.
    for image in sorted(images, key=lambda p: (str(p.parent), natural_key(p.name))):
        if image in covered:
            continue
        sequence = match_numbered(image).files
        form = named(image.suffix.lower())
        stack = form is not None and form is not IMAGES and _is_stack(form, image)
        # A TIFF with pages is a clip by itself, numbered or not.
        if stack or len(sequence) == 1:
            if form is not IMAGES:
                yield _whole(image)
            else:
                found.left_out += 1  # one picture is no clip, unless it is named
            continue
        covered.update(sequence)
        yield _whole(image)


def _is_stack(form: Format, file: Path) -> bool:
    try:
        source = form.open(file)
    except (FusetrackError, OSError):
        return False
    with_pages = source.info.frames > 1
    source.close()
    return with_pages


def _holds_none(file: Path) -> bool:
    """Whether a file that may hold anything (tables of tracks, too) holds no pictures."""
    form = named(file.suffix.lower())
    if form is None or not form.parts:
        return False
    try:
        form.open(file).close()
    except NoPictures:
        return True
    except (FusetrackError, OSError):
        return False  # its run says why it cannot be read
    return False


def _is_result(file: Path) -> bool:
    """Whether a file is what an earlier run left: a summary is beside it."""
    return file.stem in _OWN_NAMES and (file.parent / SUMMARY).is_file()


def _whole(file: Path) -> str:
    """The absolute path of a clip; of one with a header, that of the pixels."""
    if file.suffix.lower() in HEADERS:
        with suppress(FusetrackError, OSError):  # its run says what is wrong
            file = clip_of(file)
    return os.path.abspath(file)


def _base(pattern: str) -> Path:
    """The folder before the first wildcard."""
    text = split(os.path.expanduser(pattern))[0]
    path = Path(os.path.abspath(text))
    if os.path.isdir(text):
        return path
    if os.path.lexists(text):
        return path.parent
    parts: list[str] = []
    for part in path.parts[:-1]:
        if glob.has_magic(part):
            break
        parts.append(part)
    return Path(*parts)


def _common(bases: Sequence[Path]) -> Path:
    """The folder that holds all of them; a drive's root, or "." for clips on several drives."""
    try:
        return Path(os.path.commonpath(bases))
    except ValueError:  # none, or several drives
        return Path()


def _name(path: str, root: Path) -> str:
    if path.startswith(SIMULATED):
        return path
    named = stands_for(path)
    try:
        return named.relative_to(root).as_posix()
    except ValueError:
        return PurePosixPath(*named.parts[1:]).as_posix()
