"""Signals and spectra against formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.kinematics import kinematics_of
from app.desk.tracks.calibration import Calibration, angle_at, apart, by_length
from app.desk.tracks.motions import Motions, Reference, make
from app.desk.tracks.signals import Form, Quantity, Signal, Spectrum, formed, spectrogram, spectrum, statistics
from app.exports.scale import Scale
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks


def track(x: np.ndarray, y: np.ndarray, fps: float = 1000.0, sigma: float = 0.1) -> Tracks:
    rows = np.zeros(len(x), TRACK_DTYPE)
    rows["frame"] = np.arange(len(x))
    rows["time"], rows["x"], rows["y"] = rows["frame"] / fps, x, y
    rows["state"], rows["sigma"] = State.TRACKED, sigma
    return rows


def test_speed_and_acceleration_of_a_fall() -> None:
    t = np.arange(50) / 1000.0
    rows = track(np.zeros(50), 0.5 * 9810.0 * t**2)
    metres = Calibration(1e-3, "m", y_up=True)
    speed = make(Quantity.SPEED, [rows], metres)
    np.testing.assert_allclose(speed.value[1:-1], 9.81 * t[1:-1], rtol=1e-9)
    acceleration = make(Quantity.ACCELERATION, [rows], metres)
    np.testing.assert_allclose(acceleration.value[2:-2], 9.81, rtol=1e-6)
    assert Quantity.ACCELERATION.unit(metres, True) == "m/s²"
    assert make(Quantity.Y, [rows], metres).value[-1] < 0  # down on the screen is down here


def test_scores_are_those_of_the_rows_that_were_seen() -> None:
    rows = track(np.arange(4.0), np.zeros(4))
    rows["score"], rows["state"][2] = (0.9, 0.8, 0.0, 0.7), State.PREDICTED
    score = make(Quantity.SCORE, [rows], Calibration(0.5, "mm"))
    np.testing.assert_allclose(score.value, (0.9, 0.8, np.nan, 0.7), rtol=1e-6)
    assert make(Quantity.SCORE, [rows], Calibration(), every=True).value[2] == 0
    assert np.isnan(score.sigma).all()
    assert Quantity.SCORE.unit(Calibration(), True) == ""


def test_no_derivative_bridges_a_gap() -> None:
    rows = track(np.arange(20.0), np.zeros(20))
    rows["state"][8:10] = State.PREDICTED
    rows = np.delete(rows, 14)
    speed = make(Quantity.SPEED, [rows], Calibration())
    assert np.isnan(speed.at(8))
    assert np.isnan(speed.at(9))
    assert math.isnan(speed.at(14))
    for frame in (7, 10, 13, 15):
        assert speed.at(frame) == pytest.approx(1000.0)


def test_speeds_of_every_nth_frame_are_there_and_lead_over_no_gap() -> None:
    rows = track(np.arange(300.0), np.zeros(300))
    rows = rows[(rows["frame"] % 5 == 0) & ((rows["frame"] < 120) | (rows["frame"] > 160))]
    rows["x"][rows["frame"] > 160] += 1000.0
    speed = make(Quantity.SPEED, [rows], Calibration())
    np.testing.assert_allclose(speed.value, 1000.0)
    smooth = make(Quantity.SPEED, [rows], Calibration(), frames=7)
    np.testing.assert_allclose(smooth.value, 1000.0)


@pytest.mark.parametrize("frames", [3, 11])
def test_the_uncertainty_of_a_derivative_is_that_of_independent_errors(frames: int) -> None:
    rng = np.random.default_rng(0)
    n = 20000
    rows = track(rng.normal(0, 0.2, n), rng.normal(0, 0.2, n), 100.0, 0.2)
    made = make(Quantity.VX, [rows], Calibration(), frames=frames)
    assert np.std(made.value[20:-20]) == pytest.approx(np.median(made.sigma), rel=0.03)
    assert np.isfinite(made.sigma).all()


def test_distance_and_angle() -> None:
    zero = np.zeros(5)
    a, b, c = track(zero + 3, zero), track(zero, zero), track(zero, zero + 4)
    two = Calibration(2.0, "mm")
    assert make(Quantity.DISTANCE, [a, c], two).value == pytest.approx(np.full(5, 10.0))
    assert make(Quantity.ANGLE, [a, b, c], two).value == pytest.approx(np.full(5, 90.0))
    with pytest.raises(InputError, match="3 tracks"):
        make(Quantity.ANGLE, [a, b], two)
    late = track(zero, zero)
    late["frame"] += 3
    assert make(Quantity.DISTANCE, [a, late], two).frame.tolist() == [3, 4]


@given(st.floats(0.05, 0.45), st.floats(0.1, 5.0), st.integers(200, 400))
def test_a_sine_is_found_in_the_spectrum(frequency: float, amplitude: float, count: int) -> None:
    fps = 800.0
    t = np.arange(count) / fps
    rows = track(7 + amplitude * np.sin(2 * np.pi * frequency * fps * t + 0.4), np.zeros(count), fps)
    found = spectrum(make(Quantity.X, [rows], Calibration()))
    at, height = found.peak()
    assert at == pytest.approx(frequency * fps, abs=0.1 * found.resolution)
    assert height == pytest.approx(amplitude, rel=0.05)
    assert found.filled == 0


def test_a_drift_and_noise_are_no_peak_and_a_vibration_over_a_drift_is() -> None:
    t = np.arange(256) / 1000.0
    slow = 30 * (t / t[-1]) ** 2 + 0.001 * np.random.default_rng(3).normal(size=256)
    drift = spectrum(make(Quantity.X, [track(slow, 0 * t)], Calibration()))
    assert math.isnan(drift.peak()[0])
    assert drift.drifts
    noise = spectrum(make(Quantity.X, [track(np.random.default_rng(4).normal(size=256), 0 * t)], Calibration()))
    assert math.isnan(noise.peak()[0])
    assert not noise.drifts
    foot = Spectrum(np.arange(40.0), np.array([0, 20, 13, 0.16, 0.27, *(30 / np.arange(5.0, 40.0) ** 3)]),
                    np.zeros(40), 1.0, 0.0)  # fmt: skip
    assert math.isnan(foot.peak()[0])
    both = spectrum(make(Quantity.X, [track(slow + 2 * np.sin(2 * np.pi * 100 * t), 0 * t)], Calibration()))
    assert both.peak()[0] == pytest.approx(100.0, abs=0.5 * both.resolution)
    assert both.drifts


def test_the_density_of_white_noise_is_its_variance_over_half_the_rate() -> None:
    rng = np.random.default_rng(1)
    rows = track(rng.normal(0, 0.3, 4096), np.zeros(4096), 1000.0)
    found = spectrum(make(Quantity.X, [rows], Calibration()), welch=31)
    assert np.mean(found.density[50:-50]) == pytest.approx(0.09 / 500.0, rel=0.1)


def test_gaps_are_filled_and_said_to_be() -> None:
    rows = track(np.sin(np.arange(100) * 0.3), np.zeros(100))
    rows = np.delete(rows, slice(40, 50))
    assert spectrum(make(Quantity.X, [rows], Calibration())).filled == pytest.approx(0.1)
    with pytest.raises(InputError, match="8 values"):
        spectrum(make(Quantity.X, [rows[:5]], Calibration()))


@given(st.floats(-180, 180), st.booleans(), st.floats(0.01, 100), st.floats(-500, 500), st.floats(-500, 500))
def test_calibration_keeps_lengths(angle: float, up: bool, scale: float, x: float, y: float) -> None:
    made = Calibration(scale, "mm", (12.0, -7.0), angle, up)
    u, v = made.points(np.array([x, 12.0]), np.array([y, -7.0]))
    assert (u[1], v[1]) == pytest.approx((0, 0))
    assert math.hypot(u[0], v[0]) == pytest.approx(scale * math.hypot(x - 12, y + 7), abs=1e-9)


def test_axes_turn_as_people_draw_them() -> None:
    up = Calibration(y_up=True)
    assert [float(v[0]) for v in up.points(np.array([1.0]), np.array([-2.0]))] == [1.0, 2.0]
    turned = Calibration(angle=90.0, y_up=True)  # x points up on the screen, y to the left
    u, v = turned.points(np.array([0.0]), np.array([-1.0]))
    assert (float(u[0]), float(v[0])) == pytest.approx((1.0, 0.0))


def test_two_points_make_a_scale() -> None:
    made = by_length(50.0, 10.0, "mm", Calibration(angle=3.0))
    assert (made.per_px, made.unit, made.angle) == (0.2, "mm", 3.0)
    with pytest.raises(InputError, match="apart"):
        by_length(0.0, 10.0, "mm", Calibration())
    with pytest.raises(InputError, match="positive"):
        by_length(1.4, -1.0, "mm", Calibration())
    assert angle_at((1, 0), (0, 0), (0, 5)) == pytest.approx(90.0)


def test_two_tracks_are_apart_by_the_median_of_the_frames_that_both_were_seen_in() -> None:
    a, b = np.zeros(9, TRACK_DTYPE), np.zeros(7, TRACK_DTYPE)
    a["frame"], b["frame"] = np.arange(9), np.arange(2, 9)
    a["state"] = b["state"] = State.TRACKED
    b["x"] = [30, 30, 30, 30, 30, 90, 60]
    b["y"] = [40, 40, 40, 40, 40, 0, 80]
    b["state"][5] = State.PREDICTED
    far, spread, frames = apart(a, b)
    assert (far, spread, frames) == (50.0, 0.0, 6)
    with pytest.raises(InputError, match="never seen in the same frame"):
        apart(a[:2], b)


def test_components_are_those_of_the_magnitudes() -> None:
    t = np.arange(60) / 1000.0
    rows = track(40.0 * np.sin(30 * t), 90.0 * t**2)
    found = {q: make(q, [rows], Calibration()).value for q in Quantity if q.tracks == 1 and not q.measure}
    np.testing.assert_allclose(np.hypot(found[Quantity.VX], found[Quantity.VY]), found[Quantity.SPEED])
    np.testing.assert_allclose(np.hypot(found[Quantity.AX], found[Quantity.AY]), found[Quantity.ACCELERATION])
    np.testing.assert_allclose(found[Quantity.VY][1:-1], 180.0 * t[1:-1])
    assert Quantity.AX.unit(Calibration(), False) == "px/frame²"


@given(st.sampled_from([5, 7, 11, 21]), st.sampled_from([1, 2]), st.integers(0, 1000))
def test_smoothed_derivatives_of_a_cubic_are_exact_and_of_no_frame_that_was_not_seen(
    window: int, order: int, seed: int
) -> None:  # fmt: skip
    rng = np.random.default_rng(seed)
    c = rng.normal(size=4)
    t = np.arange(80) / 50.0
    rows = track(c[0] + c[1] * t + c[2] * t**2 + c[3] * t**3, 0 * t, 50.0)
    rows["state"][[30, 33]] = State.PREDICTED
    made = make(Quantity.VX if order == 1 else Quantity.AX, [rows], Calibration(), frames=window)
    truth = c[1] + 2 * c[2] * t + 3 * c[3] * t**2 if order == 1 else 2 * c[2] + 6 * c[3] * t
    there = np.ones(80, bool)
    there[[30, 33]] = False
    if window > 5:  # a cubic needs more than four places, of which windows beside gaps may have fewer
        np.testing.assert_allclose(made.value[there], truth[there], atol=1e-6)
    assert np.isnan(made.value[~there]).all()


@pytest.mark.parametrize("angle", [0.0, 90.0, 45.0])
@pytest.mark.parametrize("quantity", [Quantity.DISTANCE, Quantity.ANGLE, Quantity.UNWRAPPED_ANGLE, Quantity.SPEED])
def test_the_uncertainty_of_lengths_and_angles_is_that_of_the_errors_along_them(
    quantity: Quantity, angle: float
) -> None:
    """Whatever the user's axes are: none of these depends on them."""
    rng = np.random.default_rng(0)
    n, parts = 20000, []
    for (x, y), (sx, sy) in zip(((50.0, 10.0), (5.0, -4.0), (-20.0, 35.0)), ((0.3, 0.02), (0.03, 0.2), (0.05, 0.4)),
                                strict=True):  # fmt: skip
        part = track(x + rng.normal(0, sx, n) + 3.0 * np.arange(n), y + rng.normal(0, sy, n) + np.arange(n))
        part["sigma"] = np.sqrt(0.5 * (sx**2 + sy**2))
        part["anisotropy"] = (sx**2 - sy**2) / (sx**2 + sy**2)
        parts.append(part)
    made = make(quantity, parts[: quantity.tracks], Calibration(2.0, "mm", (3.0, 4.0), angle, True))
    assert np.std(made.value[1:-1]) == pytest.approx(np.median(made.sigma[1:-1]), rel=0.05)


