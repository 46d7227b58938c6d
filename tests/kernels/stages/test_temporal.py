"""iir_highpass, difference, background: formulas, OpenCV's accumulator, batch seams, snapshots."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors.reference import ReferenceProgram, evaluate_clip
from kernels.ir.image import ImageType, dtype_of
from kernels.opencv import cv2
from kernels.stages.background import background
from kernels.stages.difference import difference
from kernels.stages.iir_highpass import iir_highpass
from kernels.stages.iir_lowpass import iir_lowpass

SIZES = [(1, 1), (1, 9), (9, 1), (2, 2), (5, 4), (17, 23)]

CASES = [
    (iir_lowpass, {"alpha": 0.3}),
    (iir_highpass, {"alpha": 0.3}),
    (difference, {"lag": 3}),
    (difference, {"lag": 2, "absolute": True}),
    (background, {"alpha": 0.2, "k": 1.5, "min_sigma": 4.0}),
    (background, {"alpha": 0.2, "k": 1.5, "min_sigma": 4.0, "begin": "majority"}),
]


def clip(size, dtype=np.uint8, frames=7):
    values = np.random.default_rng(6).integers(0, 256, (frames, *size))
    return values.astype(dtype)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_highpass_is_the_rest_of_the_lowpass(size, dtype):
    frames = clip(size, dtype)
    low = evaluate_clip(iir_lowpass, frames, alpha=0.3)
    np.testing.assert_array_equal(evaluate_clip(iir_highpass, frames, alpha=0.3), frames.astype(np.float32) - low)


@pytest.mark.parametrize("size", SIZES)
def test_mean_agrees_with_opencvs_accumulator(size):
    frames, alpha = clip(size), 0.3
    mean = frames[0].astype(np.float32)
    out = evaluate_clip(background, frames, alpha=alpha)["mean"]
    for frame, ours in zip(frames, out, strict=True):
        cv2.accumulateWeighted(frame, mean, alpha)
        np.testing.assert_allclose(ours, mean, rtol=0, atol=1e-4)  # three roundings of 2**-17 a frame, fading


def test_one_step_of_the_mean_differs_from_opencv_by_one_rounding_at_most():
    rng = np.random.default_rng(1)
    frames = rng.integers(0, 256, (2, 64, 64)).astype(np.uint8)
    mean = frames[0].astype(np.float32)
    cv2.accumulateWeighted(frames[1], mean, 0.3)
    ours = evaluate_clip(background, frames, alpha=0.3)["mean"][1]
    assert (abs(ours - mean) <= np.spacing(np.maximum(ours, mean))).all()


def test_mean_of_a_power_of_two_weight_equals_opencv_while_exact():
    frames = clip((5, 9), frames=4)
    mean = frames[0].astype(np.float32)
    for frame, ours in zip(frames, evaluate_clip(background, frames, alpha=0.5)["mean"], strict=True):
        cv2.accumulateWeighted(frame, mean, 0.5)
        np.testing.assert_array_equal(ours, mean)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_difference(size, dtype):
    frames = clip(size, dtype)
    earlier = frames[np.maximum(np.arange(len(frames)) - 2, 0)]
    signed = evaluate_clip(difference, frames, lag=2)
    np.testing.assert_array_equal(signed, frames.astype(np.float64) - earlier)
    assert signed.dtype == {"uint8": np.int16, "uint16": np.int32, "float32": np.float32}[np.dtype(dtype).name]
    size_only = evaluate_clip(difference, frames, lag=2, absolute=True)
    assert size_only.dtype == dtype
    for now, before, out in zip(frames, earlier, size_only, strict=True):
        np.testing.assert_array_equal(out, cv2.absdiff(now, before).reshape(out.shape))


def test_difference_of_masks_and_of_the_full_range():
    masks = clip((4, 5)) > 128
    np.testing.assert_array_equal(evaluate_clip(difference, masks)[1:], masks[1:] ^ masks[:-1])
    ends = np.array([0, 65535, 0], np.uint16).reshape(3, 1, 1)
    assert evaluate_clip(difference, ends).ravel().tolist() == [0, 65535, -65535]
    assert evaluate_clip(difference, ends, absolute=True).ravel().tolist() == [0, 65535, 65535]


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (5, 4), (6, 5, 3)])
def test_background_follows_its_formula_in_float64(shape):
    frames = np.random.default_rng(8).normal(100, 5, (60, *shape)).astype(np.float32)
    frames[40:43, 0, 0] += 60
    alpha, k, least = 0.1, 3.0, 1.0
    mean, variance = frames[0].astype(float), np.full(shape, least**2)
    out = evaluate_clip(background, frames, alpha=alpha, k=k, min_sigma=least)
    assert out["foreground"].dtype == np.bool_
    for t, frame in enumerate(frames.astype(float)):
        d = frame - mean
        margin = d * d - k * k * np.maximum(variance, least**2)
        clear = abs(margin) > 1e-2  # f32 may decide otherwise only where the two sides are equal to 1e-5
        np.testing.assert_array_equal(out["foreground"][t][clear], margin[clear] > 0)
        mean += alpha * d
        variance += alpha * (d * d - variance)
        np.testing.assert_allclose(out["mean"][t], mean, rtol=1e-5)
        np.testing.assert_allclose(out["deviation"][t], np.sqrt(variance), rtol=1e-5)
    assert out["foreground"][40].reshape(-1)[0]


@pytest.mark.parametrize(("stage", "settings"), CASES)
@pytest.mark.parametrize("cuts", [[1] * 7, [3, 4], [6, 1]])
def test_batches_and_snapshots_change_no_bit(stage, settings, cuts):
    frames = np.random.default_rng(9).integers(0, 256, (7, 5, 6, 2)).astype(np.uint8)
    body = stage.build([ImageType(dtype_of(frames.dtype), 5, 6, 2)], settings)
    whole = ReferenceProgram(body).run([frames], {})
    program, start, parts = ReferenceProgram(body), 0, {name: [] for name in whole}
    for length in cuts:
        batch = [frames[start : start + length]]
        state = program.snapshot()
        thrown_away = program.run([255 - batch[0]], {})
        assert set(thrown_away) == set(whole)
        program.restore(state)
        for name, out in program.run(batch, {}).items():
            parts[name].append(out)
        program = restored(program, body)
        start += length
    for name, out in whole.items():
        np.testing.assert_array_equal(np.concatenate(parts[name]), out)


def restored(program, body):
    """A fresh program that goes on from this one's state."""
    fresh = ReferenceProgram(body)
    fresh.restore(program.snapshot())
    return fresh


