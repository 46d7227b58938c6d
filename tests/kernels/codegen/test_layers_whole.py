"""What layers make at once instead of value by value: when that is."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.codegen import layers_lower
from kernels.codegen.layers_lower import lower_layers
from kernels.codegen.layers_moves import Move, move
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_whole import with_products, with_rearranged
from kernels.executors.networks import evaluated
from kernels.ir.expr import Expr, const, maximum
from kernels.ir.image import F32, ImageType
from kernels.ir.planes import Border, gather
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, stack
from tests.layers import body_of

TARGET = Target.of("x86_64", "generic", "+avx512f")


def volume(channels: int, size: tuple[int, int] = (4, 4), number: int = 0) -> Expr:
    given = input_volume(number, ImageType(F32, *size, channels))
    ones = Weights(np.ones((channels, 1, 1, 1), np.float32))
    return contract(given, const(0.0), Contract(ones, size, groups=channels))


def listed(root: Expr) -> bool:
    """Whether a list makes it."""
    made = with_rearranged([root], set(), lambda _: False, lambda node: np.zeros((*(node.size or ()), node.channels)))
    return made[root].op == "rearranged"


@pytest.mark.parametrize(
    ("moves", "channels", "found"), [(32, 16, False), (33, 16, True), (12, 1, False), (13, 1, True)]
)
def test_a_list_takes_the_place_of_many_moves(moves: int, channels: int, found: bool) -> None:
    """Of whole vectors more than 32, which take less but are layers; of single channels more than 12."""
    given = volume(moves * channels)
    turned = stack([part(given, k * channels, channels) for k in reversed(range(moves))])
    assert listed(turned) == found


@pytest.mark.parametrize(("sources", "found"), [(8, True), (9, False)])
def test_lists_look_at_so_many_values(sources: int, found: bool) -> None:
    given = [volume(8, number=k) for k in range(sources)]
    assert listed(stack([part(given[k % sources], 7 * k % 8) for k in range(8 * sources)])) == found


@pytest.mark.parametrize(("width", "found"), [(256, True), (257, False)])
def test_lists_have_so_many_values(width: int, found: bool) -> None:
    """A million: larger pictures are moved."""
    given = volume(64, (64, width))
    assert listed(stack([part(given, k) for k in reversed(range(64))])) == found


@pytest.mark.parametrize(("terms", "op"), [(3, "add"), (4, "product")])
def test_a_few_terms_are_no_matrices(terms: int, op: str) -> None:
    size = 5, 1
    first, second = volume(terms, size), volume(6, (terms, 1), 1)
    total = None
    for k in range(terms):
        row = gather(second, const(k), const(0), size, Border("replicate"))
        total = part(first, k) * row if total is None else total + part(first, k) * row
    assert total is not None
    assert with_products([total], ())[total].op == op


def test_products_share_values_among_four_vectors() -> None:
    """The text has the first term and the next of four vectors, and of one."""
    assert move(Move.of(TARGET, "product", (20, 1), 5, 64, False, Move().epilogue), TARGET).text.count("fmul") == 2 * 5


@pytest.mark.parametrize(("channels", "most"), [(31, 18), (33, 10)])
def test_expressions_of_very_many_values_are_cut_side_by_side(
    channels: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after another those of 31 channels take 18 rounds, each of which looks at all of them."""
    rounds = [0]
    widest = layers_lower._Epilogue.widest

    def counted(epilogue: layers_lower._Epilogue) -> list[Expr]:
        rounds[0] += 1
        return widest(epilogue)

    monkeypatch.setattr(layers_lower._Epilogue, "widest", counted)
    found = [part(volume(channels), c) for c in range(channels)]
    while len(found) > 1:
        pairs = [maximum(a, b) for a, b in zip(found[::2], found[1::2], strict=False)]
        found = pairs + found[len(found) & ~1 :]
    lower_layers(body_of(found[0], (ImageType(F32, 4, 4, channels),)), TARGET, evaluated)
    assert rounds[0] <= most
    assert channels > 32 or rounds[0] == most
