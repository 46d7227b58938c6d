"""Sums of channels in pairs: the same numbers, for every order of the terms and whatever else is added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.codegen.dot import dot_of
from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const
from kernels.ir.image import I32, U8, ImageType
from kernels.ir.planes import input_plane

executor = CpuExecutor(threads=1, cached=False)
weights = st.sampled_from((0, 1, -1, 255, 9798, 32767, -32768, 32768, 10**6, -(10**9)))


def agree(total: Expr, width: int, channels: int) -> None:
    size = (3, width)
    body = Body((ImageType(U8, *size, channels),), (Output("o", ImageType(I32, *size), (total,)),), {}, {})
    clip = np.random.default_rng(width).integers(0, 256, (2, *size, channels)).astype(np.uint8)
    clip[0, 0] = 255
    wanted = ReferenceProgram(body).run([clip], {})["o"]
    assert np.array_equal(executor.compile(body).run([clip], {})["o"], wanted)


@given(st.data(), st.sampled_from((1, 16, 33)), st.sampled_from((3, 4)))
@settings(max_examples=40, deadline=None)
def test_sums_of_channels(data, width, channels):
    size = (3, width)
    order = data.draw(st.permutations(range(channels)))
    terms = [input_plane(0, c, U8, size) * data.draw(weights) for c in order[: data.draw(st.integers(2, channels))]]
    terms.append(const(data.draw(st.integers(-(2**31), 2**31 - 1))))
    total = terms[0]
    for term in terms[1:]:
        total = total + term if data.draw(st.booleans()) else term + total
    agree(total >> 1, width, channels)


@pytest.mark.parametrize("channels", [3, 4])
def test_red_and_blue_of_four_channels_are_a_pair(channels):
    red, green, blue = (input_plane(0, c, U8, (3, 16)) * (c + 7) for c in range(3))
    found = dot_of(red + green + blue + 5, lambda _: channels, lambda _: False)
    assert (found is not None) == (channels == 4)
    if found is not None:
        assert found.weights == (7, 9)
        assert [t.op for t in found.rest] == ["mul", "const"]
