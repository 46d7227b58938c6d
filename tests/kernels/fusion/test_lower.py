"""Row programs: what stands in memory, how much of it, and when it is made."""

from __future__ import annotations

import pytest

from kernels.fusion.compose import compose
from kernels.fusion.lower import lower
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output, Part
from kernels.ir.expr import Expr, recur, state
from kernels.ir.image import F32, I32, U8, ImageType
from kernels.ir.planes import Border, gather, input_plane, load
from kernels.stages.gaussian import gaussian
from kernels.stages.gradient import gradient
from kernels.stages.iir_lowpass import iir_lowpass

SIZE = (64, 96)


def body_of(*planes: Expr, updates=(), dtype=F32) -> Body:
    outputs = tuple(Output(f"o{i}", ImageType(p.dtype, *p.size), (p,)) for i, p in enumerate(planes))
    return Body((ImageType(dtype, *SIZE),), outputs, {}, {}, updates=updates)


def rings(body: Body):
    return [[(s.kind, s.rows, s.left, s.right) for i in g.items for s in i.stores]
            for p in lower(body).passes for g in p.groups]  # fmt: skip


def test_a_point_chain_is_one_loop_without_memory():
    x = input_plane(0, 0, F32, SIZE)
    assert rings(body_of((x * 2 + 1) * x)) == [[]]


def test_rows_are_kept_exactly_as_long_as_they_are_looked_at():
    x = input_plane(0, 0, F32, SIZE)
    plane = x * x
    total = load(plane, Border(), 0, -1) + plane + load(plane, Border(), 0, 1)
    assert rings(body_of(total)) == [[("ring", 2, 0, 0)], []]  # the third is in the registers of the joined loops
    beside = total * load(plane, Border(), 1)
    assert rings(body_of(beside)) == [[("ring", 3, 0, 1)], []]  # a look to the side needs the whole row first
    for dy in (-2, 2):  # the output is two rows ahead, or behind
        assert rings(body_of(load(plane, Border("constant"), 0, dy))) == [[("ring", 1, 0, 0)], []]
    assert rings(body_of(load(plane, Border(), -2, 0) + load(plane, Border(), 1, 0))) == [[("ring", 1, 2, 1)], []]


def test_rows_of_an_image_that_would_meet_in_the_cache_are_copied():
    """Of 4096 bytes 12 may be looked at where they lie, of 2048 24; those of other lengths stand elsewhere."""
    cases = ((1024, F32, 13, True), (1024, F32, 12, False), (512, F32, 25, False), (512, F32, 26, True),
             (1000, F32, 26, False), (1024, U8, 26, False))  # fmt: skip
    for width, dtype, count, copied in cases:
        x = input_plane(0, 0, dtype, (64, width))
        total = load(x, Border(), 0, 0).to(F32)
        for dy in range(1, count):
            total = total + load(x, Border("replicate"), 0, dy).to(F32)
        body = Body((ImageType(dtype, 64, width),), (Output("o", ImageType(F32, 64, width), (total,)),), {}, {})
        assert (rings(body) == [[("ring", count - 1, 0, 0)], []]) == copied, (width, dtype, count)
        assert (rings(body) == [[]]) == (not copied), (width, dtype, count)


def test_a_fused_chain_is_made_just_in_time():
    smooth = gaussian.build([ImageType(F32, *SIZE)], {"size": 5})
    edges = gradient.build([ImageType(F32, *SIZE)])
    parts = (Part("a", iir_lowpass.build([ImageType(U8, *SIZE)]), (0,)), Part("b", smooth, (("a", "out"),)),
             Part("c", edges, (("b", "out"),)))  # fmt: skip
    (march,) = lower(compose(parts, [("c", "magnitude")])).passes
    assert [(g.lead, g.up, g.down) for g in march.groups] == [(3, 3, 3), (3, 3, 3), (1, 1, 1), (1, 1, 1), (0, 0, 0)]
    assert [s.rows for s in march.stores if s.kind == "ring"] == [4, 1, 2, 2]
    assert [g.joined for g in march.groups] == [None, None, 2, None, 1]
    assert march.stores[0].kind == "state"
    assert march.strip(10, 20) == (7, 23)
    assert march.strip(0, 64) == (0, 64)


def test_what_needs_a_whole_plane_waits_for_it():
    x = input_plane(0, 0, F32, SIZE)
    plane = x + 1.0
    mirrored = gather(plane, x.to(I32), x.to(I32), SIZE, Border())
    before, around = load(plane, Border(), dt=-2), load(plane, Border("wrap"), 0, 3)
    program = lower(body_of(load(mirrored, Border(), 1), around, before))
    assert len(program.passes) == 2
    assert [s.kind for s in program.frames] == ["frame"]
    assert program.depth == (2,)
    assert len(lower(body_of(gather(x, x.to(I32), x.to(I32), SIZE, Border()))).passes) == 1  # the input is whole


def test_two_borders_of_one_plane_are_two_copies():
    x = input_plane(0, 0, F32, SIZE)
    plane = x * x
    planes = [load(plane, Border(mode), 1) for mode in ("reflect101", "replicate", "reflect101")]
    assert len(lower(body_of(planes[0] + planes[1] + planes[2])).passes[0].stores) == 2


def test_first_values_that_look_around_are_left_to_the_reference():
    x = input_plane(0, 0, F32, SIZE)
    plain = recur("a", x * 2, state("a", F32) + x)
    far = recur("a", load(x, Border(), 1), state("a", F32) + x)
    assert lower(body_of(plain)).plain_start
    assert not lower(body_of(far)).plain_start


def test_a_look_without_end_is_refused():
    x = input_plane(0, 0, F32, SIZE)
    with pytest.raises(Unsupported, match="further than a row can be padded"):
        lower(body_of(load(x, Border(), 1 << 20)))
