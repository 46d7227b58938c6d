"""Weighted sums: in which order floats are added, what that costs and how near it comes; separable filters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.executors.reference import evaluate
from kernels.ir.expr import Expr, postorder
from kernels.ir.filters import gaussian_weights, separable, weighted_sum
from kernels.ir.image import F32, I32, U8
from kernels.ir.planes import BORDERS, Border, input_plane, load
from kernels.param import Param
from kernels.stage import Plane, stage
from kernels.stages.conv import conv

WEIGHT = st.sampled_from((-1.0, 0.0, 1.0, 2.0)) | st.floats(-3, 3, width=32)
IMAGE = input_plane(0, 0, F32, (9, 80))


def looks(count: int) -> list[Expr]:
    return [load(IMAGE, Border(), dx=k - count // 2) for k in range(count)]


@st.composite
def kernels(draw: st.DrawFn) -> list[float]:
    """Weights that are the same from both ends, opposite, or neither."""
    half = draw(st.lists(WEIGHT, max_size=6))
    match draw(st.sampled_from(("same", "opposite", "neither"))):
        case "same":
            return [*half, *draw(st.sampled_from(([], [0.5]))), *half[::-1]] or [1.0]
        case "opposite":
            return [*half, 0.0, *(-w for w in half[::-1])]
    return [*half, draw(WEIGHT)]


def by_hand(values: np.ndarray, weights: list[float]) -> np.ndarray:
    """What `weighted_sum` says of floats, in NumPy: values (taps, pixels), f32."""
    n, f = len(weights), np.float32
    same = all(weights[i] == weights[n - 1 - i] for i in range(n))
    opposite = all(weights[i] == -weights[n - 1 - i] for i in range(n))
    terms = []
    for i in range(n):
        if weights[i] == 0 or ((same or opposite) and i > n - 1 - i):
            continue
        value = values[i]
        if same and i < n - 1 - i:
            value = values[i] + values[n - 1 - i]
        elif opposite:
            value = values[i] - values[n - 1 - i]
        terms.append(value * f(weights[i]))  # a product with -1 is exact, so it does not matter who is taken from whom
    while len(terms) > 1:
        rest = terms[len(terms) // 2 * 2 :]
        terms = [terms[k] + terms[k + 1] for k in range(0, len(terms) - 1, 2)] + rest
    return terms[0] if terms else values[0] * f(0)


@given(weights=kernels(), seed=st.integers(0, 99))
def test_floats_are_paired_from_both_ends_and_added_two_by_two(weights, seed):
    n = len(weights)
    image = np.random.default_rng(seed).normal(size=(1, 40)).astype(np.float32)
    got = evaluate(conv, image, kernel=(tuple(weights),), border="wrap")
    want = by_hand(np.stack([np.roll(image, n // 2 - i, axis=1) for i in range(n)]), weights)
    assert np.array_equal(got, want)


@pytest.mark.parametrize(("taps", "operations"), [(3, 4), (5, 7), (11, 16), (25, 37)])
def test_a_gaussian_takes_three_operations_for_two_taps(taps, operations):
    total = weighted_sum(looks(taps), gaussian_weights(taps / 8, taps))
    nodes = list(postorder((total,)))
    assert sum(n.op in ("add", "sub", "mul", "neg") for n in nodes) == operations
    depth: dict[Expr, int] = {}
    for node in nodes:
        depth[node] = max((depth[s] for s in node.src), default=0) + (node.op == "add")
    assert depth[total] == 1 + math.ceil(math.log2(taps // 2 + 1))


@pytest.mark.parametrize("sigma", [1.2, 2.0, 3.5])
def test_it_comes_nearer_to_the_exact_sum_than_from_left_to_right(sigma):
    weights = gaussian_weights(sigma)
    image = np.random.default_rng(5).uniform(0, 255, (60, 200)).astype(np.float32)
    taps = np.stack([np.roll(image, len(weights) // 2 - i, axis=1) for i in range(len(weights))])
    exact = np.tensordot(np.float64(np.float32(weights)), taps.astype(np.float64), 1)
    one_by_one = np.zeros_like(image)
    for weight, tap in zip(np.float32(weights), taps, strict=True):
        one_by_one = one_by_one + weight * tap
    got = evaluate(conv, image, kernel=(weights,), border="wrap")
    here, there = (np.abs(made - exact) for made in (got, one_by_one))
    assert here.max() <= there.max()
    assert here.mean() < there.mean()


def test_whole_numbers_stay_whole_and_in_their_order():
    plane = input_plane(0, 0, U8, (4, 4))
    a, b, c = (load(plane, Border(), dx=k).to(I32) for k in (-1, 0, 1))
    assert weighted_sum([load(plane, Border(), dx=k) for k in (-1, 0, 1)], (1, 2, 1)) is a + b * 2 + c
    assert weighted_sum([load(plane, Border(), dx=k) for k in (-1, 0, 1)], (0, 0, 0)).dtype == I32


CHOICES = tuple(Param(name, "bool", False, "", structural=True) for name in ("turned", "whole"))


@stage(params=CHOICES, per_channel=True, border=True)
def filtered(image: Plane, turned: bool, whole: bool) -> Expr:
    """A smoothing whose order is the tests'."""
    across, down = ((1, 3, -2), (2, 0, 1, 5, 1)) if whole else ((0.2, 0.5, 0.3), gaussian_weights(0.9, 5))
    return separable(image.expr, image.border, across, down, columns_first=turned)


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("size", [(1, 1), (2, 7), (9, 1), (13, 21)])
def test_columns_first_is_the_same_filter(border, size):
    image = np.random.default_rng(3).integers(0, 256, size).astype(np.uint8)
    given = {"border": border, "border_value": 9.0}
    rows, columns = (evaluate(filtered, image, whole=True, turned=t, **given) for t in (False, True))
    assert np.array_equal(rows, columns)
    rows, columns = (evaluate(filtered, image, turned=t, **given) for t in (False, True))
    np.testing.assert_allclose(rows, columns, rtol=3e-7, atol=0)
