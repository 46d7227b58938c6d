"""Finds the files of an image sequence: by folder, by pattern, or by one of the numbered files."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from app.sources.base import plural, read_head
from app.sources.foreign import refusal
from kernels.errors import SourceError

_NUMBER = re.compile(r"\d+")
_PRINTF = re.compile(r"%0?(\d*)[di]")
_HASHES = re.compile(r"#+")
_MAX_FILES = 10_000_000


@dataclass(frozen=True, slots=True)
class Sequence:
    """The files of a sequence in order.

    Args:
        name: for people: "shot_####.tif" or the folder's name.
        files: paths in natural order.
        numbers: the number of each file, or () when the names do not count.
        warnings: sentences about what was left out or is missing.
    """

    name: str
    files: tuple[Path, ...]
    numbers: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sorting key by which "a2" comes before "a10".

    >>> sorted(["a10.tif", "a2.tif", "a1.tif"], key=natural_key)
    ['a1.tif', 'a2.tif', 'a10.tif']
    """
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((1, int(p), "") if p.isdecimal() and p.isascii() else (0, 0, p) for p in parts)


def is_pattern(text: str) -> bool:
    """Whether a path names several files: *, ?, [..], %04d or ####.

    >>> [is_pattern(t) for t in ("a_*.png", "a_%04d.png", "a_####.png", "a_0001.png")]
    [True, True, True, False]
    """
    name = Path(text).name
    return any(c in name for c in "*?[") or _PRINTF.search(name) is not None or "#" in name


def match_pattern(text: str, extensions: tuple[str, ...]) -> Sequence:
    """The files that match a glob, printf or # pattern in one folder.

    Raises:
        SourceError: the folder does not exist, or nothing matches.
    """
    path = Path(text)
    if not path.parent.is_dir():
        raise SourceError(f"nothing matches {text}: the folder {path.parent} does not exist")
    if any(c in path.name for c in "*?["):
        files = [p for p in path.parent.glob(path.name) if _is_image(p, extensions)]
    else:
        expression = _pattern_expression(path.name)
        files = [p for p in path.parent.iterdir() if expression.fullmatch(p.name) and p.is_file()]
    if not files:
        raise SourceError(f"no image file matches {text}")
    return _sequence(path.name, files)


def match_folder(folder: Path, extensions: tuple[str, ...]) -> Sequence:
    """The images of a folder: its largest numbered run, or all of its commonest ending.

    Raises:
        SourceError: the folder holds no images, or some without numbers among other files, which are no sequence: a
            figure, a screenshot.
    """
    images = [p for p in folder.iterdir() if _is_image(p, extensions)]
    if not images:
        there = sorted(p.name for p in folder.iterdir() if p.is_file() and p.suffix and not p.name.startswith("."))
        if there and (words := refusal(folder / there[0], read_head(folder / there[0]))):
            raise SourceError(words)
        more = f" and {len(there) - 3} more" if len(there) > 3 else ""
        found = f"; it holds {', '.join(there[:3])}{more}: name one of them" if there else ""
        raise SourceError(f"{folder} holds no images{found}")
    runs = Counter(_run_of(p.name) for p in images)
    run, size = runs.most_common(1)[0]
    if size > 1 and run is not None:
        chosen = [p for p in images if _run_of(p.name) == run]
    else:
        ending = Counter(p.suffix.lower() for p in images).most_common(1)[0][0]
        chosen = [p for p in images if p.suffix.lower() == ending]
        others = sum(p.is_file() and not p.name.startswith(".") for p in folder.iterdir()) - len(images)
        if others >= max(1, len(chosen) - 1):
            names = sorted(p.name for p in chosen)
            more = f" and {len(names) - 2} more" if len(names) > 2 else ""
            raise SourceError(f"{folder} is no sequence of pictures: {', '.join(names[:2])}{more} lie without numbers "
                              f"among {plural(others, 'other file')}; name a picture to open it alone")  # fmt: skip
    left = len(images) - len(chosen)
    warnings = (f"{plural(left, 'other image')} in {folder.name} do not belong to the sequence and are left out",)
    return _sequence(folder.name, chosen, warnings if left else ())


