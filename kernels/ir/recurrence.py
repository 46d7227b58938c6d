"""Recurrences of a body: their names, the order of their first values, and the rule that they stay in their pixel.

A state refers to its recurrence by name, not by an operand, so the graph has no circle; what follows from the names
is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping

from kernels.errors import ExprError
from kernels.ir.expr import Expr, postorder
from kernels.ir.rewriting import rewrite

_LOOKS = ("load", "gather", "window")


def recurrences(roots: Iterable[Expr], leaves: Container[Expr] = ()) -> dict[str, Expr]:
    """The recurrences below `roots` by name, operands before users; none below `leaves`.

    Raises:
        ExprError: two different ones share a name.
    """
    found: dict[str, Expr] = {}
    for node in postorder(roots, leaves):
        if node.op == "recur" and found.setdefault(node.arg, node) is not node:
            raise ExprError(f"two different recurrences are called {node.arg!r}")
    return found


def rename_states(roots: Iterable[Expr], name: Callable[[str], str]) -> tuple[Expr, ...]:
    """`roots` with every state and recurrence called `name(old name)`: before two bodies become one."""

    def rule(node: Expr) -> Expr | None:
        if node.op in ("state", "recur"):
            return Expr(node.op, node.src, name(node.arg), node.dtype, node.size)
        return None

    return rewrite(roots, rule)


def start_order(known: Mapping[str, Expr]) -> tuple[Expr, ...]:
    """The recurrences in an order in which their first values can be computed: a state that one of them starts from
    has got its own before.

    Raises:
        ExprError: some start from one another's states in a circle.
    """
    # A topological order by the states in first values.
    needs = {name: _states(node.src[:1]) & known.keys() for name, node in known.items()}
    order: list[Expr] = []
    done: set[str] = set()
    while len(done) < len(known):
        ready = next((name for name in known if name not in done and needs[name] <= done), None)
        if ready is None:
            names = ", ".join(repr(name) for name in known if name not in done)
            raise ExprError(f"recurrence {names} starts from a state that does not exist yet")
        done.add(ready)
        order.append(known[ready])
    return tuple(order)


def _states(roots: Iterable[Expr]) -> set[str]:
    return {node.arg for node in postorder(roots) if node.op == "state"}


def wandering(known: Mapping[str, Expr]) -> str | None:
    """The name of a recurrence whose update looks at another pixel's or an earlier frame's value of itself, or None.

    Such a state would reach one pixel further with every frame; only `state` looks at a recurrence's own past.
    """
    straight, moved = {}, {}
    for name, node in known.items():
        straight[name], moved[name] = _seen_states(node.src[1])
    uses = {name: (straight[name] | moved[name]) & known.keys() for name in known}
    for name in known:
        # Through a look at `other` the recurrence meets itself: other pixels' values of one frame ago.
        for other in moved[name] & known.keys():
            if name in _closure(other, uses):
                return name
    return None


def _seen_states(root: Expr) -> tuple[set[str], set[str]]:
    """Names of the states below `root`: those seen at this very pixel, and those seen through a load."""
    straight: set[str] = set()
    moved: set[str] = set()
    seen: set[tuple[Expr, bool]] = set()
    stack = [(root, False)]
    while stack:
        node, far = stack.pop()
        if (node, far) in seen:
            continue
        seen.add((node, far))
        if node.op == "state":
            (moved if far else straight).add(node.arg)
        # Only the first operand of a look is seen elsewhere: coordinates are computed at the own pixel.
        stack += [(s, far or (node.op in _LOOKS and i == 0)) for i, s in enumerate(node.src)]
    return straight, moved


def _closure(start: str, uses: Mapping[str, set[str]]) -> set[str]:
    found = {start}
    todo = [start]
    while todo:
        for name in uses[todo.pop()] - found:
            found.add(name)
            todo.append(name)
    return found
