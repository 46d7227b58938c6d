"""Windows between pixels and Lucas-Kanade on them: loops against NumPy bit for bit, and both against what is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.loops import language
from kernels.opencv import cv2
from pipelines.trackers.registration.reference.birth import chosen, merged
from pipelines.trackers.registration.reference.reference_subset import Anchors
from pipelines.trackers.registration.warp.fit import Layout, References, fitted, prepare
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.taps import BEFORE, EDGE, SLOPE1, SLOPE2, SLOPE3, TAPS
from pipelines.trackers.registration.windows.windows import ready, rendered, sampled
from tests.oracles.registration import in_place, weights

Array = npt.NDArray[Any]
KINDS = ("uint8", "uint16", "int16", "float32", "float64", "int32", "bool", "int64")


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    language.provide(natives.load)
    yield
    language.provide(natives.load)


def both(make: Any) -> tuple[Any, Any]:
    """With machine code, and with NumPy."""
    language.provide(natives.load)
    first = make()
    with in_place():
        return first, make()


def picture(seed: int, kind: str, height: int = 60, width: int = 70) -> Array:
    noise = np.random.default_rng(seed).normal(0, 1, (height, width))
    soft = cv2.GaussianBlur(noise, (0, 0), 1.4)
    unit = (soft - soft.min()) / np.ptp(soft)
    top = {"uint8": 255, "bool": 1.49, "uint16": 65535, "int16": 30000}.get(kind, 4095.0)
    return ready((unit * top).astype(kind))


def textures(image: Array, x: Array, y: Array, layout: Layout) -> References:
    made = References(layout, len(x))
    prepare(made, sampled(image, x, y, layout.w + 2 * EDGE, layout.across), np.arange(len(x)))
    return made


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 9999), st.sampled_from(KINDS), st.sampled_from((5, 9, 21, 25)), st.sampled_from((2, 3, 6)))
def test_loops_have_numpys_bits(seed: int, kind: str, w: int, p: int) -> None:
    random, image, layout = np.random.default_rng(seed), picture(seed, kind), Layout.of(w, p)
    n = int(random.integers(1, 12))
    x, y = random.uniform(-5, 75, n), random.uniform(-5, 65, n)
    tiles, other = both(lambda: sampled(image, x, y, w + 2 * EDGE, layout.across))
    apart = np.stack((x, y), 1)
    assert sampled(image, apart[:, 0], apart[:, 1], w + 2 * EDGE, layout.across).tobytes() == tiles.tobytes()
    assert tiles.tobytes() == other.tobytes()
    tiles[0] = 3.0
    slots = np.arange(n)[::-1].copy()

    def made() -> References:
        ref = References(layout, n)
        prepare(ref, tiles, slots)
        return ref

    ref, other = both(made)
    for name in References.NAMES:
        assert getattr(ref, name).tobytes() == getattr(other, name).tobytes(), name
    start = x + random.normal(0, 1.5, n), y + random.normal(0, 1.5, n)
    which = np.flatnonzero(random.random(n) < 0.8)
    fit, other = both(lambda: fitted(image, ref, slots, *start, 4.0, which))
    for name in Fit.NAMES:
        assert getattr(fit, name).tobytes() == getattr(other, name).tobytes(), name
    large = sampled(image, x, y, w + 20, -(-(w + 20) // 8) * 8)
    bend = np.array([1.0, 0, 0, 1]) + random.normal(0, 0.3, (n, 4))
    drawn, other = both(lambda: rendered(large, slots, bend, w, layout.across))
    assert drawn.tobytes() == other.tobytes()

    def averaged() -> Array:
        anchors = Anchors(w, p)
        free = anchors.free(np.zeros(0, np.int64), n)
        anchors.take(image, free, x, y)
        anchors.add(image, free, *start, np.full(n, 3))
        return anchors.tiles

    mean, other = both(averaged)
    assert mean.tobytes() == other.tobytes()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 9999), st.integers(0, 80), st.integers(0, 9), st.integers(1, 30))
def test_choosing_and_merging_by_loops_is_pythons(seed: int, n: int, lived: int, room: int) -> None:
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 40, (2, n)).astype(float)
    strength = random.integers(0, 9, n).astype(float)
    given = x, y, strength, random.uniform(0, 40, (lived, 2)), 6.0, room, 0.2
    a, b = both(lambda: chosen(*given))
    assert a.tolist() == b.tolist()
    assert len(a) <= room
    places = np.concatenate((given[3], np.stack((x, y), 1)[a]))
    for k in range(lived, len(places)):  # an independent look: all keep their distance
        assert (np.hypot(*(places[:k] - places[k]).T) >= 6.0).all()
    assert (strength[a] >= 0.2 * strength.max(initial=0.0)).all()
    a, b = both(lambda: merged(x, y, 2.5))
    expected = [any(np.hypot(x[i] - x[j], y[i] - y[j]) < 2.5 for j in range(i)) for i in range(n)]
    assert a.tolist() == b.tolist() == expected


def test_taps_are_those_of_their_design() -> None:
    fraction = np.linspace(0, 1, 33)
    taps, place = weights(fraction), np.arange(TAPS) - BEFORE
    np.testing.assert_allclose(taps.sum(1), 1.0, atol=1e-12)
    np.testing.assert_allclose(taps @ place, fraction, atol=1e-5)
    np.testing.assert_allclose(taps, taps[::-1, ::-1], atol=1e-12)
    for frequency, limit in ((0.05, 2e-4), (0.1, 2e-4), (0.2, 4e-4), (0.3, 1e-3)):
        wave = (taps * np.exp(2j * np.pi * frequency * (place - fraction[:, None]))).sum(1)
        assert np.abs(np.angle(wave) / (2 * np.pi * frequency)).max() < limit
        assert abs(np.abs(wave).min() - 1.0) < 0.005
    k = np.arange(1, 4)
    for frequency in (0.02, 0.1, 0.2, 0.3):
        slope = 2 * np.sin(2 * np.pi * frequency * k) @ np.array([SLOPE1, SLOPE2, SLOPE3])
        assert abs(slope / (2 * np.pi * frequency) - 1) < 0.02


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 9999), st.floats(0.2, 5.0), st.floats(-50.0, 50.0))
def test_places_do_not_depend_on_gain_and_bias(seed: int, gain: float, bias: float) -> None:
    image = picture(seed, "float64")
    x, y = np.array([25.0, 40.0]), np.array([30.0, 28.0])
    ref = textures(image, x, y, Layout.of(21, 2))
    plain = fitted(image, ref, np.arange(2), x + 0.4, y - 0.3, 3.0)
    other = fitted(image * gain + bias, ref, np.arange(2), x + 0.4, y - 0.3, 3.0)
    np.testing.assert_allclose(other.x, plain.x, atol=1e-9)
    np.testing.assert_allclose(other.score, plain.score, atol=1e-9)
    np.testing.assert_allclose((plain.x, plain.y), (x, y), atol=1e-3)


def warped(waves: Array, matrix: Array, move: Array, size: int) -> Array:
    """A texture of plane waves, deformed about the picture's middle and moved: exact."""
    middle = size // 2
    v, u = np.mgrid[:size, :size].astype(float) - middle
    inverse = np.linalg.inv(matrix)
    u, v = u - move[0], v - move[1]
    x, y = inverse[0, 0] * u + inverse[0, 1] * v, inverse[1, 0] * u + inverse[1, 1] * v
    out: Array = 100.0 + 20.0 * np.cos(np.tensordot(waves[:, :2], np.stack((x, y)), 1) + waves[:, 2, None, None]).sum(0)
    return out


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 9999))
def test_random_affine_warps_are_recovered(seed: int) -> None:
    random = np.random.default_rng(seed)
    waves = np.concatenate((random.normal(0, 0.55, (30, 2)), random.uniform(0, 6.28, (30, 1))), 1)
    waves = waves[np.hypot(waves[:, 0], waves[:, 1]) < 1.4]
    matrix, move = np.eye(2) + random.uniform(-0.02, 0.02, (2, 2)), random.uniform(-0.8, 0.8, 2)
    layout, middle = Layout.of(25, 6), np.array([32.0])
    ref = textures(warped(waves, np.eye(2), np.zeros(2), 65), middle, middle, layout)
    fit = fitted(warped(waves, matrix, move, 65), ref, np.zeros(1, np.int64), middle, middle, 3.0)
    assert fit.converged[0]
    np.testing.assert_allclose((fit.x[0] - 32, fit.y[0] - 32), move, atol=0.02)
    found = np.linalg.inv(np.eye(2) + fit.bend[0].reshape(2, 2) / 12)
    np.testing.assert_allclose(found, matrix, atol=0.006)


