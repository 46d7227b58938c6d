"""Divisions by constants as products: the same bits, for every value that there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.exact_division import multiply, product
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, postorder
from kernels.ir.image import F32, F64, I16, U8, U16, DType, ImageType
from kernels.ir.planes import input_plane
from tests.strategies import same


def operations(node: Expr) -> list[str]:
    return [n.op for n in postorder((node,))]


@settings(max_examples=60, deadline=None)
@given(
    st.floats(width=32, min_value=2**-20, max_value=2**20) | st.integers(1, 70000).map(float),
    st.booleans(),
    st.integers(-300, 300),
    st.integers(0, 5000),
)
def test_a_product_is_the_quotient(size: float, negative: bool, least: int, count: int) -> None:
    divisor = float(np.float32(-size if negative else size))
    factors = product(divisor, least, least + count)
    if factors is None:
        return
    x = np.arange(least, least + count + 1).astype(np.float32)
    high, low = map(np.float32, factors)
    made = x * high + x * low if low else x * high
    assert same(made, x / np.float32(divisor))


@pytest.mark.parametrize(("divisor", "most"), [(255, 255), (1023, 1023), (4095, 4095), (65535, 65535), (3, 65535)])
def test_what_cameras_need_is_found(divisor: float, most: int) -> None:
    assert product(float(divisor), 0, most) is not None


@pytest.mark.parametrize("divisor", [0.0, np.inf, np.nan])
def test_what_is_no_quotient_stays(divisor: float) -> None:
    x = input_plane(0, 0, U8, (4, 4)).to(F32) / const(divisor, F32)
    assert product(divisor, 0, 255) is None
    assert multiply((x,)) == (x,)


def test_powers_of_two_are_products_of_anything() -> None:
    for dtype in (F32, F64):
        x = input_plane(0, 0, dtype, (4, 4))
        assert "div" not in operations(multiply((x / const(-256.0, dtype),))[0])
        assert "div" in operations(multiply((x / const(3.0, dtype),))[0])
    tiny = input_plane(0, 0, F32, (4, 4)) / const(2.0**-127, F32)  # 2**127 is a float
    assert "div" not in operations(multiply((tiny,))[0])
    huge = input_plane(0, 0, F32, (4, 4)) / const(2.0**127, F32)  # 2**-127 is one that some machines take for 0
    assert "div" in operations(multiply((huge,))[0])


@pytest.mark.parametrize("dtype", [U8, U16, I16])
@pytest.mark.parametrize("divisor", [255.0, -100.0, 7.0, 0.1, 65535.0])
def test_every_pixel_on_the_cpu(dtype: DType, divisor: float) -> None:
    every = np.arange(np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max + 1).astype(dtype.numpy)  # type: ignore[type-var]
    frame = every.reshape(-1, 256)
    root = input_plane(0, 0, dtype, frame.shape).to(F32) / const(divisor, F32)
    body = Body((ImageType(dtype, *frame.shape),), (Output("out", ImageType(F32, *frame.shape), (root,)),), {}, {})
    fast = CpuExecutor(threads=1).compile(body).run([frame[None]], {})["out"]
    assert same(np.asarray(fast), np.asarray(ReferenceProgram(body).run([frame[None]], {})["out"]))
