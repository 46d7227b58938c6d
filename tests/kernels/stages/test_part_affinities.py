"""Peaks sorted into animals by part affinity fields: pictures with truth, crossings, missing points, the way back."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.image import F32, ImageType
from kernels.ir.placement import PLACEMENT
from kernels.ir.table import KEYPOINT, Table, TableType
from kernels.loops.language import provide
from kernels.stages.heatmap_peaks import heatmap_peaks
from kernels.stages.part_affinities import part_affinities
from tests.animals import EDGES, HEIGHT, NAMES, WIDTH, animal, drawn


def found(heat, fields, where=None, edges=EDGES, **more):
    """Peaks, and the same sorted into animals."""
    asked = {"instances": 8, "threshold": 0.3, "stride": 1.0 if where is None else 0.0}
    peaks = evaluate(heatmap_peaks, heat, None, where, **asked)["points"]
    return peaks, sort(peaks, fields, where, edges, **more)


def sort(peaks, fields, where=None, edges=EDGES, **more):
    text = ", ".join(f"{a}-{b}" for a, b in edges)
    types = [TableType(KEYPOINT, 400), ImageType(F32, *fields.shape), None if where is None else PLACEMENT]
    body = part_affinities.build(types, {"edges": text, **more})
    made = body.host.run([peaks, fields, where], body.params)
    assert made["out"].rows["x"].tolist() == made["points"].rows["x"].tolist()
    return made["points"]


def groups(table):
    """The animals: which point lies where, to whole pixels."""
    rows = table.rows
    return {frozenset((int(r["point"]), round(r["x"]), round(r["y"])) for r in rows[rows["instance"] == k])
            for k in np.unique(rows["instance"])}  # fmt: skip


def truth(animals, missing=()):
    return {frozenset((c, round(x), round(y)) for c, (x, y) in enumerate(one.tolist()) if (n, c) not in missing)
            for n, one in enumerate(animals)}  # fmt: skip


@pytest.mark.parametrize("turn", np.linspace(0.9, 2.8, 6))
def test_animals_that_cross_stay_whole(turn):
    """Their bodies form a cross: from 2 rad on a tail is nearer to the other's neck than to its own."""
    animals = [np.rint(animal(45, 36, 0.1)), np.rint(animal(48, 38, 0.1 + turn)), np.rint(animal(80, 30, 1.0))]
    apart = np.hypot(*(np.array([one[4] for one in animals[:2]])[:, None] - [one[1] for one in animals[:2]]).T)
    assert (apart.argmin(0) == [1, 0]).any() or turn < 2
    peaks, made = found(*drawn(animals))
    assert len(peaks.rows) == 15
    assert groups(made) == truth(animals)
    assert made.rows["point"].tolist() == [0, 1, 2, 3, 4] * 3


def test_missing_points_leave_the_rest_together():
    animals = [np.rint(animal(25, 36, 0.4)), np.rint(animal(60, 30, 2.0))]
    missing = {(0, 0), (0, 3), (1, 4)}
    _, made = found(*drawn(animals, missing))
    assert groups(made) == truth(animals, missing)
    # without a neck nothing is joined: single peaks are no animal, unless one point is enough
    gone = {(0, 1)}
    heat, fields = drawn(animals, gone)
    assert groups(found(heat, fields)[1]) == truth(animals[1:])
    assert len(groups(found(heat, fields, fewest=1)[1])) == 5
    # an edge more leads round it
    edges = (*EDGES, (0, 2), (0, 3), (2, 4))
    assert groups(found(*drawn(animals, gone, edges), edges=edges)[1]) == truth(animals, gone)


