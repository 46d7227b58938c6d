"""Strips in blocks of columns: wherever the blocks begin, the reference's bits, states and snapshots included."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kernels.executors.cpu import CpuExecutor, CpuProgram
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.columns import GRAIN, edges
from kernels.fusion.lower import lower
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, recur, state
from kernels.ir.image import F32, I16, I32, U8, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load
from kernels.plugins import registry
from tests.kernels.executors.test_cpu import agree, same_state
from tests.strategies import bodies, clips, composed

quick = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
FORCED = {n: CpuExecutor(threads=n, cached=False, columns=GRAIN) for n in (1, 3)}
WHOLE = CpuExecutor(threads=1, cached=False)
THREADS = st.sampled_from(sorted(FORCED))
WIDTHS = st.sampled_from((2 * GRAIN, 257, 270, 300, 335, 3 * GRAIN, 3 * GRAIN + 17, 431))


def can_be_lowered(body: Body) -> bool:
    """Some of many drawn bodies cannot: a state that is looked at with a stride in its own update's loop."""
    try:
        lower(body)
    except Unsupported:
        return False
    return True


@given(data=st.data())
@quick
def test_every_bit_of_random_bodies(data):
    body = data.draw(bodies(sizes=st.tuples(st.integers(1, 5), WIDTHS)).filter(can_be_lowered))
    agree(body, data.draw(clips(body, 4)), (1, 3), FORCED[data.draw(THREADS)])


@given(data=st.data())
@settings(quick, max_examples=15)
def test_every_bit_of_fused_bodies(data):
    first = data.draw(bodies(sizes=st.tuples(st.integers(1, 5), WIDTHS)))
    body = composed(first, data.draw(bodies(inputs=tuple(o.type for o in first.outputs))))
    assume(can_be_lowered(body))
    agree(body, data.draw(clips(body, 4)), (3, 1), FORCED[data.draw(THREADS)])


@st.composite
def near(draw: st.DrawFn, plane: Expr) -> Expr:
    """Something of a pixel's surroundings; four in a chain look no further than blocks may (`BESIDE`)."""
    border = Border(draw(st.sampled_from([b for b in BORDERS if b != "wrap"])), 3.0)
    total = plane
    for _ in range(draw(st.integers(1, 3))):
        reach = st.integers(-2, 2) | st.sampled_from((-16, -9, 9, 13, 16))
        total = total + draw(st.integers(-3, 3)) * load(plane, border, draw(reach), draw(st.integers(-2, 2)))
    return total


@given(data=st.data(), height=st.integers(1, 9), width=WIDTHS, threads=THREADS)
@quick
def test_chains_with_states_in_blocks(data, height, width, threads):
    """Chains that can be cut, by their make: what each looks at is made beside the blocks, states included."""
    size, dtype = (height, width), data.draw(st.sampled_from((U8, I16, F32)))
    x = input_plane(0, 0, dtype, size)
    mean = recur("mean", x.to(F32), state("mean", F32) + 0.25 * (x.to(F32) - state("mean", F32)))
    planes: list[Expr] = [mean.to(data.draw(st.sampled_from((U8, I16, I32, F32))))]
    for _ in range(data.draw(st.integers(1, 3))):
        planes.append(data.draw(near(planes[-1])))
        if data.draw(st.booleans()):
            planes[-1] = planes[-1].to(data.draw(st.sampled_from((U8, I16))))
    if data.draw(st.booleans()):  # an output that others look at
        planes.append(data.draw(near(planes[-1])))
    outputs = tuple(Output(f"o{i}", ImageType(p.dtype, *size), (p,)) for i, p in enumerate(planes[-2:]))
    body = Body((ImageType(dtype, *size),), outputs, {}, {}, updates=(mean,))
    clip = (np.random.default_rng(height * width).random((4, *size)) * 200).astype(dtype.numpy)
    program = agree(body, [clip], (1, 3), FORCED[threads])
    assert all(len(plan.columns) > 2 for plan in program.manifest.passes)
    other = WHOLE.compile(body)
    assert isinstance(other, CpuProgram)
    other.restore(program.snapshot())
    program.restore(other.snapshot())
    same_state(program.snapshot(), other.snapshot())


@given(width=st.integers(2 * GRAIN, 5000), columns=st.integers(1, 9), back=st.sampled_from((16, 32, 64)))
def test_blocks_are_the_whole_width(width, columns, back):
    found = edges(width, GRAIN * columns, back)
    assert (found[0], found[-1]) == (0, width)
    assert all(b - a >= GRAIN - back for a, b in itertools.pairwise(found))
    assert len(found) == 2 or found[-1] - found[-2] >= GRAIN
    assert all((edge + back) % GRAIN == 0 for edge in found[1:-1])


def harris(width: int) -> Body:
    return registry()["harris"].build((ImageType(U8, 6, width),), {})


@pytest.mark.parametrize("width", [700, 2048])
def test_what_outgrows_the_first_cache_goes_in_blocks(width):
    """With a cache of 48 KB, of which a step of this chain touches 45 and 125."""
    body = harris(width)
    executor = CpuExecutor(threads=2, cached=False)
    executor.blocks = (48 << 10, 0)
    clip = np.random.default_rng(1).integers(0, 256, (2, 6, width)).astype(np.uint8)
    program = executor.compile(body)
    assert isinstance(program, CpuProgram)
    assert (len(program.manifest.passes[0].columns) > 2) == (width == 2048)
    made, wanted = program.run([clip], {}), ReferenceProgram(body).run([clip], {})
    assert all(np.array_equal(made[name], wanted[name]) for name in wanted)


def test_nothing_is_cut_that_cannot_be():
    """Rows that go on with their other end, and tables."""
    type_ = ImageType(U8, 6, 512)
    x = input_plane(0, 0, U8, (6, 512))
    around = Body((type_,), (Output("o", type_, (load(x, Border("wrap"), 1),)),), {}, {})
    for body in (around, registry()["moments"].build((ImageType(F32, 6, 512),), {})):
        program = FORCED[1].compile(body)
        assert isinstance(program, CpuProgram)
        assert all(not plan.columns for plan in program.manifest.passes)
