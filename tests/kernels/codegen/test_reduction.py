"""Regional reductions of the cpu executor: bit for bit the reference's, whatever is summed over whatever regions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.powers import MOST_X, MOST_Y, Powers, Term
from kernels.codegen.reduction_state import BLOCK
from kernels.errors import DefinitionError
from kernels.executors import table_assembly
from kernels.executors.cpu import CpuExecutor
from kernels.executors.machine import ISAS, Machine
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.fusion.narrow import ranges
from kernels.ir.body import Body, Output, Part
from kernels.ir.expr import Expr, const, convert, postorder, select
from kernels.ir.image import BOOL, F32, F64, I16, I32, I64, U8, U16, ImageType
from kernels.ir.planes import coord, input_plane, spread
from kernels.ir.table import Column, Reduction, Regions, fixed, table_type
from kernels.ir.verify import verify
from kernels.stages.moments import moments
from tests.kernels.test_conformance import STAGES, agree, clip_of, cut
from tests.strategies import LIVE, Scope, arrays, expressions, values

quick = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
MADE = {n: CpuExecutor(threads=n, cached=False) for n in (1, 2, 3)}
THREADS = st.sampled_from(sorted(MADE))
SIZES = st.tuples(st.sampled_from((1, 2, 9, BLOCK, BLOCK + 1, 2 * BLOCK + 9)),
                  st.integers(1, 40) | st.sampled_from((63, 64, 65, 129)))  # fmt: skip
FRAMES = 2


def body_of(inputs, regions: Regions, columns, size) -> Body:
    table = Reduction(regions, tuple(columns))
    live = dict(LIVE) | ({regions.boxes: None} if regions.boxes else {})
    params = {"gain": 1.5, "count": 3, "on": True} | ({regions.boxes: ()} if regions.boxes else {})
    body = Body(tuple(inputs), (Output("out", table_type(table, size), table=table),), live, params)
    verify(body)
    return body


def equal_to_reference(body: Body, clip, made: CpuExecutor, params=None) -> None:
    program, reference = made.compile(body), ReferenceProgram(body)
    assert program.back_end == "cpu", program.reason
    for first, last in ((0, 1), (1, FRAMES)):
        part = cut(clip, first, last)
        assert agree(program.run(part, params or {}), reference.run(part, params or {}))


@st.composite
def regions_of(draw, size):
    """Regions and the parameters that they need."""
    kind = draw(st.sampled_from(("whole", "grid", "boxes", "boxes")))
    if kind == "whole":
        return Regions(), {}
    if kind == "grid":
        cell = draw(st.sampled_from((1, 2, 7, 16, 200))), draw(st.sampled_from((1, 2, 7, BLOCK, 200)))
        return Regions("grid", *cell), {}
    x, y = st.integers(-5, size[1] + 5), st.integers(-5, size[0] + 5)
    wide, tall = st.integers(0, size[1] + 9) | st.just(1), st.integers(0, size[0] + 9)
    boxes = draw(st.lists(st.tuples(x, y, wide, tall), max_size=6))
    return Regions("boxes", boxes="boxes", capacity=5), {"boxes": tuple(tuple(map(float, b)) for b in boxes)}


@st.composite
def products(draw, planes, size) -> Expr:
    """A value times coordinates and numbers, in any order, in i32 (which may wrap) or i64."""
    dtype = draw(st.sampled_from((I32, I64)))
    value = draw(st.sampled_from(planes))
    if value.dtype.is_float:
        value = fixed(value, 8)
    if draw(st.booleans()):
        value = select(draw(st.sampled_from(planes)).to(BOOL), value, 0)
    factors = [convert(value, dtype)]
    factors += [coord("x", size)] * draw(st.integers(0, MOST_X + 1)) + [coord("y", size)] * draw(st.integers(0, 3))
    factors += [const(n) for n in draw(st.lists(st.sampled_from((0, -3, 7, 1000)), max_size=2))]
    made = None
    for factor in draw(st.permutations(factors)):
        term = convert(factor, draw(st.sampled_from((dtype, dtype, I32)))) if factor.op != "const" else factor
        made = term if made is None else made * term
    return convert(made, draw(st.sampled_from((I16, I32, I64, I64))))


@given(data=st.data())
@quick
def test_every_bit_of_products_with_coordinates(data):
    size = data.draw(SIZES)
    dtypes = data.draw(st.lists(st.sampled_from((BOOL, U8, U16, I16, I32, F32)), min_size=1, max_size=2))
    planes = [input_plane(i, 0, t, size) for i, t in enumerate(dtypes)]
    columns = [Column(f"c{i}", "sum", spread(data.draw(products(planes, size)), size))
               for i in range(data.draw(st.integers(1, 5)))]  # fmt: skip
    columns.append(Column("count", "count", planes[0].to(BOOL)))
    columns += [Column(kind, kind, planes[-1].to(I32)) for kind in ("min", "max")]
    regions, params = data.draw(regions_of(size))
    body = body_of([ImageType(t, *size) for t in dtypes], regions, columns, size)
    clip = [data.draw(arrays(t, (FRAMES, *size))) for t in dtypes]
    equal_to_reference(body, clip, MADE[data.draw(THREADS)], params)


@given(data=st.data())
@quick
def test_every_bit_of_random_columns(data):
    """Any expression: kept planes, loads aside, states of nothing, floats in extrema."""
    size = data.draw(SIZES)
    dtypes = data.draw(st.lists(st.sampled_from((BOOL, U8, U16, I16, I32, F32, F64, I64)), min_size=1, max_size=2))
    scope = Scope(size, tuple(input_plane(i, 0, t, size) for i, t in enumerate(dtypes)))
    columns = []
    for i in range(data.draw(st.integers(1, 4))):
        kind, drawn = data.draw(st.sampled_from(("sum", "count", "min", "max"))), data.draw(expressions(scope, 3))
        if kind == "count":
            drawn = convert(drawn, BOOL)
        elif drawn.dtype == BOOL or (kind == "sum" and drawn.dtype.is_float):
            drawn = convert(drawn, data.draw(st.sampled_from((I32, I64))))
        columns.append(Column(f"c{i}", kind, spread(drawn, size)))
    columns.append(Column("all", "count", spread(const(True), size) if data.draw(st.booleans()) else const(True)))
    regions, params = data.draw(regions_of(size))
    body = body_of([ImageType(t, *size) for t in dtypes], regions, columns, size)
    clip = [data.draw(arrays(t, (FRAMES, *size))) for t in dtypes]
    equal_to_reference(body, clip, MADE[data.draw(THREADS)], params)


@pytest.mark.parametrize("dtype", [U8, U16, I16, I32, F32, BOOL], ids=str)
@pytest.mark.parametrize("end", ["least", "most"])
def test_extreme_pixels_down_a_high_image(dtype, end):
    """The sums of a block are as large as they get: no type is too short for them."""
    size = (3 * BLOCK + 5, 70)
    body = moments.build([ImageType(dtype, *size)], {"regions": "whole"})
    if dtype.is_float or dtype == BOOL:
        value = {"least": -1e30 if dtype.is_float else 0, "most": 1e30 if dtype.is_float else 1}[end]
    else:
        info = np.iinfo(dtype.numpy)
        value = info.min if end == "least" else info.max
    clip = [np.full((FRAMES, *size), value, dtype.numpy), None]
    for made in MADE.values():
        equal_to_reference(body, clip, made)


@pytest.mark.parametrize("isa", ISAS[1:])
def test_moments_are_sums_over_pixels(isa):
    """Python's own whole numbers, pixel by pixel; spans of every alignment."""
    try:
        made = CpuExecutor(isa, threads=2, cached=False)
    except DefinitionError:
        pytest.skip("another processor")
    if isa == "avx512" and "+avx512bw" not in Machine().features:
        pytest.skip("no AVX-512 here")
    size = (75, 100)
    boxes = tuple((float(k), float(k % 7), float(1 + 3 * k % 41), 69.0) for k in range(40))
    frame = np.random.default_rng(4).integers(0, 256, (1, *size)).astype(np.uint8)
    body = moments.build([ImageType(U8, *size)], {"regions": "boxes"})
    rows = made.compile(body).run([frame, None], {"boxes": boxes})["out"][0].rows
    for row, box in zip(rows, boxes, strict=True):
        left, top, w, h = map(int, box)
        part = frame[0, top : top + h, left : left + w]
        wanted = dict.fromkeys(("m00", "m10", "m01", "m20", "m11", "m02"), 0)
        for (y, x), v in np.ndenumerate(part):
            x, y, v = x + left, y + top, int(v)
            for name in wanted:
                wanted[name] += x ** int(name[1]) * y ** int(name[2]) * v
        assert {name: int(row[name]) for name in wanted} == wanted
        assert (row["count"], row["min"], row["max"]) == (part.size, part.min(), part.max())