def test_windows_without_texture_in_two_directions_are_not_looked_for() -> None:
    columns = np.broadcast_to(100 + 50 * np.sin(np.arange(70) / 2.0), (60, 70))
    for image in (np.full((60, 70), 77.0), columns, columns.T.copy()):
        x = y = np.array([30.0])
        ref = textures(ready(image), x, y, Layout.of(21, 2))
        assert not ref.textured[0]
        fit = fitted(ready(image), ref, np.zeros(1, np.int64), x, y, 3.0)
        assert not fit.converged[0]
        assert (fit.x[0], fit.y[0], fit.score[0]) == (30.0, 30.0, 0.0)


def test_nothing_is_found_in_a_constant_picture_or_far_away() -> None:
    image = picture(5, "uint8")
    x, y = np.array([30.0]), np.array([30.0])
    ref = textures(image, x, y, Layout.of(21, 2))
    blank = fitted(np.full((60, 70), 9, np.uint8), ref, np.zeros(1, np.int64), x, y, 3.0)
    assert not blank.converged[0]
    assert fitted(image, ref, np.zeros(1, np.int64), x + 1.0, y, 3.0).converged[0]
    assert not fitted(image, ref, np.zeros(1, np.int64), x + 1.0, y, 0.5).converged[0]


def test_windows_on_whole_pixels_are_the_pixels() -> None:
    """Taps are exact but for 1e-5 there; between the pixels and beyond the edge it is as elsewhere."""
    image = np.random.default_rng(3).integers(0, 255, (60, 70)).astype(np.uint8)
    x, y = np.array([30.0, 30.25, 33.0, 1.0]), np.array([28.0, 28.0, 28.5, 57.0])
    anchors = Anchors(11, 2)

    def taken() -> Array:
        anchors.reserve(4)
        anchors.take(image, np.arange(4), x, y)
        return anchors.tiles.copy()

    made = both(taken)
    assert made[0].tobytes() == made[1].tobytes()
    side, half = anchors.side, anchors.side // 2
    padded = np.pad(image, half + 1, "edge").astype(np.float64)
    for n in (0, 3):
        top, left = int(y[n]) + 1, int(x[n]) + 1
        seen = padded[top : top + side, left : left + side]
        np.testing.assert_array_equal(made[0][n, :, :side], seen - image[int(y[n]), int(x[n])])
    between = sampled(image, x[1:3], y[1:3], side, anchors.stride)
    np.testing.assert_array_equal(made[0][1:3], between)
