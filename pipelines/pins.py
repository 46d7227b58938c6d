"""Pins: what a user decides beforehand about which stages share a kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

from kernels.errors import DefinitionError

Pair = tuple[str, str]
JOINED_BY = {"fuse": "+", "cut": "|"}


@dataclass(frozen=True, slots=True)
class Pins:
    """Pairs of stages that share a kernel, and pairs that do not: the table [plan] of a pipeline's file.

    They change how a pipeline runs, never its result: `Pipeline.digest` does not depend on them.
    """

    fuse: tuple[Pair, ...] = ()
    cut: tuple[Pair, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.fuse or self.cut)

    def check(self, stages: Iterable[str], expanding: Iterable[str] = ()) -> None:
        """Raises DefinitionError where a pin names none of `stages`, one of them twice, or contradicts another.

        Args:
            expanding: those whose pieces ("stage/piece") are not known yet.
        """
        known, open_ = list(stages), set(expanding)
        for a, b in (*self.fuse, *self.cut):
            for name in (a, b):
                if name not in known and not (name.partition("/")[1] and name.partition("/")[0] in open_):
                    near = get_close_matches(name, known, n=1, cutoff=0.5)
                    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
                    raise DefinitionError(f"a pin names {name!r}, which is no stage of the pipeline; {hint}")
            if a == b:
                raise DefinitionError(f"a pin takes two stages, not {a!r} twice")
        for together in linked(self.fuse):
            for a, b in self.cut:
                if {a, b} <= together:
                    raise DefinitionError(f"{a!r} and {b!r} are pinned together and apart; drop one of the two")


def linked(pairs: Iterable[Pair]) -> list[set[str]]:
    """The sets of nodes that `pairs` chain together.

    >>> [sorted(s) for s in linked([("a", "b"), ("c", "d"), ("b", "e")])]
    [['c', 'd'], ['a', 'b', 'e']]
    """
    sets: list[set[str]] = []
    for a, b in pairs:
        touched = [s for s in sets if a in s or b in s]
        sets = [s for s in sets if s not in touched]
        sets.append({a, b}.union(*touched))
    return sets


def parse_pins(texts: Sequence[str], key: str) -> tuple[Pair, ...]:
    """The pairs of "a+b+c" (key "fuse") or "a|b" (key "cut").

    Raises:
        DefinitionError: a text names fewer than two stages.

    >>> parse_pins(["a+b+c"], "fuse")
    (('a', 'b'), ('b', 'c'))
    """
    pairs: list[Pair] = []
    for text in texts:
        names = [name.strip() for name in text.split(JOINED_BY[key])]
        if len(names) < 2 or not all(names):
            raise DefinitionError(f"{key} takes stages such as gray{JOINED_BY[key]}smooth, not {text!r}")
        pairs += pairwise(names)
    return tuple(pairs)
