"""How parameters are spelled in settings, in the addresses of cameras and of simulated scenes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from kernels.errors import InputError, SourceError
from kernels.param import Param

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def parse_settings(texts: Sequence[str]) -> dict[str, object]:
    """--set node.param=value ... as a mapping; values are spelled as in TOML, a bare word is a text, and .5 a number.

    >>> parse_settings(["smooth.sigma=1.5", "bright.polarity=dark", "track.points=[[1, 2]]"])
    {'smooth.sigma': 1.5, 'bright.polarity': 'dark', 'track.points': [[1, 2]]}
    >>> parse_settings(["bright.level=.4", "smooth.sigma=5.", "bright.level=-.03", "band.sigma=+1.e-1"])
    {'bright.level': -0.03, 'smooth.sigma': 5.0, 'band.sigma': 0.1}
    """
    settings: dict[str, object] = {}
    for text in texts:
        path, equals, value = text.partition("=")
        if not equals or "." not in path:
            raise InputError(
                f"--set takes node.param=value, such as bright.level=0.05, not {text!r}; "
                "`fusetrack pipelines NAME` lists them"
            )
        try:
            settings[path.strip()] = tomllib.loads(f"value = {value.strip()}")["value"]
        except tomllib.TOMLDecodeError:
            if _NUMBER.fullmatch(value.strip()):  # TOML wants a digit on either side of the point
                settings[path.strip()] = float(value)
                continue
            if value.strip()[:1] in ('"', "'", "[", "{"):  # no bare word
                raise InputError(
                    f"--set {text!r}: a quote or a bracket is not closed, or what is within is no value; write "
                    'node.param=[[1,2],[3,4]] or node.param="text", all of it in quotes for the shell'
                ) from None
            settings[path.strip()] = value.strip()
    return settings


def spelled(param: Param, text: str, where: str) -> object:
    """What `text` spells, in the parameter's kind but not yet checked; `where` is the whole address.

    Raises:
        SourceError: it is neither a number nor a yes or no, where one is wanted.
    """
    word = text.strip().lower()
    if param.kind == "bool":
        if word in ("true", "yes", "on", "1"):
            return True
        if word in ("false", "no", "off", "0"):
            return False
        raise SourceError(f"{where!r}: {param.name} must be true or false, not {text!r}")
    if param.kind not in ("int", "float"):
        return text
    try:
        return int(word) if param.kind == "int" and word.lstrip("+-").isdecimal() else float(word)
    except ValueError:
        raise SourceError(f"{where!r}: {param.name} must be a number, not {text!r}") from None


def suggest(name: str, known: Iterable[str]) -> str:
    """What the user may have meant by `name`."""
    names = list(known)
    folded = {other.casefold(): other for other in names}
    near = get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    return f"did you mean {folded[near[0]]!r}?" if near else f"there are: {', '.join(names[:40])}"


def ordinal(number: int) -> str:
    """A number from 2 on as one says it.

    >>> [ordinal(n) for n in (2, 3, 4, 11, 21, 112)]
    ['2nd', '3rd', '4th', '11th', '21st', '112th']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