def test_places_are_px_of_the_frame_and_fields_may_be_coarser():
    """A letterbox of half the size, fields of a quarter of the heat maps."""
    animals = [np.rint(animal(45, 36, 0.1)), np.rint(animal(48, 38, 1.6))]
    heat, fields = drawn(animals, width=3.0)
    where = np.array([2.0, 0, 10, 0, 2.0, -30, WIDTH, HEIGHT]).reshape(1, 1, 8)
    coarse = fields.reshape(HEIGHT // 2, 2, WIDTH // 2, 2, -1).mean((1, 3), dtype=np.float32)
    made = found(heat, coarse, where)[1]
    assert groups(made) == truth([2 * one + (10, -30) for one in animals])
    assert not len(found(heat, coarse, np.full((1, 1, 8), np.nan))[1].rows)
    assert not len(sort(found(heat, fields)[0], coarse, np.zeros((1, 1, 8))).rows)  # a crop without extent


def test_the_affinity_is_the_mean_along_the_line():
    """Of a field that grows from left to right: its mean along a slanted line is its value in the middle."""
    rows = np.zeros(3, TableType(KEYPOINT, 1).numpy)
    rows["x"], rows["y"], rows["point"], rows["score"] = [10.3, 40.3, 10.3], [20.2, 60.2, 50.0], [0, 1, 1], 1.0
    fields = np.zeros((HEIGHT, WIDTH, 2), np.float32)
    fields[..., 0] = np.arange(WIDTH) / 50  # at 25.3 px: .506, of which 3/5 point along the line
    edge = ((0, 1),)
    for least, animals in ((0.3035, 1), (0.3037, 0)):
        made = sort(Table(rows[:2]), fields, None, edge, min_affinity=least, stride=1.0, longest=1.0)
        assert len(groups(made)) == animals
    # the line is 50 px long: beyond 40 px a quarter of .8 is lost
    for least, animals in ((0.1035, 1), (0.1037, 0)):
        made = sort(Table(rows[:2]), fields, None, edge, min_affinity=least, stride=1.0, longest=40 / WIDTH)
        assert len(groups(made)) == animals
    assert not len(sort(Table(rows[::2]), fields, None, edge, stride=1.0).rows)  # across the field
    rows["x"][1] = np.nan
    assert not len(sort(Table(rows[:2]), fields, None, edge, stride=1.0).rows)


def test_what_there_is_no_room_for_is_counted():
    animals = [np.rint(animal(x, 36, 0.0)) for x in (15, 45, 75)]
    heat, fields = drawn(animals)
    heat[:, :30] *= 0.8
    made = found(heat, fields, capacity=2)[1]
    assert (made.overflow, groups(made)) == (1, truth(animals[1:]))


def test_compiled_and_python_give_the_same_bits():
    rng = np.random.default_rng(5)
    rows = np.zeros(14, TableType(KEYPOINT, 1).numpy)
    rows["x"], rows["y"] = rng.uniform(-2, 14, 14), rng.uniform(-2, 10, 14)
    rows["point"], rows["score"] = np.arange(14) % 3, rng.uniform(0, 1, 14)
    fields = rng.standard_normal((9, 12, 4)).astype(np.float32)
    ask = {"edges": ((0, 1), (1, 2)), "min_affinity": 0.1, "pixels": "middle", "stride": 1.5}
    compiled = sort(Table(rows), fields, None, **ask)
    provide(None)
    try:
        plain = sort(Table(rows), fields, None, **ask)
    finally:
        from kernels.executors import natives

        provide(natives.load)
    assert len(compiled.rows) > 4
    assert compiled.rows.tobytes() == plain.rows.tobytes()


def test_what_does_not_fit_is_refused():
    table = TableType(KEYPOINT, 4)
    for types, params, words in (
        ([table, ImageType(F32, 4, 4, 5), None], {}, "5 channels"),
        ([table, ImageType(F32, 4, 4, 4), None], {"edges": "0-1"}, "1 edges take 2"),
        ([table, ImageType(F32, 4, 4, 2), None], {"names": NAMES, "edges": "nose-tale"}, "did you mean tail"),
        ([table, ImageType(F32, 4, 4, 2), None], {"edges": "0-700"}, "ends at point 700"),
        ([ImageType(F32, 4, 4), ImageType(F32, 4, 4, 2), None], {}, "table of key points"),
    ):
        with pytest.raises(DefinitionError, match=words):
            part_affinities.build(types, params)