def test_background_learns_foreground_by_its_share_and_looks_in_one_direction() -> None:
    clip = np.full((6, 1, 3), 100, np.uint8)
    clip[1:, 0, 0], clip[1:, 0, 2] = 200, 20
    for change, wanted in (("both", [True, False, True]), ("brighter", [True, False, False]),
                           ("darker", [False, False, True])):  # fmt: skip
        out = evaluate_clip(background, clip, alpha=0.1, learn=0.0, change=change)
        assert out["foreground"][5, 0].tolist() == wanted
        held = np.array(wanted)
        assert (out["mean"][5, 0][held] == 100).all()  # what is never learned leaves no trace
        assert (out["mean"][5, 0, [0, 2]][~held[[0, 2]]] != 100).all()
    plain = evaluate_clip(background, clip, alpha=0.1)["mean"][1, 0]
    slow = evaluate_clip(background, clip, alpha=0.1, learn=0.5)["mean"][1, 0]
    np.testing.assert_allclose(slow - 100, 0.5 * (plain - 100), rtol=1e-6)


@pytest.mark.parametrize(("k", "learn"), [(6.0, 0.05), (4.0, 0.05), (6.0, 0.005)])
@pytest.mark.parametrize("step", [60, 200])
def test_what_stays_becomes_background_after_as_many_frames_as_is_said(k, learn, step):
    clip = np.full((1000, 1, 1), 30, np.uint8)
    clip[5:] += np.uint8(step)
    seen = evaluate_clip(background, clip, k=k, learn=learn, alpha=0.02, min_sigma=2.0)["foreground"].ravel()
    assert seen.sum() == pytest.approx(1 / (k * k * 0.02 * learn), rel=0.15)
    assert seen[5 : 5 + seen.sum()].all()


@pytest.mark.parametrize("there", [1, 7, 40])
def test_what_was_there_at_first_leaves_a_ghost_for_as_many_frames_and_no_longer(there: int) -> None:
    clip = np.full((200, 1, 1), 30, np.uint8)
    clip[:there] = 120
    out = evaluate_clip(background, clip, min_sigma=2.0, learn=0.0, begin="majority")
    assert np.flatnonzero(out["foreground"].ravel()).tolist() == list(range(there, 2 * there))
    assert (out["mean"].ravel()[2 * there :] == 30).all()
    assert evaluate_clip(background, clip, min_sigma=2.0, learn=0.0)["foreground"].sum() == 200 - there


@pytest.mark.parametrize(("seen", "stays"), [(20, 20), (120, 120), (900, 300)])
def test_what_comes_to_rest_is_ground_after_as_many_frames_as_the_ground_was_seen(seen: int, stays: int) -> None:
    """300 at most (LONGEST)."""
    clip = np.full((seen + 400, 1, 1), 30, np.uint8)
    clip[seen:] = 120
    found = evaluate_clip(background, clip, min_sigma=2.0, learn=0.0, begin="majority")["foreground"].ravel()
    assert np.flatnonzero(found).tolist() == list(range(seen, seen + stays))


def test_what_passes_leaves_no_ghost() -> None:
    clip = np.full((100, 1, 1), 30, np.uint8)
    clip[20:32] = 120
    found = evaluate_clip(background, clip, min_sigma=2.0, learn=0.005, begin="majority")["foreground"].ravel()
    assert np.flatnonzero(found).tolist() == list(range(20, 32))