@pytest.mark.parametrize("dtype", [U8, BOOL], ids=str)
def test_regions_without_room_are_folded_row_by_row(dtype, monkeypatch):
    """Regions that overlap too much to be kept from row to row."""
    size = (90, 150)
    body = moments.build([ImageType(dtype, *size)], {"regions": "boxes"})
    boxes = tuple((float(3 * k), float(k), 70.0, 80.0) for k in range(20))
    clip = clip_of(body, 6)
    clip[0][:, :, 50:] = 1  # some regions are all of one value
    for most in (0, 1 << 16, 1 << 18):
        monkeypatch.setattr(table_assembly, "MOST_HELD", most)
        equal_to_reference(body, clip, CpuExecutor(threads=2, cached=False), {"boxes": boxes})


def test_regions_that_grow_while_it_runs():
    """More boxes and wider ones need more room than those before them."""
    size = (70, 200)
    body = moments.build([ImageType(U8, *size)], {"regions": "boxes", "capacity": 30})
    program, reference = MADE[2].compile(body), ReferenceProgram(body)
    clip = clip_of(body, 8)
    for count in (0, 1, 5, 30, 2, 0, 30):
        params = {"boxes": tuple((float(k), float(k), 10.0 + 5 * count, 3.0 + 2 * k) for k in range(count))}
        assert agree(program.run(cut(clip, 0, 2), params), reference.run(cut(clip, 0, 2), params))


