"""Points that a network gives as numbers: layouts, units, scores, the way back to the frame."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate, evaluate_clip
from kernels.ir.image import F32, U8, ImageType
from kernels.loops.language import provide
from kernels.stages.coordinates import coordinates
from pipelines.features import FEATURE_DTYPE

RNG = np.random.default_rng(5)
POINTS = RNG.uniform(0, 64, (7, 2)).astype(np.float32)


def placed(a=1.0, b=0.0, c=0.0, d=0.0, e=1.0, f=0.0, width=64.0, height=48.0):
    return np.array([a, b, c, d, e, f, width, height]).reshape(1, 1, 8)


def places(rows) -> np.ndarray:
    return np.stack([rows["x"], rows["y"]], -1)


@pytest.mark.parametrize(
    ("layout", "numbers"),
    [("", POINTS[:, None]), ("xy", POINTS[:, None]), ("xy", POINTS.reshape(1, 1, -1)),
     ("", np.insert(POINTS, 2, 9, 1)[:, None]), ("xy-", np.insert(POINTS, 2, 9, 1).reshape(-1, 1)),
     ("yx", POINTS[:, None, ::-1]), ("-y-x", np.insert(POINTS[:, ::-1], [0, 1], 9, 1)[None])],
)  # fmt: skip
def test_every_layout_gives_the_points(layout, numbers):
    rows = evaluate(coordinates, np.ascontiguousarray(numbers), layout=layout)["points"].rows
    assert np.allclose(places(rows), POINTS - 0.5)
    assert rows["point"].tolist() == list(range(7))
    assert (rows["score"] == 1).all()
    assert np.isnan(rows["sigma"]).all()


def test_units_and_origins():
    wanted = POINTS - 0.5
    assert np.allclose(places(evaluate(coordinates, POINTS[:, None], origin="centre")["points"].rows), POINTS)
    parts = POINTS / np.float32([64, 48])
    for unit, numbers in (("unit", parts), ("signed", 2 * parts - 1)):
        for ask in ((None, None), {"size": (64, 48)}), ((None, placed()), {}):
            rows = evaluate(coordinates, numbers[:, None], *ask[0], unit=unit, **ask[1])["points"].rows
            assert np.allclose(places(rows), wanted, atol=1e-4)


def test_a_placement_takes_points_to_the_frame():
    turn, shift = np.array([[1.5, -0.3], [0.2, 2.0]]), [100, -20]
    where = placed(*turn[0], shift[0], *turn[1], shift[1])
    found = evaluate(coordinates, POINTS[:, None], None, where)
    assert np.allclose(places(found["points"].rows), (POINTS - 0.5) @ turn.T + shift)
    assert np.array_equal(places(found["out"].rows), places(found["points"].rows))
    assert found["out"].rows.dtype is FEATURE_DTYPE
    assert not len(evaluate(coordinates, POINTS[:, None], None, np.full((1, 1, 8), np.nan))["points"].rows)


def test_scores_of_all_points_of_each_and_among_the_numbers():
    for presence, count in ((-0.1, 0), (0.1, 7)):
        rows = evaluate(coordinates, POINTS[:, None], np.full((1, 1), presence, np.float32))["points"].rows
        assert len(rows) == count
        assert np.allclose(rows["score"], 1 / (1 + np.exp(-presence)))
    each = np.float32([0.9, 0.2, 0.5, 0.8, np.nan, 0.1, 1.0])
    kept = [0, 2, 3, 6]
    apart = evaluate(coordinates, POINTS[:, None], each[:, None], activation="none")["points"].rows
    among = evaluate(coordinates, np.insert(POINTS, 2, each, 1)[:, None], layout="xys", activation="none")
    for rows in (apart, among["points"].rows):
        assert rows["point"].tolist() == kept
        assert np.allclose(rows["score"], each[kept])
        assert np.array_equal(rows["peak"], rows["score"])


def test_what_is_no_number_is_no_point():
    values = POINTS[:, None].copy()
    values[1, 0, 0], values[4, 0, 1] = np.nan, np.inf
    assert evaluate(coordinates, values)["points"].rows["point"].tolist() == [0, 2, 3, 5, 6]


def test_compiled_and_python_give_the_same_bits():
    values, scores = RNG.normal(0, 2, (3, 9, 1, 3)).astype(np.float32), RNG.normal(0, 2, (3, 9, 1)).astype(np.float32)
    where = RNG.normal(0, 2, (3, 1, 1, 8))
    ask = (coordinates, values, scores, where)
    compiled = evaluate_clip(*ask, unit="signed")
    provide(None)
    try:
        plain = evaluate_clip(*ask, unit="signed")
    finally:
        from kernels.executors import natives

        provide(natives.load)
    for name in ("out", "points"):
        assert [t.rows.tobytes() for t in compiled[name]] == [t.rows.tobytes() for t in plain[name]]
    assert sum(len(t.rows) for t in compiled["out"]) > 3


@pytest.mark.parametrize(
    ("types", "params", "sentence"),
    [
        ([ImageType(U8, 7, 1, 2)], {}, "its values are an image of floats, not 1x7x2 u8"),
        ([ImageType(F32, 1, 1, 136)], {}, "it gets 136 numbers; layout must say what those of a point are"),
        ([ImageType(F32, 1, 1, 136)], {"layout": "xyz"}, "layout is made of one x, one y, at most one s, and -, not"),
        ([ImageType(F32, 1, 1, 136)], {"layout": "xy-"}, "136 numbers are not a whole number of points with 3 each"),
        ([ImageType(F32, 7, 1, 2), ImageType(F32, 6, 1)], {}, "it gets 6 scores for 7 points; it takes one"),
        ([ImageType(F32, 7, 1, 2)], {"unit": "unit"}, "without a placement it needs size"),
        ([ImageType(F32, 7, 1, 2), None, ImageType(F32, 1, 1)], {}, "its placement is an image of one pixel"),
    ],
)
def test_mistakes_are_named(types, params, sentence):
    with pytest.raises(DefinitionError, match=sentence):
        coordinates.build(types, params)
