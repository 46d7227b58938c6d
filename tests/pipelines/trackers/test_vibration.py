"""The vibration tracker: exact plates, measured noise, spectra, seams."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors import natives
from kernels.loops import language as host
from kernels.loops.calling import call
from pipelines.features import Reason, State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.response import (
    batch_estimate_loops,
    calibration_loops,
    design_loops,
    gram_loops,
    nonlinearity_calibration_loops,
    nonlinearity_prior_loops,
    product_loops,
    reference_residual_loops,
    response,
    response_estimate_loops,
    response_loops,
    truncated_estimate_loops,
)
from pipelines.trackers.registration.response.response import ones, responses, room_of, starts
from pipelines.trackers.registration.windows.packing import halves, line_masks, moves, vectors
from pipelines.trackers.registration.windows.structs import Batch, Packing, Subset
from pipelines.trackers.registration.windows.subpixel import MARGIN, tiles_at
from pipelines.trackers.registration.windows.taps import TABLE
from tests.pipelines.trackers.plates import SHAPE, errors, exposed


@pytest.fixture(scope="module")
def plate(scene):
    return scene.Speckle(seed=5, corr=1.4)


def test_the_loops_read_constants_where_the_response_puts_them():
    names = ("INVERSE", "FIRST", "SECOND", "BASIS", "SCALE", "SPREAD", "AXES", "PIXELS_A", "PLAIN", "GRAM", "GRAM_A",
             "CLEAR", "HIDDEN", "UNBENT", "BEND", "LEFT", "NOISE", "GRAIN", "EVEN", "RAW", "RAW_A", "CONSTANTS",
             "DEGREE")  # fmt: skip
    read = set()
    for loops in (response_estimate_loops, design_loops, calibration_loops, product_loops,
                  nonlinearity_calibration_loops, truncated_estimate_loops, nonlinearity_prior_loops,
                  reference_residual_loops, response_loops, batch_estimate_loops, gram_loops):  # fmt: skip
        for name in set(names) & set(vars(loops)):
            assert getattr(loops, name) == getattr(response, name), (loops.__name__, name)
            read.add(name)
    assert read == set(names)
    assert len(response.POWERS) == response_estimate_loops.TERMS == nonlinearity_prior_loops.TERMS
    reasons = (int(Reason.LEFT_IMAGE), int(Reason.LOW_SCORE), int(Reason.NO_TEXTURE))
    assert reasons == (response_loops.OUTSIDE, response_loops.LOW, response_loops.BARE)
    assert reasons[:2] == (truncated_estimate_loops.OUTSIDE, truncated_estimate_loops.LOW)


@pytest.mark.parametrize("window", [9, 15, 21, 33])
def test_halves_share_the_window_fairly_and_blocks_hold_each_pixel_once(window):
    first = halves(window)
    assert abs(2 * int(first.sum()) - window * window) == 1
    away = np.arange(window) - window // 2
    # Rotation and strain about the centre move both halves by the same amount: by nothing.
    assert (first * away[None, :]).sum() == (first * away[:, None]).sum() == 0
    columns = np.concatenate([np.arange(s, s + 8) for s in starts(window)])[ones(window) > 0]
    assert sorted(columns.tolist()) == list(range(window))


def answer(plate_image, tile_image, window=21, along="auto"):
    """Displacement, and noise between the halves, by the loops run as Python."""
    tiles = tiles_at(tile_image, np.array([48.0]), np.array([48.0]), window)
    made = responses(tiles, along)
    state, rows = np.zeros(response_loops.STATE), np.zeros(response_loops.OUT)
    state[:2] = 48.0
    room, lines = room_of(window), line_masks(window)
    batch = Batch(plate_image.ravel(), *plate_image.shape, np.zeros(1, np.int64), np.ones(1), 1)
    subset = Subset(
        window, Packing(moves(window, plate_image.shape[1]), lines, lines.ravel(), room.reshape(-1, 16), room),
        made.columns.reshape(-1, 16), vectors(window), made.constants.ravel(), tiles.ravel(), TABLE.ravel(),
        np.zeros(response.work_of(window)),
    )  # fmt: skip
    response_loops.follow(batch, subset, 1, state, 2, 0.5, 0, np.zeros(response_loops.SEEN), rows)
    return rows


@given(st.floats(-0.55, 0.55), st.floats(-0.55, 0.55), st.floats(0.2, 3.0), st.floats(-50, 50))
@settings(max_examples=15, deadline=None)
def test_an_answer_is_the_shift_whatever_the_lamp_does(dx, dy, gain, offset):
    from tests.pipelines.trackers.conftest import Speckle

    plate = Speckle(seed=5, corr=1.4)
    still, moved = 100 + 30 * plate.image(*SHAPE), 100 + 30 * plate.image(*SHAPE, dx, dy)
    got = answer(moved, still)
    np.testing.assert_allclose(got[:2], (dx, dy), atol=2.5e-3)
    # Neither half knows more than the other once the bend is taken off.
    assert np.abs(got[response_loops.OUT_NX : response_loops.OUT_NY + 1]).max() < 4e-3
    lit = answer(gain * moved + offset, still)
    np.testing.assert_allclose(lit[:2], got[:2], atol=1e-7)  # columns are of single precision


@pytest.mark.parametrize(("window", "count"), [(9, 3), (9, 12), (21, 12)])
def test_the_loops_give_the_same_bits_as_machine_code(plate, window, count):
    rng = np.random.default_rng(0)
    way = 1.3 if count == 3 else 0.13
    frames = np.stack([exposed(plate, 0.4 * np.sin(i), way * i, rng=rng, noise=2) for i in range(count)])
    frames[-1, 30:] = 7  # one is lost, and searched for
    points = np.array([[30.0, 30.0], [48, 48], [4, 20]])
    tiles = tiles_at(frames[0], *points.T, window)
    made = responses(tiles)
    results = []
    assert response_loops.follow.native(np.uint8, np.float32) is not None
    for loader in (natives.load, None):
        states, rows = np.zeros((3, response_loops.STATE)), np.zeros((count, 3, response_loops.OUT))
        states[:, :2] = points
        room, lines = room_of(window), line_masks(window)
        batch = Batch(frames.ravel(), *SHAPE, np.arange(count) * frames[0].size, np.ones(count), count)
        subset = Subset(
            window, Packing(moves(window, SHAPE[1]), lines, lines.ravel(), room, room), made.columns, vectors(window),
            made.constants, tiles, TABLE, np.zeros(response.work_of(window)),
        )  # fmt: skip
        host.provide(loader)
        try:
            call(response_loops.follow, batch, subset, 3, states, 1, 0.7, 0, np.zeros(3 * response_loops.SEEN), rows,
                 pixels=np.uint8, lanes=np.float32)  # fmt: skip
        finally:
            host.provide(natives.load)
        results.append((states, rows))
    assert results[0][0].tobytes() == results[1][0].tobytes()
    assert results[0][1].tobytes() == results[1][1].tobytes()
    assert {int(v) for v in np.unique(results[0][1][:, :, response_loops.OUT_REASON])} >= {0, int(Reason.LOW_SCORE)}


GRID = tuple((x, y) for x in (16.0, 37.3, 58.0, 79.0) for y in (18.0, 48.6, 77.0))
PATH = np.stack((0.5 * np.sin(0.37 * np.arange(160)), 1.7 * np.sin(0.11 * np.arange(160))), axis=1)


@pytest.mark.parametrize(("gain", "scale"), [(0.0, 1), (0.3, 1), (0.3, 16)])
def test_a_plate_is_followed_to_thousandths_of_a_pixel_in_any_light_and_depth(scene, plate, gain, scale):
    clip = [exposed(plate, *p, 1 - gain * (i % 3 == 1), scale=scale) for i, p in enumerate(PATH)]
    error, rows = errors(scene.run(make_tracker("vibration", {"points": GRID}, SHAPE, 1000.0), clip, "image"), PATH)
    assert len(rows) == len(GRID) * 160
    assert np.sqrt(np.mean(error**2)) < 0.0035
    assert np.abs(error).max() < 0.015


def test_what_differs_between_the_halves_is_no_misfit(scene):
    # A saddle: one half of the window at its centre is bright, the other dark.
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]] - 48.0
    clip = [128 + 100 * np.sin((x - d) / 12) * np.sin((y + d) / 12) for d in (0.0, 0.2, -0.3)]
    rows = scene.run(make_tracker("vibration", {"points": ((48.0, 48.0),)}, SHAPE, 1000.0), clip, "image")
    assert rows["score"].min() > 0.999
    np.testing.assert_allclose(rows["x"] - 48, (0.0, 0.2, -0.3), atol=2e-3)


def test_stripes_are_measured_across_and_say_nothing_along(scene):
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(float)
    normal = np.array([np.cos(0.4), np.sin(0.4)])
    moves = 0.6 * np.sin(0.5 * np.arange(60))
    # They slide along themselves too, which nobody can see.
    clip = [120 + 60 * np.sin(0.7 * ((x * normal[0] + y * normal[1]) - m)) + 30 * np.sin(0.31 * (
        x * normal[0] + y * normal[1] - m)) for m in moves]  # fmt: skip
    made = make_tracker("vibration", {"points": ((48.0, 48.0), (30.0, 60.0))}, SHAPE, 1000.0)
    rows = scene.run(made, clip, "image")
    assert (rows["state"] == State.TRACKED).all()
    for k in (0, 1):
        mine = rows[rows["track"] == k]
        moved = np.stack((mine["x"] - mine["x"][0], mine["y"] - mine["y"][0]), axis=1)
        np.testing.assert_allclose(moved @ normal, moves - moves[0], atol=0.01)
        np.testing.assert_allclose(moved @ (-normal[1], normal[0]), 0, atol=0.01)
    made = make_tracker("vibration", {"points": ((48.0, 48.0),), "along": "both"}, SHAPE, 1000.0)
    both = scene.run(made, clip[:3], "image")
    assert both[["state", "reason"]].tolist() == [(State.LOST, Reason.NO_TEXTURE)]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(0, 2**31))
@settings(max_examples=8, deadline=None)
def test_batches_snapshots_and_gaps_change_nothing(cuts, seed):
    from tests.pipelines.trackers.conftest import Speckle

    plate, rng = Speckle(seed=5, corr=1.4), np.random.default_rng(seed)
    count = 26
    clip = [exposed(plate, *PATH[i], rng=rng, noise=3) for i in range(count)]
    clip[7] = np.zeros(SHAPE, np.uint8)
    index = np.cumsum(rng.integers(1, 3, count)).tolist()
    params = {"points": ((40.0, 40.0), (50.2, 61.0, index[5]), (12.0, 70.0)), "reference_frames": 4, "spectrum": 64,
              "max_missed": 2}  # fmt: skip

    def fed(parts, swap):
        made, rows, at = make_tracker("vibration", params, SHAPE, 1000.0), [], 0
        for part in parts:
            part = min(part, count - at)
            which = range(at, at + part)
            rows += made.update_batch([index[i] for i in which], [index[i] / 1000 for i in which],
                                      [{"image": clip[i]} for i in which])  # fmt: skip
            at += part
            if swap:
                state, made = made.snapshot(), make_tracker("vibration", params, SHAPE, 1000.0)
                made.restore(state)
        return np.concatenate(rows), made.snapshot()

    one, many = fed([1] * count, False), fed([*cuts, count], True)
    assert one[0].tobytes() == many[0].tobytes()
    assert {k: v.tobytes() for k, v in one[1].items()} == {k: v.tobytes() for k, v in many[1].items()}


def test_an_older_snapshot_with_more_around_its_windows_goes_on_alike(plate):
    params = {"points": ((40.0, 40.0), (50.2, 61.0)), "reference_frames": 8}
    clip = [exposed(plate, *p, rng=np.random.default_rng(i), noise=3) for i, p in enumerate(PATH[:20])]
    made, again = (make_tracker("vibration", params, SHAPE, 1000.0) for _ in range(2))
    for i in range(5):
        made.update(i, i / 1000, {"image": clip[i]})
    older, random = made.snapshot(), np.random.default_rng(0)
    for name in ("column.reference", "column.tile"):
        kept = older[name]
        older[name] = random.normal(100, 20, (len(kept), kept.shape[1] + 6, kept.shape[2] + 6))
        older[name][:, 3:-3, 3:-3] = kept
    again.restore(older)
    shorter = make_tracker("vibration", params, SHAPE, 1000.0)
    shorter.restore({**older, "column.state": older["column.state"][:, : response_loops.ALIKE]})
    assert (shorter.t["state"][:, response_loops.PIXEL] == made.t["state"][:, response_loops.PIXEL]).all()
    assert np.isfinite(shorter.update(5, 0.005, {"image": clip[5]})["sigma"]).all()
    for i in range(5, 20):
        one, other = (t.update(i, i / 1000, {"image": clip[i]}) for t in (made, again))
        assert one.tobytes() == other.tobytes()
    states = [{k: v.tobytes() for k, v in t.snapshot().items()} for t in (made, again)]
    assert states[0] == states[1]


def test_what_is_hidden_leaves_or_never_was_says_so(scene, plate):
    clip = [exposed(plate, 0.0, 0.0) for _ in range(20)]
    for i in (8, 9):
        clip[i] = np.random.default_rng(i).integers(0, 255, SHAPE).astype(np.uint8)
    clip[12] = None
    points = ((48.0, 48.0), (10.0, 50.0))
    rows = scene.run(make_tracker("vibration", {"points": points, "max_missed": 3}, SHAPE, 1000.0), clip, "image")
    first = rows[rows["track"] == 0]
    assert first["state"].tolist() == [*[1] * 8, 2, 2, 1, 1, 2, *[1] * 7]
    assert first["reason"][[8, 9, 12]].tolist() == [Reason.LOW_SCORE, Reason.LOW_SCORE, Reason.BAD_FRAME]
    assert (first["sigma"][[8, 9]] > 0).all()
    gone = [exposed(plate, -1.2 * i) for i in range(14)]
    rows = scene.run(make_tracker("vibration", {"points": points, "max_missed": 3}, SHAPE, 1000.0), gone, "image")
    last = rows[rows["track"] == 1][-1]
    assert (last["state"], last["reason"]) == (State.LOST, Reason.LEFT_IMAGE)
    assert last["frame"] == 9 + 3
    flat = [np.full(SHAPE, 90, np.uint8)] * 3
    assert not len(scene.run(make_tracker("vibration", {}, SHAPE, 1000.0), flat, "image"))
    rows = scene.run(make_tracker("vibration", {"points": points}, SHAPE, 1000.0), flat, "image")
    assert rows[["state", "reason"]].tolist() == [(State.LOST, Reason.NO_TEXTURE)] * 2


def test_pictures_of_a_batch_may_lie_anywhere_and_be_of_any_type(plate):
    clip = [exposed(plate, *p) for p in PATH[:12]]
    beside = np.zeros((2, *SHAPE), np.uint8)  # not in the order of time
    beside[1], beside[0] = clip[8], clip[9]
    clip[8], clip[9], clip[10] = beside[1], beside[0], clip[10].astype(np.float32)
    clip[11] = np.asfortranarray(clip[11])
    params = {"points": ((40.0, 40.0), (50.2, 61.0)), "reference_frames": 2}
    one, many = (make_tracker("vibration", params, SHAPE, 1000.0) for _ in range(2))
    rows = [one.update(i, i / 1000, {"image": picture}) for i, picture in enumerate(clip)]
    parts = [many.update_batch(list(w), [i / 1000 for i in w], [{"image": clip[i]} for i in w])
             for w in (range(7), range(7, 10), range(10, 12))]  # fmt: skip
    assert many.learnt
    assert np.concatenate(rows).tobytes() == np.concatenate([row for part in parts for row in part]).tobytes()


def test_without_a_compiler_it_is_slow_and_the_same(scene, plate, monkeypatch):
    clip = [exposed(plate, 0.1 * i) for i in range(4)]
    params = {"points": ((48.0, 48.0),), "window": 9, "search": 1}
    fast = scene.run(make_tracker("vibration", params, SHAPE, 1000.0), clip, "image")
    monkeypatch.setattr(host.Loop, "native", lambda *_: None)
    assert scene.run(make_tracker("vibration", params, SHAPE, 1000.0), clip, "image").tobytes() == fast.tobytes()


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"window": 10}, "must be odd"),
        ({"window": 99}, "larger than the picture"),
        ({"points": ((2.0, 50.0),)}, "too near the edge"),
        ({"points": ((50.0, 50.0, 0.5),)}, "must be"),
        ({"spectrum": 65}, "must be even"),
        ({"max_points": 10000, "window": 95}, "too many pixels"),
    ],
)
def test_parameters_that_make_no_sense_are_sentences(params, words):
    with pytest.raises(DefinitionError, match=words):
        make_tracker("vibration", params, SHAPE, 1000.0)


def test_tiles_have_the_margin_that_the_response_expects(plate):
    tiles = tiles_at(exposed(plate), np.array([40.0]), np.array([40.0]), 21)
    assert tiles.shape == (1, 21 + 2 * MARGIN, 21 + 2 * MARGIN)
    assert responses(tiles[:0]).columns.shape == (0, 30, 6, 16)


def test_what_was_seen_but_once_may_be_as_far_away_as_it_is_looked_for(scene):
    frames = [scene.Speckle(seed=4).image(60, 60, 0.4 * i) for i in range(7)]
    frames[1:3], frames[3:5] = [None] * 2, [np.zeros((60, 60))] * 2
    rows = scene.run(make_tracker("vibration", {"points": ((30.0, 30.0),), "window": 15}, (60, 60), 1000.0), frames,
                     "image")  # fmt: skip
    assert rows["state"].tolist() == [State.TRACKED, *[State.PREDICTED] * 4, *[State.TRACKED] * 2]
    assert rows["sigma"][1:5] == pytest.approx(1.5 * np.sqrt([1, 2, 3, 4]), rel=1e-6)
    assert rows["sigma"][5:].max() < 0.1


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("cuts", [[0, 8], [0, 3, 8], list(range(9))])
def test_pixels_that_are_no_numbers_are_0_where_windows_see_them_and_nothing_elsewhere(plate, kind, cuts):
    rng, points = np.random.default_rng(3), ((24.0, 24.0), (70.0, 30.0), (40.0, 66.0))
    clip = [exposed(plate, 0.3 * np.sin(i), 0.1 * i, rng=rng, noise=1).astype(kind) for i in range(34)]
    clip[28][5:9, 80:84] = np.nan  # beside all windows
    clip[30][20:24, 20:30], clip[30][36, 72], clip[32][66, 41] = np.nan, np.nan, -np.inf
    clean = [np.where(np.isfinite(one), one, 0).astype(kind) for one in clip]
    rows = []
    for frames in (clip, clean):
        made = make_tracker("vibration", {"points": points, "window": 15, "max_missed": 2}, SHAPE, 1000.0)
        for i, one in enumerate(frames[:26]):
            made.update(i, i / 1000, {"image": one})
        assert made.learnt
        out = []
        for a, b in pairwise(26 + np.array(cuts)):
            out += made.update_batch(range(a, b), [i / 1000 for i in range(a, b)],
                                     [{"image": one} for one in frames[a:b]])  # fmt: skip
        assert [int(np.count_nonzero(one["state"] == State.TRACKED)) for one in out] == [3, 3, 3, 3, 2, 3, 3, 3]
        rows.append(b"".join(one.tobytes() for one in out))
    assert rows[0] == rows[1]