def test_a_mask_that_stages_before_it_make():
    """The fused shape that people use: a threshold of edges, its moments in boxes, and the mask besides."""
    frame = ImageType(U8, 80, 93)
    size = (80, 93)
    parts = (
        Part("smooth", STAGES["binomial"].build([frame]), (0,)),
        Part("edges", STAGES["gradient"].build([frame]), (("smooth", "out"),)),
        Part("mask", STAGES["threshold"].build([ImageType(I32, *size)], {"level": 60.0}), (("edges", "l1"),)),
        Part("moments", moments.build([ImageType(BOOL, *size)], {"regions": "boxes"}), (("mask", "out"), None)),
    )
    boxes = tuple((7.0 * k, 5.0 * k, 30.0, 66.0) for k in range(12))
    for outputs in ([("moments", "out")], [("moments", "out"), ("mask", "out")]):
        body = compose(parts, outputs)
        name = next(n for n, dtype in body.live.items() if dtype is None)
        for made in MADE.values():
            equal_to_reference(body, clip_of(body, 9), made, dict(body.params) | {name: boxes})


def found(root: Expr, kept=()) -> Term:
    return Powers(ranges(list(postorder((root,)))), set(kept)).term(root)


def test_powers_are_taken_out_of_what_cannot_wrap():
    size = (100, 200)
    pixel, x, y = input_plane(0, 0, U8, size), coord("x", size), coord("y", size)
    assert found(pixel.to(I32) * x * y) == Term(pixel, 1, 1)
    assert found((y * (x * 3)) * (pixel.to(I32) * y)) == Term(pixel, 1, 2, 3)
    assert found(pixel.to(BOOL).to(I32) * x * x).base == pixel.to(BOOL)
    assert found(pixel.to(I64) * x * x * x * x) == Term(pixel, 4)
    assert found(x * y).px == found(x * y).py == 1


def test_what_may_wrap_or_saturate_or_stands_in_memory_stays():
    size = (1000, 2000)
    pixel, x, y = input_plane(0, 0, U8, size), coord("x", size), coord("y", size)
    wraps = pixel.to(I32) * x * x * y  # 255 * 1999**2 * 999
    assert found(wraps).py == 0
    saturates = convert(pixel.to(I32) * x, I16)
    assert found(saturates) == Term(saturates)
    assert found(wraps.to(I64) * y).py == 1, "the factor outside the wrapped product"
    product = pixel.to(I32) * x
    assert found(product * y, kept=(product,)) == Term(product, 0, 1)
    high = pixel.to(I64) * y * y * y
    assert found(high).py <= MOST_Y
    assert found(pixel.to(F32).to(I32)).base.op == "convert"


@given(value=values(I32))
@settings(max_examples=20, deadline=None)
def test_a_number_in_every_pixel(value):
    """Sums of constants, which have no plane."""
    size = (BLOCK + 3, 33)
    x, y = coord("x", size), coord("y", size)
    terms = [spread(const(value), size), x * y, const(value).to(I64) * x * y * y]
    columns = [Column(f"c{i}", "sum", term) for i, term in enumerate(terms)]
    body = body_of([ImageType(U8, *size)], Regions("grid", 9, 50), columns, size)
    equal_to_reference(body, [np.zeros((FRAMES, *size), np.uint8)], MADE[2])
