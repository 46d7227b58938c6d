"""Sentences of the command line as a Python program reads them: arguments in place of options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import wraps
from typing import ParamSpec, TypeVar

from app.run_windows import WINDOWS_CSV
from kernels.errors import ArgumentTypeError, InputError

P = ParamSpec("P")
R = TypeVar("R")
_SETTING = re.compile(r"--set ([\w.-]+)=([^\s,;]+)")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)(?![\w-])(?: (?:NAME|FILE|RATE|HZ|DIR)\b| (?=\d))?")
_PIPELINE = re.compile(r"--pipeline ([a-z][\w-]*)")
_NUMBER = re.compile(r"[-+]?[\d.][\d.e+-]*|\[.*\]|true|false")
_RENAMED = {"no-gaps": "gaps=False", "min-frames": "least=", "fast": "exact=False"}


def in_python(sentence: str) -> str:
    """The sentence with arguments of functions in place of options of commands.

    >>> in_python("the file holds no frame rate; give the capture rate with --fps")
    'the file holds no frame rate; give the capture rate with fps='
    >>> in_python("the camera gives 12 bits: say so with --bits 12")
    'the camera gives 12 bits: say so with bits=12'
    >>> in_python("try --set bright.level=0.03, or --set spots.polarity=dark")
    "try settings={'bright.level': 0.03}, or settings={'spots.polarity': 'dark'}"
    """

    def setting(found: re.Match[str]) -> str:
        value = found[2].rstrip(".")
        tail = found[2][len(value) :]
        word = value if _NUMBER.fullmatch(value) else repr(value)
        return f"settings={{{found[1]!r}: {word.capitalize() if word in ('true', 'false') else word}}}{tail}"

    def option(found: re.Match[str]) -> str:
        return _RENAMED.get(found[1], f"{found[1].replace('-', '_')}=")

    sentence = _PIPELINE.sub(lambda found: f"pipeline={found[1]!r}", _SETTING.sub(setting, sentence))
    return _OPTION.sub(option, sentence).replace(WINDOWS_CSV, "tables['windows']")


@contextmanager
def worded() -> Iterator[None]:
    """Errors of the user's that leave are worded for Python; they are the same errors."""
    try:
        yield
    except InputError as error:
        if error.args and isinstance(error.args[0], str):
            error.args = (in_python(error.args[0]), *error.args[1:])
        raise


def for_python(function: Callable[P, R]) -> Callable[P, R]:
    """As `worded`, around a function, which also says which option is meant by one that it has not."""
    options = inspect.signature(function).parameters

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        _refuse_unknown(function.__name__, kwargs, options)
        with worded():
            return function(*args, **kwargs)

    return called


def _refuse_unknown(name: str, given: Iterable[str], options: Mapping[str, inspect.Parameter]) -> None:
    """Raise where a function is given an option that it has not, with the one that may be meant."""
    first = next((one for one in given if one not in options), None)
    if first is None or any(option.kind is option.VAR_KEYWORD for option in options.values()):
        return
    near = get_close_matches(first, options, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}=?" if near else f"there are {', '.join(options)}"
    raise ArgumentTypeError(f"{name} has no option {first!r}; {hint}")
