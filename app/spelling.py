"""How parameters are spelled in the addresses of cameras and of simulated scenes."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from kernels.errors import SourceError
from kernels.param import Param


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
