"""Taps of equal weight: which products are shifted, and that few enough are kept."""

from __future__ import annotations

from kernels.codegen.products import product_of, shared_products
from kernels.ir.expr import Expr
from kernels.ir.image import F32
from kernels.ir.planes import Border, input_plane, load

X = input_plane(0, 0, F32, (8, 64))


def taps(weights: tuple[float, ...]) -> list[Expr]:
    return [load(X, Border(), k - len(weights) // 2) * w for k, w in enumerate(weights)]


def test_looks_aside_times_equal_weights_are_shared():
    products = taps((0.1, 0.2, 0.4, 0.2, 0.1))
    total = products[0] + products[1] + products[2] + products[3] + products[4]
    assert shared_products([total], (), {}) == {products[i] for i in (0, 1, 3, 4)}
    assert shared_products([products[0] + products[1]], (), {}) == frozenset()


def test_too_many_weights_would_take_all_registers():
    a, b, c, _, d, e, f = taps((0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1))
    assert shared_products([a + b + c + d + e + f], (), {}) == frozenset()


def test_a_product_is_of_one_look_aside_and_a_constant():
    look = load(X, Border(), 1)
    assert product_of(look * 2.0) is look
    assert product_of(2.0 * look) is look
    assert product_of(X * 2.0) is None
    assert product_of(look * X) is None
    assert product_of(look + 2.0) is None