def test_signed_angles_turn_from_x_to_y_and_unwrapped_ones_go_on() -> None:
    turn = np.radians(np.arange(0, 800, 10.0))
    zero = np.zeros(len(turn))
    first, corner = track(zero + 10, zero), track(zero, zero)
    third = track(5 * np.cos(turn), 5 * np.sin(turn))
    third["state"][20] = State.PREDICTED
    parts = [first, corner, third]
    signed = make(Quantity.SIGNED_ANGLE, parts, Calibration()).value
    assert signed[9] == pytest.approx(90.0)
    assert signed[27] == pytest.approx(-90.0)
    assert np.isnan(signed[20])
    on = make(Quantity.UNWRAPPED_ANGLE, parts, Calibration()).value
    np.testing.assert_allclose(np.delete(on, 20), np.delete(np.degrees(turn), 20), atol=1e-9)
    up = make(Quantity.SIGNED_ANGLE, parts, Calibration(y_up=True)).value
    assert up[9] == pytest.approx(-90.0)
    assert make(Quantity.ANGLE, parts, Calibration()).value[27] == pytest.approx(90.0)


def test_statistics_are_of_the_values_between_two_times() -> None:
    value = np.array([5.0, 1.0, np.nan, 3.0, 100.0])
    made = statistics(Signal(np.arange(5) / 10.0, value, np.arange(5), value), 0.1, 0.3)
    assert (made.count, made.mean, made.rms, made.peak_to_peak) == (2, 2.0, 1.0, 2.0)
    assert statistics(Signal(np.arange(5) / 10.0, value, np.arange(5), value), 7.0, 8.0).count == 0


