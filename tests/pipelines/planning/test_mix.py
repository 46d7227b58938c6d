"""Instructions counted from the normal form."""

from __future__ import annotations

import pytest

from kernels.ir.expr import Expr, minimum
from kernels.ir.image import F32, U8, ImageType
from kernels.plugins import find_stage
from kernels.stage import Image
from pipelines.planning.mix import Mix, mix
from tests.pipelines.planning.made import own_stage

H, W = 48, 64
PIXELS = H * W


def of(function: object, dtype: object = F32) -> Mix:
    made = mix(own_stage(function).build([ImageType(dtype, H, W)], {}), [0])  # type: ignore[arg-type]
    assert made is not None
    return made


def test_floats_take_a_lane_each() -> None:
    def body(image: Image) -> Expr:
        x = image[0]()
        return (x + 1.0) * x - 2.0

    assert of(body) == Mix(3.0 * PIXELS, 0.0, 0.0, 0.0)


def test_bytes_alone_share_a_lane_and_beside_floats_do_not() -> None:
    def narrow(image: Image) -> Expr:
        return minimum(image[0](), image[0](0, 1))

    def beside(image: Image) -> Expr:
        return minimum(image[0](), image[0](0, 1)).to(F32) * 0.5

    assert of(narrow, U8).lanes == pytest.approx(PIXELS / 4)
    assert of(beside, U8).lanes == pytest.approx((1 + 2 + 1) * PIXELS)  # the conversion takes two


def test_looks_and_rows_of_intermediates_are_counted() -> None:
    def body(image: Image) -> Expr:
        across = image[0].of(image[0](-1) + image[0](1))
        return across(0, -1) + across(0, 1)

    made = of(body)
    assert made == Mix(2.0 * PIXELS, 4.0 * PIXELS, 1.0 * PIXELS, float(H))


def test_outputs_that_nobody_wants_are_not_counted() -> None:
    body = find_stage("gradient").build([ImageType(F32, H, W)], {})
    counts = [mix(body, [k]) for k in range(len(body.outputs))]
    every = mix(body, range(len(body.outputs)))
    assert every is not None
    assert all(c is not None and c.lanes < every.lanes for c in counts)


def test_a_state_is_read_and_written() -> None:
    body = find_stage("iir_lowpass").build([ImageType(F32, H, W)], {})
    made = mix(body, [0])
    assert made is not None
    assert (made.loads, made.stores) == (PIXELS, PIXELS)
