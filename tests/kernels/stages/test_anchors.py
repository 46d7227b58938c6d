"""Boxes of single-shot detectors against a plain NumPy reading of the method, however a model arranges its heads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.decoders.anchors import centres
from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate, evaluate_clip
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.table import FEATURE, TableType
from kernels.loops.language import provide
from kernels.stages.anchors import anchors
from pipelines.features import FEATURE_DTYPE

SIZE = (128, 128)


def heads(seed: int, count: int = 896, points: int = 6, likely: float = 0.02, frames: int = 2):
    """Numbers and scores of boxes that often overlap."""
    rng = np.random.default_rng(seed)
    numbers = rng.uniform(-6, 6, (frames, count, 1, 4 + 2 * points)).astype(np.float32)
    numbers[..., 2:4] = rng.uniform(20, 60, (frames, count, 1, 2))
    scores = rng.normal(-6, 1, (frames, count, 1))
    sure = rng.random((frames, count, 1)) < likely
    return numbers, np.where(sure, rng.normal(2, 1.5, scores.shape), scores).astype(np.float32)


def plainly(numbers, scores, middles, overlap=0.3, least=0.5):
    """What the stage finds in one frame: (score, numbers) of each thing."""
    sure = 1 / (1 + np.exp(-scores.astype(np.float64).ravel()))
    boxes = numbers.reshape(len(sure), -1).astype(np.float64)
    boxes[:, [*range(2), *range(4, boxes.shape[1])]] += np.tile(middles * SIZE[0] - 0.5, (boxes.shape[1] - 2) // 2)
    left, found = sure > least, []
    while left.any():
        best = np.argmax(np.where(left, sure, -1))
        half = boxes[:, 2:4] / 2
        low = np.maximum(boxes[:, :2] - half, (boxes[:, :2] - half)[best])
        high = np.minimum(boxes[:, :2] + half, (boxes[:, :2] + half)[best])
        both = np.prod(np.maximum(high - low, 0), 1)
        part = both / (np.prod(boxes[:, 2:4], 1) + np.prod(boxes[best, 2:4]) - both)
        taken = left & (part > overlap)
        taken[best] = True
        mean = np.average(boxes[taken], 0, sure[taken])
        variance = np.average((boxes[taken] - mean) ** 2, 0, sure[taken]) if taken.sum() > 1 else 0 * mean
        found.append((sure[best], mean, variance))
        left &= ~taken
    return found


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from([0.0, 0.01, 0.1]), st.sampled_from([0, 1, 6]))
def test_boxes_are_those_of_the_method(seed, likely, points):
    numbers, scores = heads(seed, points=points, likely=likely)
    tables = evaluate_clip(anchors, numbers, scores, size=SIZE, capacity=200)
    middles = centres(896, (0, 0), (), (2.0,))
    for n in range(2):
        wanted = plainly(numbers[n], scores[n], middles)
        out, marks, boxes = (tables[name][n] for name in ("out", "points", "boxes"))
        assert (len(out.rows), len(boxes.rows), len(marks.rows)) == (len(wanted), len(wanted), len(wanted) * points)
        for k, (score, thing, variance) in enumerate(wanted):
            assert boxes.rows[k].tolist() == pytest.approx([*thing[:4], score], abs=1e-9)
            own = marks.rows[k * points : (k + 1) * points]
            assert np.allclose(np.stack([own["x"], own["y"]], -1).ravel(), thing[4:])
            assert own["point"].tolist() == list(range(points))
            assert (own["instance"] == k).all()
            for row, (xx, yy) in zip([out.rows[k], *own], np.delete(variance, [2, 3]).reshape(-1, 2), strict=True):
                if xx + yy > 0:
                    assert row["sigma"] == pytest.approx(np.sqrt((xx + yy) / 2))
                    assert row["anisotropy"] == pytest.approx((xx - yy) / (xx + yy), abs=1e-9)
                else:
                    assert np.isnan(row["sigma"])
            row = out.rows[k]
            assert [row[c] for c in ("x", "y", "peak", "area", "xx", "yy")] == pytest.approx(
                [*thing[:2], score, thing[2] * thing[3], thing[2] ** 2 / 12, thing[3] ** 2 / 12], abs=1e-6)  # fmt: skip


def test_every_arrangement_of_the_heads_gives_the_same():
    numbers, scores = heads(1, likely=0.01)
    wanted = evaluate(anchors, numbers[0], scores[0], size=SIZE)["points"].rows
    assert len(wanted)
    both = np.concatenate([scores[0][..., None], numbers[0]], -1)
    large, small = (numbers[0, :512].reshape(16, 16, 32), numbers[0, 512:].reshape(8, 8, 96))
    arrangements = [
        ((np.concatenate([numbers[0], scores[0][..., None]], -1),), {}),
        ((both,), {"score_place": "first"}),
        ((numbers[0, :512], scores[0, :512], numbers[0, 512:], scores[0, 512:]), {}),
        ((large, scores[0, :512].reshape(16, 16, 2), small, scores[0, 512:].reshape(8, 8, 6)), {}),
        ((both[:512], None, both[512:]), {"score_place": "first"}),
        ((numbers[0], 1 / (1 + np.exp(-scores[0]))), {"activation": "none"}),
        ((numbers[0] / 128, scores[0]), {"scale": 1.0}),
        ((numbers[0], scores[0]), {"strides": (8, 16, 16, 16)}),
        ((numbers[0], scores[0]), {"strides": (8, 16), "per_cell": (2, 6)}),
    ]
    for images, ask in arrangements:
        found = evaluate(anchors, *images, size=SIZE, **ask)["points"].rows
        for name in ("x", "y", "score"):
            assert np.allclose(found[name], wanted[name], atol=1e-4)


def test_a_placement_gives_size_and_place():
    numbers, scores = heads(2, likely=0.02)
    plain = evaluate(anchors, numbers[0], scores[0], size=SIZE)
    a, b, c, d, e, f = 2.0, -1.0, 30.0, 0.5, 3.0, -4.0
    where = np.array([a, b, c, d, e, f, 128, 128]).reshape(1, 1, 8)
    found = evaluate(anchors, numbers[0], scores[0], None, None, where)
    for name in ("out", "points"):
        x, y = plain[name].rows["x"], plain[name].rows["y"]
        assert np.allclose(found[name].rows["x"], a * x + b * y + c)
        assert np.allclose(found[name].rows["y"], d * x + e * y + f)
    assert np.allclose(found["boxes"].rows["width"], plain["boxes"].rows["width"] * np.hypot(a, d))
    assert np.allclose(found["boxes"].rows["height"], plain["boxes"].rows["height"] * np.hypot(b, e))
    assert np.allclose(found["out"].rows["area"], plain["out"].rows["area"] * (a * e - b * d))
    turn = np.array([[a, b], [d, e]])
    several = ~np.isnan(plain["out"].rows["sigma"])
    assert several.any()
    assert (found["out"].rows["sigma"][several] > 0).all()
    inside = turn @ np.diag([plain["out"].rows["xx"][0], plain["out"].rows["yy"][0]]) @ turn.T
    row = found["out"].rows[0]
    assert [row["xx"], row["xy"], row["yy"]] == pytest.approx([inside[0, 0], inside[0, 1], inside[1, 1]])
    nowhere = evaluate(anchors, numbers[0], scores[0], None, None, np.full((1, 1, 8), np.nan))
    assert not any(len(nowhere[name].rows) for name in ("out", "points", "boxes"))


def test_what_has_no_room_is_counted():
    numbers, scores = heads(3, likely=0.1)
    found = evaluate(anchors, numbers[0], scores[0], size=SIZE, overlap=0.9, capacity=10)
    everything = evaluate(anchors, numbers[0], scores[0], size=SIZE, overlap=0.9, capacity=896)
    assert len(found["out"].rows) == 10
    assert found["out"].overflow == len(everything["out"].rows) - 10
    assert found["points"].overflow == 6 * found["out"].overflow
    assert found["boxes"].rows.tolist() == everything["boxes"].rows[:10].tolist()


def test_a_box_alone_is_itself_and_does_not_scatter():
    """x times a score over that score is often not x: that would be a sigma of 1e-14 px."""
    rng = np.random.default_rng(0)
    numbers, scores = np.full((896, 1, 6), -9, np.float32), np.full((896, 1), -9, np.float32)
    sure = [150, 200, 260, 600, 700]
    numbers[sure] = rng.uniform(3, 9, (len(sure), 1, 6))
    scores[sure] = rng.uniform(1, 3, (len(sure), 1))
    for points in (1, 0):
        found = evaluate(anchors, numbers[..., : 4 + 2 * points], scores, size=SIZE)
        for table in (found["out"], *([found["points"]] if points else [])):
            assert len(table.rows) == len(sure)
            assert np.isnan(table.rows["sigma"]).all()
            assert not table.rows["anisotropy"].any()
        wanted = numbers[sure, 0, 2][np.argsort(-scores[sure, 0])].astype(float)
        assert found["boxes"].rows["width"].tolist() == wanted.tolist()


def test_of_very_many_sure_anchors_all_are_counted():
    numbers, scores = np.full((4900, 1, 4), 0.5, np.float32), np.full((4900, 1), 0.9, np.float32)
    scores[4000] = 0.95
    ask = {"size": (70, 70), "strides": (1,), "per_cell": (1,), "activation": "none", "capacity": 10}
    found = evaluate(anchors, numbers, scores, **ask)["out"]
    assert (len(found.rows), found.overflow) == (10, 4890)
    assert (found.rows["x"][0], found.rows["y"][0]) == (4000 % 70 + 0.5, 4000 // 70 + 0.5)


@pytest.mark.parametrize(("number", "wrong"), [(0, np.nan), (1, np.inf), (2, 0.0), (3, -5.0), (2, np.inf), (9, np.nan)])
def test_what_is_no_box_is_no_thing_and_harms_no_other(number, wrong):
    numbers, scores = heads(6, likely=0.02)
    sure = np.flatnonzero(scores[0] > 0)
    assert len(sure) > 3
    wanted = evaluate(anchors, numbers[0], np.where(scores[0] == scores[0].max(), -9, scores[0]), size=SIZE)
    numbers[0, np.argmax(scores[0]), 0, number] = wrong
    found = evaluate(anchors, numbers[0], scores[0], size=SIZE)
    for name in ("out", "points", "boxes"):
        assert found[name].rows.tobytes() == wanted[name].rows.tobytes()


def test_an_infinite_score_is_none_unless_it_is_a_logit():
    numbers, scores = heads(6, likely=0.0)
    scores[0, 7] = np.inf
    assert len(evaluate(anchors, numbers[0], scores[0], size=SIZE, activation="none")["out"].rows) == 0
    assert evaluate(anchors, numbers[0], scores[0], size=SIZE)["boxes"].rows["score"].tolist() == [1.0]


@pytest.mark.parametrize("count", [896, 2304, 2016, 2254])
def test_anchors_of_mediapipe_lie_in_every_cell(count):
    middles = centres(count, (0, 0), (), (2.0,))
    assert middles.shape == (count, 2)
    assert middles.min() > 0
    assert middles.max() < 1
    assert np.allclose(middles.mean(0), 0.5)


def test_compiled_and_python_give_the_same_bits():
    numbers, scores = heads(4, likely=0.03)
    scores[0, 5], numbers[1, 7] = np.nan, np.inf
    compiled = evaluate_clip(anchors, numbers, scores, size=SIZE)
    provide(None)
    try:
        plain = evaluate_clip(anchors, numbers, scores, size=SIZE)
    finally:
        from kernels.executors import natives

        provide(natives.load)
    for name in ("out", "points", "boxes"):
        for a, b in zip(compiled[name], plain[name], strict=True):
            assert a.rows.tobytes() == b.rows.tobytes()


def test_rows_are_of_the_type_that_trackers_take():
    numbers, scores = heads(5)
    assert evaluate(anchors, numbers[0], scores[0], size=SIZE)["out"].rows.dtype is FEATURE_DTYPE


BOXES, SCORES = ImageType(F32, 896, 1, 16), ImageType(F32, 896, 1)


@pytest.mark.parametrize(
    ("types", "params", "sentence"),
    [
        ([ImageType(U8, 896, 1, 16), SCORES], {}, "its boxes are an image of floats, not 1x896x16 u8"),
        ([BOXES, TableType(FEATURE, 4)], {}, "its scores are an image of floats, not table"),
        ([BOXES, SCORES], {"size": ()}, "without a placement it needs size"),
        ([BOXES, SCORES], {"size": (1,)}, "size takes two members"),
        ([BOXES, ImageType(F32, 895, 1)], {}, "there is one score an anchor"),
        ([BOXES], {}, "it gets 16 numbers an anchor; it takes 4 and two a key point"),
        ([BOXES, SCORES, BOXES], {}, "scores come with both boxes and boxes2, or with neither"),
        ([BOXES, SCORES, None, SCORES], {}, "scores2 needs boxes2"),
        ([BOXES, SCORES, ImageType(F32, 896, 1, 14), SCORES], {}, "boxes have 16 numbers an anchor, boxes2 14"),
        ([ImageType(F32, 100, 1, 16), ImageType(F32, 100, 1)], {}, r"gets 100 anchors; strides must say .* 896, 2016"),
        ([BOXES, SCORES], {"strides": (8, 16)}, "come to 640 anchors, but it gets 896"),
        ([BOXES, SCORES], {"strides": (8, 16), "per_cell": (1, 2, 3)}, "per_cell has 3 numbers"),
    ],
)
def test_mistakes_are_named(types, params, sentence):
    with pytest.raises(DefinitionError, match=sentence):
        anchors.build(types, {"size": SIZE, **params})