def test_velocities_are_those_of_the_command() -> None:
    """The window shows what `fusetrack motion` writes of the same tracks, sigma included."""
    rng = np.random.default_rng(3)
    t = np.arange(200) / 1000.0
    parts = [track(30 * np.sin(20 * t) + rng.normal(0, 0.05, 200), 40 * t + rng.normal(0, 0.05, 200), 1000.0, 0.05)
             for _ in range(2)]  # fmt: skip
    for number, part in enumerate(parts):
        part["track"] = number
    seen = Motions(dict(enumerate(parts)), Calibration(0.5, "mm"))
    found = kinematics_of(np.concatenate(parts), scale=Scale(0.5, "mm"))
    for number, one in enumerate(found.tracks):
        for quantity, value, sigma in (
            (Quantity.VX, one.smoothed.values[1, 0], np.sqrt(one.smoothed.variances[1, 0])),
            (Quantity.SPEED, one.speed, one.speed_sigma),
            (Quantity.AY, one.smoothed.values[2, 1], np.sqrt(one.smoothed.variances[2, 1])),
        ):
            made = seen.signal(quantity, (number,))
            np.testing.assert_allclose(made.value, value)
            np.testing.assert_allclose(made.sigma, sigma)
    assert seen.way(Quantity.VX, (0,)).endswith("frames, chosen")


