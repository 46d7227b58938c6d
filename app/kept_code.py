"""Code that Python's own classes make of texts while modules are loaded, kept from one start of a command to the next.

`dataclass` writes each class's methods as text and compiles it: two thirds of its time, a fifth of the time in which a
run's modules are loaded. What a text compiles to depends on nothing but it and the interpreter, so it can be kept, as
Python keeps that of whole modules (.pyc).
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import marshal
import sys
from collections.abc import Mapping
from types import CodeType
from typing import Any

from kernels.executors.cache import ObjectCache, cache_folder

FOLDER = "classes"
"""Beside the folder of compiled programs."""
MOST = 8000
"""Texts that are kept: three times those of all modules. Past it those of earlier versions go."""


class KeptCode:
    """Code of texts, by kind and text. `execute` and `evaluate` take the place of `exec` and `eval`.

    Args:
        folder: where it is kept.
    """

    def __init__(self, folder: ObjectCache) -> None:
        self._folder = folder
        self._name = f"{sys.implementation.cache_tag}-{sys.hexversion:x}-{sys.flags.optimize}"
        held = folder.get(self._name)
        self._held: dict[tuple[str, str], bytes] = marshal.loads(held) if held else {}
        self._used: dict[tuple[str, str], bytes] = {}
        self._new = False

    def code(self, text: str, kind: str) -> CodeType:
        """What a text compiles to.

        Args:
            text: of Python, without flags of the future.
            kind: "exec" or "eval".
        """
        key = kind, text
        found = self._held.get(key)
        if found is None:
            code: CodeType = compile(text, "<string>", kind, dont_inherit=True)
            self._used[key], self._new = marshal.dumps(code), True
            return code
        self._used[key] = found
        kept: CodeType = marshal.loads(found)
        return kept

    def execute(self, text: Any, names: Any = None, local: Any = None) -> None:
        """`exec` as `dataclasses` calls it."""
        code = self.code(text, "exec") if isinstance(text, str) else text
        builtins.exec(code, dataclasses.__dict__ if names is None else names, local)

    def evaluate(self, text: Any, names: Any, local: Mapping[str, object] | None = None) -> Any:
        """`eval` as `collections` calls it."""
        return builtins.eval(self.code(text, "eval") if isinstance(text, str) else text, names, local)

    def keep(self) -> None:
        """Write what is new."""
        if self._new:
            whole = {**self._held, **self._used}
            self._folder.put(self._name, marshal.dumps(self._used if len(whole) > MOST else whole))
            self._new = False


def keeping() -> KeptCode:
    """Have the classes of this process made of kept code from now on; `KeptCode.keep` at the end."""
    made = KeptCode(ObjectCache(cache_folder().with_name(FOLDER)))
    dataclasses.exec = made.execute  # type: ignore[attr-defined]
    collections.eval = made.evaluate  # type: ignore[attr-defined]
    return made
