"""What is rewritten in an imported network, with what people are told of it; every rewriting can be switched off."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernels.ir.expr import Expr
from kernels.ir.rewriting import Rewriting
from kernels.networks.importing import Imported, Mark
from kernels.networks.onnx_host import host_inputs
from kernels.networks.pooled_skips import PooledSkip, with_pooled_skips
from kernels.networks.siblings import Joint, joined, spared
from kernels.networks.tensors import settled

MOST_NAMED = 4
"""Siblings whose numbers are in the name of their joint layer; pools that are named."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A network as it is computed.

    Args:
        outputs: volumes by the model's names, their axes where an image has them.
        given: what a part that runs in onnxruntime takes, laid out as images.
        marks: what layers make, in order.
        rewritings: what was done.
    """

    outputs: Mapping[str, Expr]
    given: tuple[Expr, ...]
    marks: tuple[Mark, ...]
    rewritings: tuple[Rewriting, ...]


def rewritten(made: Imported, siblings: bool, skips: bool, pixels: int) -> Rewritten:
    """An imported network, rewritten.

    Args:
        siblings: whether contractions of one value that look alike become one.
        skips: whether pools that are added behind a convolution are computed there.
        pixels: of the source, by which savings are told.

    Raises:
        ExprError: an output cannot be laid out as an image.
    """
    outputs = {name: settled(tensor).volume for name, tensor in made.outputs.items()}
    given = [tensor.volume for tensor in host_inputs(made.tail)] if made.tail is not None else []
    done = [_folded(made.folded, pixels)] if made.folded else []
    marks = made.marks
    if siblings:
        found = joined([*outputs.values(), *given])
        if found.joints:
            names = {mark.value: mark.name for mark in marks}
            outputs = {name: found.new[value] for name, value in outputs.items()}
            given = [found.new[value] for value in given]
            joints = [Mark(_name(joint, names), value) for joint in found.joints for value in (joint.sums, joint.value)]
            kept = [Mark(mark.name, found.new[mark.value]) for mark in marks if mark.value in found.new]
            marks = (*joints, *(mark for mark in kept if mark.value.op != "part"))
            done += [_stacked(joint, names, pixels) for joint in found.joints]
    if skips:
        moved = with_pooled_skips([*outputs.values(), *given])
        if moved.skips:
            names = {mark.value: mark.name for mark in marks}
            outputs = {name: moved.new[value] for name, value in outputs.items()}
            given = [moved.new[value] for value in given]
            marks = tuple(Mark(mark.name, moved.new[mark.value]) for mark in marks if mark.value in moved.new)
            done.append(_pooled(moved.skips, names, pixels))
    return Rewritten(outputs, tuple(given), marks, tuple(done))


def _folded(folded: tuple[Mark, ...], pixels: int) -> Rewriting:
    counts = Counter(mark.name.rpartition("_")[0] for mark in folded)
    words = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    operations = 0
    for mark in folded:
        assert mark.value.size is not None
        operations += math.prod(mark.value.size) * mark.value.channels * _OPERATIONS.get(mark.name.split("_")[0], 1)
    return Rewriting("folded", "", True, 0.0, operations / pixels,
                     f"the constants of {words} went into the weights before them, which is what the network means "
                     "(fold = false: computed behind them)")  # fmt: skip


_OPERATIONS = {"batchnormalization": 2}
"""Operations a value that are saved when it is folded, where they are not one."""


def _stacked(joint: Joint, names: Mapping[Expr, str], pixels: int) -> Rewriting:
    members = ", ".join(names.get(m, "?") for m in joint.members)
    channels = " + ".join(str(m.channels) for m in joint.members)
    words = f"{members} of one value become one contraction of {channels} channels (siblings = false: apart)"
    return Rewriting("stacked", "", True, 0.0, 0.0, words, spared(joint) / pixels)


def _pooled(skips: Sequence[PooledSkip], names: Mapping[Expr, str], pixels: int) -> Rewriting:
    pools = [f"{names.get(one.pool, 'a pool')} in {names.get(one.core, 'a convolution')}" for one in skips]
    if len(pools) > MOST_NAMED:
        pools[MOST_NAMED - 1 :] = [f"{len(pools) - MOST_NAMED + 1} more"]
    words = f"pools are computed in the layers that add them (skips = false: apart): {', '.join(pools)}"
    return Rewriting("pooled", "", True, 0.0, 0.0, words, sum(one.spared for one in skips) / pixels)


def _name(joint: Joint, names: Mapping[Expr, str]) -> str:
    """The first sibling's name with the numbers of the others: "conv_3_5_9"."""
    first, *others = (names.get(member, "layer") for member in joint.members)
    if len(others) >= MOST_NAMED:
        return f"{first}_and_{len(others)}"
    return "_".join([first, *(other.rpartition("_")[2] for other in others)])