def test_a_ground_that_moves_is_taken_away() -> None:
    t = np.arange(60) / 1000.0
    shake, turn = 5 * np.sin(300 * t), 0.02 * np.sin(200 * t)
    places = {0: (10.0, 10.0), 1: (200.0, 20.0), 2: (100.0 + 50 * t, 80.0 + 0 * t)}
    rows = {}
    for number, (x, y) in places.items():
        rows[number] = track(np.cos(turn) * x - np.sin(turn) * y + shake, np.sin(turn) * x + np.cos(turn) * y)
    made = Motions(rows, Calibration(), reference=Reference((0, 1)))
    first = made.signal(Quantity.X, (2,)).value
    np.testing.assert_allclose(first - first[0], 50 * t, atol=1e-6)
    assert Reference((0, 1)).words == "beside 0, 1 (rigid)"
    assert Reference((4,)).kind == "shift"
    with pytest.raises(InputError, match="seen together"):
        Motions({**rows, 7: rows[0][:0]}, Calibration(), reference=Reference((0, 7))).signal(Quantity.X, (2,))


def test_directions_and_rates_of_angles_and_distances() -> None:
    t = np.arange(400) / 1000.0
    turn = 12.0 * t
    zero = np.zeros(400)
    corner, end, arm = track(zero, zero), track((20 + 30 * t) * np.cos(turn), (20 + 30 * t) * np.sin(turn)), track(
        zero + 9, zero)  # fmt: skip
    direction = make(Quantity.DIRECTION, [corner, end], Calibration())
    np.testing.assert_allclose(direction.value, np.degrees(turn), atol=1e-9)
    for quantity, parts, rate in ((Quantity.TURN_RATE, [corner, end], np.degrees(12.0)),
                                  (Quantity.ANGLE_RATE, [arm, corner, end], np.degrees(12.0)),
                                  (Quantity.DISTANCE_RATE, [corner, end], 30.0)):  # fmt: skip
        np.testing.assert_allclose(make(quantity, parts, Calibration(), frames=7).value, rate, rtol=1e-4)
    assert Quantity.TURN_RATE.unit(Calibration(), True) == "°/s"
    assert Quantity.DISTANCE_RATE.unit(Calibration(2.0, "mm"), True) == "mm/s"