def match_numbered(path: Path) -> Sequence:
    """The sequence that begins with a numbered file; the file alone when it has no number or no followers."""
    run = _run_of(path.name)
    if run is None:
        return Sequence(path.name, (path,))
    all_files = [p for p in path.parent.iterdir() if _run_of(p.name) == run and p.is_file()]
    first = _number(path.name)
    files = [p for p in all_files if _number(p.name) >= first]
    before = len(all_files) - len(files)
    if len(files) < 2:
        return Sequence(path.name, (path,))
    warnings = (f"the sequence is opened from {path.name} on; {plural(before, 'earlier file')} left out",)
    return _sequence(run[0] + "#" * len(_digits(path.name)) + run[1], files, warnings if before else ())


def first_of(path: Path) -> Path:
    """The file with the lowest number of the sequence to which a file belongs; itself where it has no number."""
    run = _run_of(path.name)
    files = [path] if run is None else [p for p in path.parent.iterdir() if _run_of(p.name) == run and p.is_file()]
    return min(files, key=lambda p: (natural_key(p.name), p.name), default=path)


def number_of(path: Path) -> int:
    """The number in a file's name by which it is counted; 0 where it has none."""
    return 0 if _run_of(path.name) is None else _number(path.name)


def _is_image(path: Path, extensions: tuple[str, ...]) -> bool:
    """Whether a file counts as an image; hidden ones ("._a.tif" of macOS) hold no picture."""
    return path.suffix.lower() in extensions and not path.name.startswith(".") and path.is_file()


def _pattern_expression(name: str) -> re.Pattern[str]:
    """printf and # patterns as a regular expression on file names."""
    expression, at = "", 0
    for match in re.finditer(rf"{_PRINTF.pattern}|{_HASHES.pattern}", name):
        expression += re.escape(name[at : match.start()])
        width = len(match.group()) if match.group().startswith("#") else int(match.group(1) or 1)
        expression += rf"\d{{{min(width, 99)},}}"
        at = match.end()
    return re.compile(expression + re.escape(name[at:]))


def _digits(name: str) -> str:
    """The last run of digits before the ending: what counts in a sequence."""
    found = _NUMBER.findall(Path(name).stem)
    return found[-1] if found else ""


def _number(name: str) -> int:
    return int(_digits(name))


def _run_of(name: str) -> tuple[str, str] | None:
    """Text before and after the counting number; files of one sequence share it."""
    stem, suffix = Path(name).stem, Path(name).suffix
    matches = list(_NUMBER.finditer(stem))
    if not matches or len(matches[-1].group()) > 18:
        return None
    last = matches[-1]
    return stem[: last.start()], stem[last.end() :] + suffix.lower()


def _sequence(name: str, files: list[Path], warnings: tuple[str, ...] = ()) -> Sequence:
    """Order the files and look for gaps in their numbers."""
    if len(files) > _MAX_FILES:
        raise SourceError(f"{name} matches {len(files)} files, more than {_MAX_FILES}")
    files = sorted(files, key=lambda p: (natural_key(p.name), p.name))
    if len({_run_of(p.name) for p in files}) != 1 or _run_of(files[0].name) is None:
        return Sequence(name, tuple(files), (), warnings)
    numbers = tuple(_number(p.name) for p in files)
    steps = [b - a for a, b in pairwise(numbers)]
    if any(s == 0 for s in steps):
        doubled = steps.count(0)
        return Sequence(name, tuple(files), (), (*warnings, f"{plural(doubled, 'number')} occur twice in the sequence"))
    usual = Counter(steps).most_common(1)[0][0] if steps else 1
    gaps = [i for i, s in enumerate(steps) if s > usual]
    if gaps:
        missing = sum(steps[i] // usual - 1 for i in gaps)
        at = numbers[gaps[0]]
        warnings = (*warnings, f"the numbering has gaps: {plural(missing, 'file')} missing, the first after {at}")
    return Sequence(name, tuple(files), numbers, warnings)
