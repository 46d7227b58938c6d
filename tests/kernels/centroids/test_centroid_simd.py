"""Loops whose LANES are f32 or f64: the same code for both, the same bits as Python, centres that agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.centroids.centroid import centres_in
from kernels.centroids.centroid_simd import bells
from kernels.executors import natives
from kernels.loops import language
from kernels.loops.calling import call
from kernels.loops.exponential import exponentials
from kernels.loops.language import (
    EIGHTS,
    F32,
    F64,
    I64,
    LANES,
    PIXELS,
    address,
    as_f64_rows,
    at,
    gather_transpose,
    is_f32,
    lane_count,
    load_minus,
    load_row,
    loop,
    mask,
    power_of_two,
    rint,
    row_sums,
    splat_like,
    sqrt,
    store,
    where,
)

Array = npt.NDArray[Any]
KINDS = pytest.mark.parametrize("kind", [np.float32, np.float64])


@pytest.fixture(autouse=True)
def compiler() -> None:
    language.provide(natives.load)


@loop
def inner(values: LANES, out: LANES, factor: float) -> int:
    a, b = load_row(values, 0), load_row(values, 1)
    inside = a < b
    low = where(inside, a, b)
    if is_f32(values):
        low = low * 3.0
        store(out, 0, low)
    else:
        low = low + 1.0
    store(out, 0, where(inside, splat_like(values, factor), 0.5) / (1.0 + abs(low)))
    store(out, 1, sqrt(abs(a)) * power_of_two(rint(where(abs(b) < 20.0, b, 20.0))))
    return mask(b < a)


@loop
def outer(pixels: PIXELS, places: I64, values: LANES, wide: F64, out: LANES, wide_out: EIGHTS) -> int:
    gather_transpose(values, 0, pixels, places, 3)
    word = inner(at(values, 2), out, 0.1)
    inner(as_f64_rows(wide), wide_out, 0.1)
    for n in range(2):
        for k in range(lane_count(values)):
            values[n, k] = float(out[n, k]) * 0.3 + wide_out[n, k % 8]
    return word


@KINDS
@given(seed=st.integers(0, 2**32 - 1), pixels=st.sampled_from(["uint8", "int16", "float32"]))
def test_a_loop_for_either_type_is_its_python(kind: Any, seed: int, pixels: str) -> None:
    random = np.random.default_rng(seed)
    image = (random.normal(0.0, 30.0, 200) if pixels != "uint8" else random.integers(0, 256, 200)).astype(pixels)
    many = 8 if kind == np.float64 else 16
    places, wide = random.integers(0, 180, many), random.normal(0.0, 9.0, 16)
    made = []
    for compiled in (True, False):
        values, out, wide_out = np.zeros((8, many), kind), np.zeros((2, many), kind), np.zeros((2, 8))
        if compiled:
            assert outer.native(pixels, kind) is not None
            word = call(outer, image, places, values, wide, out, wide_out, pixels=pixels, lanes=kind)
        else:
            word = outer(image, places, values, wide, out, wide_out)
        made.append((word, values.tobytes(), out.tobytes(), wide_out.tobytes()))
    assert made[0] == made[1]


@loop
def turned(p: PIXELS, places: I64, out: LANES) -> int:
    gather_transpose(out, 1, p, places, 2)
    return 0


@pytest.mark.parametrize("wide", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["uint8", "int8", "uint16", "int16", "float32", "float64"])
def test_rows_of_eight_are_turned(kind: str, wide: str) -> None:
    pixels = np.random.default_rng(1).integers(0 if kind[0] == "u" else -100, 100, 60).astype(kind)
    places = np.array([0, 7, 3, 50, 50, 21, 33, 2, 1, 48, 13, 49, 9, 9, 30, 4])[: 8 if wide == "float64" else 16]
    wanted = np.stack([pixels[k + 2 : k + 10] for k in places]).T
    out = np.zeros((2, 10, len(places)), wide)
    native = turned.native(kind, wide)
    assert native is not None
    native(address(pixels), address(places), address(out[0]))
    turned(pixels, places, out[1])
    for one in out:
        np.testing.assert_array_equal(one[1:9], wanted)
        assert not one[0].any()
        assert not one[9].any()


@settings(deadline=None)
@given(st.lists(st.floats(-1e4, 80.0, width=32), min_size=16, max_size=80))
def test_the_exponential_of_f32_is_e_to_the_power(values: list[float]) -> None:
    t = np.array(values[: len(values) // 16 * 16], np.float32).reshape(-1, 16)
    made = t.copy()
    exponentials(made, len(made))
    np.testing.assert_allclose(made, np.exp(np.maximum(t.astype(np.float64), -87.0)), rtol=3e-7)
    call(exponentials, t, len(t), lanes=np.float32)
    assert t.tobytes() == made.tobytes()


@KINDS
@given(seed=st.integers(0, 2**32 - 1), half=st.integers(1, 12))
def test_bells_are_bells_and_never_too_small_to_be_quick(kind: Any, seed: int, half: int) -> None:
    random = np.random.default_rng(seed)
    many = 8 if kind == np.float64 else 16
    places = random.uniform(-25.0, 25.0, (2, many)).astype(kind)
    scale = (0.5 / random.uniform(0.4, 6.0, many) ** 2).astype(kind)
    both, room = np.zeros((2, 2 * half + 1, many), kind), np.zeros((5, many), kind)
    call(bells, both[0], both[1], half, places, scale, room, lanes=kind)
    k = np.arange(-half, half + 1)[:, None]
    for place, out in zip(places.astype(np.float64), both, strict=True):
        true = np.exp(-scale.astype(np.float64) * (k - place) ** 2)
        middle = scale.astype(np.float64) * place**2
        known = np.broadcast_to(middle < (68.0 if kind == np.float32 else 689.0), true.shape)
        made = out.astype(np.float64)
        np.testing.assert_allclose(made[known], true[known], rtol=1e-4 if kind == np.float32 else 1e-11,
                                   atol=2e-15 if kind == np.float32 else 1e-290)  # fmt: skip
        if kind == np.float32:
            assert ((made == 0.0) | (made > 0.99e-15)).all()


def scene(seed: int, noise: float) -> tuple[Array, Array, Array]:
    """Blobs, some touching, some at edges; where to begin."""
    random = np.random.default_rng(seed)
    height, width, count = int(random.integers(20, 60)), int(random.integers(20, 60)), int(random.integers(1, 12))
    x, y = random.uniform(-0.5, width - 0.5, count), random.uniform(-0.5, height - 0.5, count)
    rows, columns = np.mgrid[:height, :width]
    image = np.full((height, width), 40.0)
    for cx, cy in zip(x, y, strict=True):
        image += random.uniform(50, 200) * np.exp(-((columns - cx) ** 2 + (rows - cy) ** 2) / (2 * 1.4**2))
    return image + random.normal(0.0, noise, image.shape), x, y


@pytest.mark.parametrize("method", ["gaussian", "auto"])
@pytest.mark.parametrize("kind", ["uint8", "uint16", "float32"])
def test_centres_in_f32_are_those_in_f64(kind: str, method: str) -> None:
    apart = []
    for seed in range(60):
        image, x, y = scene(seed, 2.0)
        image = np.clip(image * (1.0 if kind == "uint8" else 16.0), 0.0, 255.0 if kind == "uint8" else 6e4).astype(kind)
        wide = image.astype(np.float64 if kind == "float32" else np.int32)
        frame, grain = np.zeros(len(x), np.int64), 0.0 if kind == "float32" else 1.0 / 12.0
        narrow_, wide_ = (centres_in(i[None], frame, np.rint(x), np.rint(y), 1.4, grain, method=method)
                          for i in (image, wide))  # fmt: skip
        told = np.isfinite(wide_["sigma"])
        assert (told == np.isfinite(narrow_["sigma"])).all()
        for name in ("x", "y"):
            apart += (abs(narrow_[name] - wide_[name])[told] / wide_["sigma"][told]).tolist()
    # Of heaps of blobs upon each other some end elsewhere, as they do where anything else is a little different.
    assert len(apart) > 300
    assert np.quantile(apart, 0.5) < 3e-5
    assert np.quantile(apart, 0.97) < 1e-2


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([-20, -15, -13, -9, 9, 13, 15, 18]))
def test_light_that_f32_cannot_square_has_the_same_centre(seed: int, power: int) -> None:
    image, x, y = scene(seed, 2.0)
    frame, plain = np.zeros(len(x), np.int64), image.astype(np.float32)
    factor = np.float32(2.0) ** round(power / np.log10(2.0))  # no rounding
    made = [centres_in(i[None], frame, np.rint(x), np.rint(y), 1.4) for i in (plain, plain * factor)]
    made[1]["mass"] /= factor
    # They go one by one then, without the slope of the ground: what differs is a part of sigma.
    height, width = image.shape
    alone = np.hypot(x[:, None] - x, y[:, None] - y) + 99.0 * np.eye(len(x)) > 12.0
    inside = (x > 8) & (y > 8) & (x < width - 9) & (y < height - 9) & alone.all(axis=1)
    a, b = (rows[inside] for rows in made)
    for name in ("x", "y"):
        assert (abs(a[name] - b[name]) < 0.6 * a["sigma"]).all()
    for name in ("mass", "sigma"):
        np.testing.assert_allclose(a[name], b[name], rtol=0.5)


@pytest.mark.parametrize("power", [-13, -12, -11, -10, 0, 8, 9, 12, 13])
@pytest.mark.parametrize("sigma", [1.4, 5.0])
def test_radial_symmetry_is_seen_in_light_of_any_strength(sigma: float, power: int) -> None:
    """Products of two sums of squares go beyond f32 long before the squares do."""
    random = np.random.default_rng(3)
    side = 2 * round(8 * sigma + 6)
    rows, columns = np.mgrid[:side, : 4 * side]
    x, y = np.arange(0.5, 4) * side + random.uniform(-0.5, 0.5, 4), side / 2 + random.uniform(-0.5, 0.5, 4)
    image = 10.0 + random.normal(0.0, 1.0, rows.shape)
    for cx, cy in zip(x, y, strict=True):
        image += 60.0 * np.exp(-((columns - cx) ** 2 + (rows - cy) ** 2) / (2 * sigma**2))
    image = (image * 10.0**power).astype(np.float32)
    narrow_, wide_ = (centres_in(i[None], np.zeros(4, np.int64), np.rint(x), np.rint(y), sigma, method="radial")
                      for i in (image, image.astype(np.float64)))  # fmt: skip
    np.testing.assert_allclose(narrow_["sigma"], wide_["sigma"], rtol=1e-3)
    for name in ("x", "y"):
        assert (abs(narrow_[name] - wide_[name]) < 1e-4 * wide_["sigma"] + 1e-5).all()


@pytest.mark.parametrize("edge", [False, True])
@pytest.mark.parametrize("sigma", [1.2, 5.0])
@pytest.mark.parametrize("offset", [-3e7, 1e3, 1e5, 1e6, 1e7])
def test_a_ground_of_which_f32_tells_no_fraction_takes_no_light(sigma: float, offset: float, edge: bool) -> None:
    random = np.random.default_rng(4)
    side = 2 * round(6 * sigma + 6)
    rows, columns = np.mgrid[:side, : 9 * side]
    x, y = np.arange(0.5, 9) * side + random.uniform(-0.5, 0.5, 9), side / 2 + random.uniform(-0.5, 0.5, 9)
    y -= (side / 2 - sigma) * edge
    image = offset + random.normal(0.0, 1.0, rows.shape)
    for cx, cy in zip(x, y, strict=True):
        image += 20.0 * np.exp(-((columns - cx) ** 2 + (rows - cy) ** 2) / (2 * sigma**2))
    image = image.astype(np.float32)
    narrow_, wide_ = (centres_in(i[None], np.zeros(9, np.int64), np.rint(x), np.rint(y), sigma)
                      for i in (image, image.astype(np.float64)))  # fmt: skip
    noise = 2 * 3.3 * sigma  # of a window's sum, where that of a pixel is 1
    assert (abs(narrow_["mass"] - wide_["mass"]) < 0.1 * noise).all()
    # Fits at edges, which go singly here, stop a little earlier or later than those of many do.
    assert (abs(narrow_["xx"] - wide_["xx"]) < (5e-3 if edge else 2e-3) * wide_["xx"]).all()


@loop
def beside(pixels: PIXELS, start: int, place: int, out: LANES, narrow_out: F32) -> int:
    one = load_minus(out, pixels, start, place)
    store(out, 1, one)
    if is_f32(out):
        store(narrow_out, 3, one)
    return 0


@KINDS
@given(seed=st.integers(0, 2**32 - 1),
       pixels=st.sampled_from(["uint8", "int8", "uint16", "int16", "uint32", "int32", "int64", "float32", "float64"]))
def test_elements_less_another_are_rounded_once(kind: Any, seed: int, pixels: str) -> None:
    random, many = np.random.default_rng(seed), 8 if kind == np.float64 else 16
    if pixels.startswith("float"):
        image = (random.normal(0.0, 1.0, 40) * 10.0 ** random.integers(-12, 13, 40)).astype(pixels)
    else:
        image = random.integers(np.iinfo(pixels).min, np.iinfo(pixels).max, 40, pixels, endpoint=True)
    start, place, made = int(random.integers(0, 24)), int(random.integers(0, 40)), []
    for compiled in (True, False):
        out, short = np.zeros((2, many), kind), np.zeros(20, np.float32)
        if compiled:
            call(beside, image, start, place, out, short, pixels=pixels, lanes=kind)
        else:
            beside(image, start, place, out, short)
        made.append((out.tobytes(), short.tobytes()))
    assert made[0] == made[1]
    wanted = [kind(float(image[start + k]) - float(image[place])) for k in range(many)]
    np.testing.assert_array_equal(out[1], wanted)
    assert short[3:19].tolist() == (wanted if kind == np.float32 else [0.0] * 16)


@loop
def added(array: LANES, out: F64) -> int:
    row_sums(out, 1, array, 2)
    return 0


@KINDS
@given(seed=st.integers(0, 2**32 - 1))
def test_sixteen_rows_are_added_up(kind: Any, seed: int) -> None:
    random, out = np.random.default_rng(seed), np.zeros((2, 18))
    array = random.normal(0.0, 1.0, (18, 8 if kind == np.float64 else 16)).astype(kind)
    assert added.native(lanes=kind) is not None
    call(added, array, out[0], lanes=kind)
    added(array, out[1])
    assert out[0].tobytes() == out[1].tobytes()
    np.testing.assert_allclose(out[0], [0.0, *array[2:].astype(float).sum(axis=1), 0.0], atol=1e-6)


@pytest.mark.parametrize("method", ["gaussian", "radial", "auto"])
@pytest.mark.parametrize("snr", [20, 100])
def test_a_blob_by_itself_is_as_oblong_as_among_others(method: str, snr: float) -> None:
    # Light of 1e20 goes blob by blob. By itself radial symmetry was taken of oblong blobs, too, and sigma was round and
    # up to 3 times what it should be.
    rng, count = np.random.default_rng(3), 120
    x, y, turned = rng.uniform(14, 18, count), rng.uniform(14, 18, count), rng.uniform(0, np.pi, count)
    rows, columns = np.mgrid[:33, :33]
    dx, dy = columns - x[:, None, None], rows - y[:, None, None]
    c, s = np.cos(turned)[:, None, None], np.sin(turned)[:, None, None]
    light = 400 * np.exp(-((dx * c + dy * s) ** 2) / (2 * 1.8**2) - (dy * c - dx * s) ** 2 / (2 * 1.1**2))
    light = (light + rng.normal(0, 400 / snr, light.shape)).astype(np.float32)
    among, alone = (centres_in(light * np.float32(factor), np.arange(count), np.rint(x), np.rint(y), 1.4, method=method)
                    for factor in (1.0, 2.0**60))  # fmt: skip
    np.testing.assert_allclose(alone["sigma"], among["sigma"], rtol=0.1)
    np.testing.assert_allclose(alone["anisotropy"], among["anisotropy"], atol=0.02)
    assert np.abs(alone["anisotropy"]).max() > 0.3
    for axis in ("x", "y"):  # .07 px and more where the ways differ
        np.testing.assert_allclose(alone[axis], among[axis], atol=0.03)


def test_a_dark_blob_by_itself_has_the_sigma_that_it_has_among_others():
    """What hides light hides its shot noise. (By itself the slope of the ground is not asked for.)"""
    rng, n = np.random.default_rng(7), 100
    x, y = 20.0 + 24 * (np.arange(n) % 10) + rng.uniform(-0.5, 0.5, n), 20.0 + 24 * (np.arange(n) // 10)
    rows, columns = np.mgrid[:256, :256]
    light = np.full((256, 256), 6000.0)
    for a, b in zip(x, y, strict=True):
        light -= 5000.0 * np.exp(-((columns - a) ** 2 + (rows - b) ** 2) / (2 * 1.6**2))
    image = rng.poisson(np.maximum(light, 0.0)).astype(np.float32)
    plain, bright = (centres_in(image[None] * np.float32(factor), np.zeros(n, int), np.rint(x), np.rint(y), 1.4,
                                dark=True) for factor in (1.0, 2.0**70))  # fmt: skip
    np.testing.assert_allclose(bright["sigma"], plain["sigma"], rtol=0.05)
