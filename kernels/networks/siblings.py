"""Horizontal fusion: contractions of one value that look alike become one, with their weights stacked.

The sum of every channel keeps its order, so every bit stays; what was a result is a slice (`part`) of the joint one.
What only such a result goes through, value by value (an activation, a scale a channel), moves along where it is the
same function for all, with its constants joined. So a layer's epilogue stays in the layer.

What this saves: the value is looked at once, and vectors of channels are filled that each sibling alone would leave
partly empty (twelve channels of sixteen). Siblings stay apart where that would cost something: where a sum with another
value follows (it would no longer be an epilogue), where functions differ (choosing one by channel took twice the time
of the layers apart), where no vectors are saved and the joint ones are not whole, where bytes leave the network, where
results are padded with different values.

Channels of a group must follow one another, so siblings of groups (depthwise ones, too) look at their value as often as
there are siblings, `stack([value] * n)`, which nothing copies. They need whole vectors each and fill no more together.

Source: horizontal fusion of 1x1 siblings, Inception's modules, in the systems that fuse graphs (TASO, Jia et al.,
SOSP 2019; Ma et al., Rammer, OSDI 2020).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kernels.ir.expr import Expr, postorder
from kernels.ir.image import F32
from kernels.ir.ops import OPS
from kernels.ir.rewriting import with_operands
from kernels.ir.volumes import Contract, Weights, contract, part, stack, vector

MOST_VECTORS = 2
"""Constants a channel in a joint function: what the row kernels of layers have room for."""
VECTOR = 8
"""Channels at whose multiples slices begin where layers store whole vectors."""
WIDEST = 16
"""Channels of the widest vectors."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Siblings that became one.

    Args:
        members: the contractions, in the order in which their channels follow each other.
        sums: the contraction of all.
        value: the joint result, functions behind the sums included; members' results are slices of it.
    """

    members: tuple[Expr, ...]
    sums: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Joined:
    """Values after siblings were joined.

    Args:
        new: what each value became; those that are computed nowhere any more are left out.
        joints: what became one.
    """

    new: Mapping[Expr, Expr]
    joints: tuple[Joint, ...]


@dataclass(frozen=True, slots=True)
class _Member:
    """A contraction and what only it goes through.

    Args:
        core: the contraction.
        end: the last value that depends on nothing else.
        inner: values from `core` to before `end`.
        form: the function from `core` to `end` with its constants left out.
        constants: these.
    """

    core: Expr
    end: Expr
    inner: frozenset[Expr]
    form: tuple[object, ...]
    constants: tuple[Expr, ...]


@dataclass(slots=True)
class _Group:
    members: list[_Member] = field(default_factory=list)
    joint: Joint | None = None


def joined(roots: Sequence[Expr]) -> Joined:
    """`roots`, and all that they are made of, with siblings joined."""
    order = list(postorder(roots))
    users: dict[Expr, list[Expr]] = {node: [] for node in order}
    for node in order:
        for operand in dict.fromkeys(node.src):
            users[operand].append(node)
    leaving = set(roots)
    alike: dict[object, list[_Member]] = {}
    for node in order:
        if node.op == "contract" and (node.arg.groups == 1 or _of_vectors(node)):
            member = _member(node, users, leaving)
            if member is not None:
                alike.setdefault(_looks(node), []).append(member)
    ends: dict[Expr, tuple[_Group, _Member]] = {}
    gone: set[Expr] = set()
    for members in alike.values():
        for group in _groups(members, users):
            for member in group.members:
                ends[member.end] = group, member
                gone |= member.inner
    return _rebuilt(order, ends, gone)


def _rebuilt(order: Sequence[Expr], ends: Mapping[Expr, tuple[_Group, _Member]], gone: set[Expr]) -> Joined:
    new: dict[Expr, Expr] = {}
    joints: list[Joint] = []
    for node in order:
        if node in ends:
            group, member = ends[node]
            if group.joint is None:
                group.joint = _joint(group.members, new[member.core.src[0]])
                joints.append(group.joint)
            first = 0
            for other in group.members:
                if other is member:
                    break
                first += other.core.channels
            new[node] = part(group.joint.value, first, member.core.channels)
        elif node not in gone:
            src = tuple(new[s] for s in node.src)
            if node.op == "stack":
                new[node] = stack(src)
            elif node.op == "part":
                new[node] = part(src[0], *node.arg)
            else:
                new[node] = with_operands(node, src)
    return Joined(new, tuple(joints))


def _looks(core: Expr) -> object:
    """What siblings have in common: what they look at, and where."""
    how: Contract = core.arg
    each = core.channels if how.groups > 1 else 0
    return each, core.src[0], how.weights.array.dtype.str, how.taps, replace(how, weights=_NOTHING)


_NOTHING = Weights(np.zeros((1, 1, 1, 1), np.float32))


def _member(core: Expr, users: Mapping[Expr, list[Expr]], leaving: set[Expr]) -> _Member | None:
    """A contraction as a sibling; None where it should stay alone."""
    inside = [core]
    for node in inside:  # grows while it is gone through, operands first
        for user in users[node]:
            if user not in inside and _pointwise(user) and all(s in inside or _constant(s) for s in user.src):
                inside.append(user)
    end, before = core, frozenset[Expr]()
    for node in inside:
        below = frozenset(n for n in postorder([node], {core}) if n in inside and n is not node)
        if not any(n in leaving or any(u is not node and u not in below for u in users[n]) for n in below):
            end, before = (node, below) if below >= before else (end, before)
    beyond = [user for user in users[end] if user not in before]
    if end not in leaving and all(map(_pointwise, beyond)):
        return None  # a sum with another value: an epilogue now, a pass of its own behind a slice
    if end.dtype != F32 and end in leaving:
        return None  # bytes leave where they are made, slices of bytes would be copied
    if end.channels != core.channels or end.size != core.size:
        return None
    form, constants = _form(core, end)
    return _Member(core, end, before, form, constants)


def _of_vectors(node: Expr) -> bool:
    """Whether the channels of a contraction of groups are whole vectors, and no layer would copy what siblings see."""
    return node.channels % VECTOR == 0 and node.arg.up == (1, 1)


def _pointwise(node: Expr) -> bool:
    return node.op in OPS or node.op == "convert"


def _constant(node: Expr) -> bool:
    return node.op in ("const", "vector")


def _form(core: Expr, end: Expr) -> tuple[tuple[object, ...], tuple[Expr, ...]]:
    """The function from `core` to `end`, and its constants."""
    constants: list[Expr] = []
    numbers: dict[Expr, tuple[str, int]] = {core: ("core", 0)}
    form: list[object] = []
    for node in postorder([end], {core}):
        if node is core:
            continue
        if _constant(node):
            numbers[node] = "constant", len(constants)
            constants.append(node)
            form.append(node.dtype)
            continue
        numbers[node] = "node", len(form)
        form.append((node.op, node.arg, node.dtype, tuple(numbers[s] for s in node.src)))
    return tuple(form), tuple(constants)


def _groups(members: Sequence[_Member], users: Mapping[Expr, list[Expr]]) -> list[_Group]:
    """Members that are joined with each other."""
    if any(m.core.channels % VECTOR for m in members):  # slices that layers of groups would have to copy
        members = [m for m in members if not any(u.op == "contract" and u.arg.groups > 1 for u in users[m.end])]
    by_form: dict[object, list[_Member]] = {}
    for member in members:
        by_form.setdefault((member.form, _beyond(member, users)), []).append(member)
    found = []
    for some in by_form.values():
        before = max(sum(c.op == "vector" for c in m.constants) for m in some)
        vectors = sum(not _same([m.constants[k] for m in some]) for k in range(len(some[0].constants)))
        fits = vectors <= max(before, MOST_VECTORS)
        if len(some) > 1 and fits and _gains([m.core.channels for m in some]):
            found.append(_Group(some))
    return found


def _beyond(member: _Member, users: Mapping[Expr, list[Expr]]) -> frozenset[float]:
    """What must be beyond the edges of a result, of which a map has but one."""
    looks = (user.arg for user in users[member.end] if user.op == "contract")
    return frozenset(how.outside for how in looks if how.taps != (1, 1)) - {0.0}


def _gains(channels: Sequence[int]) -> bool:
    """Whether the joint channels are whole vectors, or fewer than those of siblings apart."""
    total = sum(channels)
    return total % VECTOR == 0 or -(-total // WIDEST) < sum(-(-n // WIDEST) for n in channels)


def _same(constants: Sequence[Expr]) -> bool:
    return constants[0].op == "const" and all(c is constants[0] for c in constants)


def _joint(members: Sequence[_Member], volume: Expr) -> Joint:
    cores = [m.core for m in members]
    weights = np.concatenate([c.arg.weights.array for c in cores])
    starts = np.concatenate([_line(c.src[1], c.channels) for c in cores])
    how = cores[0].arg
    if how.groups > 1:  # each sibling looks at all channels
        volume, how = stack([volume] * len(cores)), replace(how, groups=how.groups * len(cores))
    sums = contract(volume, vector(starts), replace(how, weights=Weights(weights), siblings=len(cores)))
    made: dict[tuple[str, int], Expr] = {("core", 0): sums}
    for k in range(len(members[0].constants)):
        own = [m.constants[k] for m in members]
        lines = [_line(constant, m.core.channels) for constant, m in zip(own, members, strict=True)]
        made["constant", k] = own[0] if _same(own) else vector(np.concatenate(lines))
    value = sums
    for number, step in enumerate(members[0].form):
        if isinstance(step, tuple):
            op, arg, dtype, src = step
            value = made["node", number] = Expr(op, tuple(made[s] for s in src), arg, dtype, sums.size)
    return Joint(tuple(cores), sums, value)


def _line(constant: Expr, channels: int) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
    """A constant as a value a channel."""
    if constant.op == "const":
        return np.full(channels, constant.arg, constant.dtype.numpy)
    return np.asarray(constant.arg.array)


def spared(joint: Joint) -> int:
    """Bytes of the value that siblings apart would look at again."""
    volume = joint.members[0].src[0]
    assert volume.size is not None
    values = math.prod(volume.size) * volume.channels
    return (len(joint.members) - 1) * values * volume.dtype.numpy.itemsize
