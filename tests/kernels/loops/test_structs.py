"""Structs of loops: the same in Python and compiled, taken apart, made, passed on; and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import ExprError
from kernels.executors import natives
from kernels.loops import language
from kernels.loops.calling import arguments, call
from kernels.loops.language import EIGHTS, F64, I64, LANES, PIXELS, at, lane_count, load_row, loop, store
from kernels.loops.records import Record, record
from kernels.loops.structs import Struct, struct


@record
class Totals(Record):
    sum: float
    count: int


@struct
class Picture(Struct):
    image: PIXELS
    height: int
    width: int


@struct
class Work(Struct):
    picture: Picture
    totals: Totals
    vectors: EIGHTS
    gain: float


@struct
class Wide(Struct):
    rows: LANES
    count: int


@loop
def rows_of(p: Picture, gain: float, out: F64) -> int:
    for i in range(p.height):
        out[i] = 0.0
        for j in range(p.width):
            out[i] = out[i] + gain * float(p.image[i * p.width + j])
    return p.height


@loop
def added(w: Work, out: F64) -> int:
    for i in range(w.picture.height):
        w.totals.sum += out[i] * w.gain
        w.totals.count += 1
    store(w.vectors, 0, load_row(w.vectors, 0) * w.gain)
    return 0


@loop
def both(w: Work, skipped: int, out: F64, places: I64) -> int:
    lower = Picture(at(w.picture.image, skipped * w.picture.width), w.picture.height - skipped, width=w.picture.width)
    done = rows_of(lower, w.gain, out)
    inner = Work(lower, w.totals, w.vectors, 2.0 * w.gain)
    added(inner, out)
    done += rows_of(Picture(w.picture.image, 1, w.picture.width), 1.0, at(out, done))
    added(Work(w.picture, inner.totals, vectors=w.vectors, gain=1.0), out)
    places[0] = inner.picture.height
    return int(done)


@loop
def widened(w: Wide) -> int:
    for k in range(w.count):
        w.rows[k, 1] = 3.0
    return lane_count(w.rows)


@settings(deadline=None, max_examples=15)
@given(st.integers(1, 6), st.integers(1, 9), st.sampled_from(["uint8", "uint16", "float32"]), st.integers(0, 2**32))
def test_compiled_structs_are_pythons(height, width, dtype, seed):
    made = []
    for loader in (natives.load, None):
        language.provide(loader)
        try:
            r = np.random.default_rng(seed)
            image = r.integers(0, 200, (height, width)).astype(dtype)
            w = Work(Picture(image, height, width), Totals(), r.normal(size=(3, 8)), 0.75)
            out, places = np.zeros(height + 1), np.zeros(1, np.int64)
            got = call(both, w, min(1, height - 1), out, places, pixels=dtype)
        finally:
            language.provide(natives.load)
        made.append((got, out.tobytes(), places.tolist(), w.vectors.tobytes(), w.totals.sum, w.totals.count))
    assert made[0] == made[1]
    assert made[0][5] == made[0][2][0] + height


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_vectors_of_either_type_lie_in_a_struct(dtype):
    made = []
    for loader in (natives.load, None):
        language.provide(loader)
        try:
            rows = np.zeros(64, dtype)
            made.append((call(widened, Wide(rows, 2), lanes=dtype), rows.tobytes()))
        finally:
            language.provide(natives.load)
    assert made[0] == made[1]
    assert made[0][0] == (16 if dtype == "float32" else 8)


def test_a_loop_with_structs_is_compiled():
    assert both.native("uint8") is not None


@loop
def sets_a_number(p: Picture) -> int:
    p.height = 3
    return 0


@loop
def adds_to_a_number(p: Picture) -> int:
    p.height += 3
    return 0


@loop
def names_no_field(p: Picture) -> int:
    return int(p.depth)


@loop
def makes_half(p: Picture) -> int:
    q = Picture(p.image, 3)
    return int(q.height)


@loop
def makes_too_much(p: Picture) -> int:
    return int(rows_of(Picture(p.image, 3, 4, 5), 1.0, p.image))


@loop
def nests_another(w: Work) -> int:
    v = Work(Wide(w.vectors, 1), w.totals, w.vectors, w.gain)
    return int(v.picture.height)


@loop
def names_nothing(p: Picture) -> int:
    a = 1

    return int(a + absent)  # noqa: F821


@loop
def has_no_form(p: Picture) -> int:
    del p
    return 0


@loop
def takes_it_whole(w: Work) -> int:
    return w.picture + 1


@loop
def mixes_names(w: Work) -> int:
    inner, height = w.picture, w.picture.height
    return int(inner.width + height)


@loop
def names_twice(w: Work) -> int:
    inner = w.picture
    inner = w.totals
    return int(inner.count)


@loop
def with_names(w: Work, out: F64) -> int:
    p, t = w.picture, w.totals
    again = p
    done = rows_of(p, w.gain, out)
    for i in range(again.height):
        t.sum += out[i]
    t.count += done
    return int(t.count)


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (sets_a_number, r"test_structs.py:122: loop sets_a_number: p.height is a field of a struct and cannot be set"),
        (adds_to_a_number, "p.height is a field of a struct and cannot be set"),
        (names_no_field, "Picture has no field depth"),
        (makes_half, "Picture is made of image, height, width"),
        (makes_too_much, "Picture is made of image, height, width"),
        (nests_another, "picture of Work is a Picture"),
        (takes_it_whole, "w.picture is a struct"),
        (mixes_names, "records and structs are named by themselves"),
        (names_twice, "inner is the name of a struct or of a record already"),
        (names_nothing, "there is no name 'absent'"),
        (has_no_form, "the language has no Delete"),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_what_a_struct_cannot_do_is_said(one, said):
    with pytest.raises(ExprError, match=said):
        one.text("uint8")


def test_the_machine_code_is_that_of_a_list_of_parameters():
    @loop
    def listed(image: PIXELS, height: int, width: int, gain: float, out: F64) -> int:
        for i in range(height):
            out[i] = 0.0
            for j in range(width):
                out[i] = out[i] + gain * float(image[i * width + j])
        return height

    plain = rows_of.text("uint8").replace("p.p.", "p.").replace("m.p.", "m.").replace("rows_of", "listed")
    assert plain == listed.text("uint8")


def test_a_field_that_is_a_struct_or_a_record_can_have_a_shorter_name():
    images = np.arange(12, dtype=np.uint8)
    seen = []
    try:
        for loader in (natives.load, None):
            language.provide(loader)
            totals, out = Totals(), np.zeros(3)
            work = Work(Picture(images, 3, 4), totals, np.zeros((1, 8)), 2.0)
            seen.append((call(with_names, work, out, pixels=np.uint8), totals.sum, totals.count, out.tolist()))
    finally:
        language.provide(natives.load)
    assert seen[0] == seen[1] == (3, 132.0, 3, [12.0, 44.0, 76.0])


def test_arguments_are_those_of_machine_code():
    picture, totals, out = Picture(np.arange(12.0), 3, 4), Totals(), np.zeros(8)
    work = Work(picture, totals, np.zeros((1, 8)), 2.0)
    native = with_names.native()
    assert native is not None
    assert native(*arguments(work, out)) == 3
    assert (totals.sum, totals.count) == (132.0, 3)