def test_forms_take_away_what_they_say() -> None:
    t = np.arange(50) / 10.0
    value = 7 + 3 * t + np.where(np.arange(50) % 2, 0.5, -0.5)
    value[0] = np.nan
    of = Signal(t, value, np.arange(50), np.full(50, 0.3))
    start = formed(of, Form.START)
    assert start.value[1] == 0.0
    assert start.sigma[1] == 0.0
    assert start.sigma[2] == pytest.approx(0.3 * np.sqrt(2))
    assert np.isnan(start.value[0])
    assert np.nanmean(formed(of, Form.MEAN).value) == pytest.approx(0.0, abs=1e-12)
    line = formed(of, Form.LINE).value[1:]
    assert np.polyfit(t[1:], line, 1) == pytest.approx([0.0, 0.0], abs=1e-12)
    assert np.ptp(line) == pytest.approx(1.0, abs=0.03)
    assert formed(of, Form.PLAIN) is of


def test_a_spectrogram_finds_a_frequency_that_changes_when_it_does() -> None:
    t = np.arange(2000) / 1000.0
    x = np.where(t < 1.0, 3.0 * np.sin(2 * np.pi * 50 * t), 1.5 * np.sin(2 * np.pi * 200 * t)) + 40 * t
    made = spectrogram(make(Quantity.X, [track(x, 0 * t)], Calibration()))
    assert made.segment == 250
    for time, frequency, height in ((0.5, 50.0, 3.0), (1.5, 200.0, 1.5)):
        column = made.amplitude[:, int(np.argmin(np.abs(made.time - time)))]
        assert made.frequency[int(np.argmax(column))] == pytest.approx(frequency, abs=2.0)
        assert column.max() == pytest.approx(height, rel=0.05)
    assert (made.time[0], made.time[-1]) == pytest.approx((0.1245, 1.8745), abs=0.04)
    with pytest.raises(InputError, match="needs 64 values"):
        spectrogram(make(Quantity.X, [track(x[:40], 0 * x[:40])], Calibration()), 64)
