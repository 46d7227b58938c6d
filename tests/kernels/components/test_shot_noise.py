"""Sigma of what is bright on black ground: its own light's noise is all there is, and no ring around it knows that."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter

from app.sources.simulated.drawing import discs
from kernels.components import blobs
from kernels.executors import natives
from kernels.executors.reference import evaluate
from kernels.loops import language
from kernels.regions.shot_noise_loops import shot_of
from kernels.stages.components import components
from tests.oracles.components import measured_rows

Array = npt.NDArray[Any]
READ = 8.0  # electrons


def seen(
    radius: float, ground: float, height: float, well: float, seed: int, side: int = 12, dome: float = 0.0
) -> tuple[Array, Array, Array]:
    """Discs as an 8-bit camera sees them that cuts at 0, as f32; their x and y. `dome`: what they are darker by
    at their rims, as balls are."""
    draw, pitch = np.random.default_rng(seed), int(2 * radius) + 20
    middle = np.arange(side) * pitch + pitch / 2
    x, y = (m.ravel() + draw.uniform(-1, 1, m.size) for m in np.meshgrid(middle, middle))
    cover = discs((side * pitch, side * pitch), x, y, radius, 0.75, 1.0).astype(np.float64)
    rows, columns = np.mgrid[: side * pitch, : side * pitch]
    own = rows // pitch * side + columns // pitch
    square = ((columns - x[own]) ** 2 + (rows - y[own]) ** 2) / radius**2
    shown = ground + cover * (height * (1.0 - dome * np.minimum(square, 1.0)) - ground)
    taken = draw.poisson(shown * well) + draw.normal(0, READ, shown.shape)
    return (np.clip(np.rint(taken / well * 255), 0, 255) / 255).astype(np.float32), x, y


def squares(picture: Array, x: Array, y: Array, level: float, **params: Any) -> tuple[float, float]:
    """Mean squares of the errors in x and in y, in units of their sigma."""
    rows = evaluate(components, gaussian_filter(picture, 1.0) > level, picture, min_area=12, **params).rows
    rows = rows[np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y).argmin(axis=0)]
    both = rows["sigma"] ** 2
    return (float(np.mean((rows["x"] - x) ** 2 / (both * (1 + rows["anisotropy"])))),
            float(np.mean((rows["y"] - y) ** 2 / (both * (1 - rows["anisotropy"])))))  # fmt: skip


@pytest.mark.parametrize("background", ["slope", "ring"])
@pytest.mark.parametrize(("radius", "well", "level"), [
    (5.0, 1e4, 0.4), (8.0, 1e4, 0.4), (14.0, 1e4, 0.4), (5.0, 1e3, 0.4), (14.0, 1e3, 0.4), (5.0, 1e4, 0.2),
    (8.0, 1e4, 0.2)])  # fmt: skip
def test_a_disc_on_black_ground_says_what_its_own_light_does(
    radius: float, well: float, level: float, background: str
) -> None:
    # 2 to 12 at half of the height, 1000 and more (sigma 0) at a quarter, where the ground's noise was all that counted
    found = squares(*seen(radius, 0.0, 0.8, well, 611), level, background=background)
    assert np.mean(found) == pytest.approx(1.0, abs=0.25)
    assert max(found) < 1.4


@pytest.mark.parametrize("ground", [0.1, 0.4])
def test_a_brighter_ground_changes_nothing(ground: float) -> None:
    found = squares(*seen(8.0, ground, 0.8, 1e4, 612), 0.5 * (ground + 0.8))  # .1: 1.4
    assert np.mean(found) == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("radius", [1.2, 1.5])
def test_a_disc_of_a_few_pixels_on_black_ground_has_a_sigma(radius: float) -> None:
    picture, x, y = seen(radius, 0.0, 0.8, 1e4, 613)
    rows = evaluate(components, gaussian_filter(picture, 1.0) > 0.2, picture, min_area=3).rows
    rows = rows[np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y).argmin(axis=0)]
    assert float(rows["sigma"].min()) > 5e-4  # 0 where too few pixels told their noise, errors being 5e-3
    z = np.stack((rows["x"] - x, rows["y"] - y)) / rows["sigma"]
    assert float((z**2).mean()) < 8  # infinite; 10 to 30


@given(seed=st.integers(0, 2**32 - 1), pixels=st.integers(3, 12), gain=st.floats(0.01, 1))
def test_noise_of_light_is_told_of_few_pixels_on_black_ground_alone(
    seed: int, pixels: int, gain: float
) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-1, 1, (2, pixels))
    v = 100.0 + gain * rng.normal(0, 10, pixels)
    terms = np.stack((np.ones(pixels), x, y, x * x + y * y, (x * x + y * y) ** 2))
    gram = terms @ terms.T
    sums = np.concatenate([gram[a, a:] for a in range(5)] + [terms @ v, [v @ v]])
    black, lit = np.zeros((2, 2))
    shot_of(sums.copy(), 0.25, 0.25, black)
    shot_of(sums.copy(), 0.25, 0.0, lit)
    assert black[0] != 0.0
    assert black[1] > 0.0
    assert pixels > 6 or (lit == (0.0, 0.25)).all()
    if pixels >= 8:  # the whole surface leaves enough
        assert black == pytest.approx(lit)


def test_what_shades_a_thing_is_no_noise() -> None:
    # Half as bright at the rim: forty times the noise.
    found = squares(*seen(8.0, 0.0, 0.8, 1e4, 613, dome=0.5), 0.2)
    assert np.mean(found) == pytest.approx(1.0, abs=0.25)


@pytest.mark.parametrize("radius", [2.5, 2.8, 3.0])
def test_a_rim_that_is_out_of_reach_cuts_nothing_off(radius: float) -> None:
    # .25 to .45, of the light of the last ring, of which next to nothing would be left in the next; .6 to .8
    # where it was to fall as it did before.
    found = squares(*seen(radius, 0.0, 0.8, 1e4, 614), 0.4)
    assert 0.75 < np.mean(found) < 1.3


@pytest.mark.parametrize("grow", [0, 1, 2, 3])
def test_lists_and_text_give_the_bits(grow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, _, _ = seen(4.0, 0.05, 0.8, 1e3, 615, side=2)
    picture[30:33, 10:14] = np.nan
    mask = np.nan_to_num(picture) > 0.3

    def rows() -> Array:
        return evaluate(components, mask, picture, min_area=3, grow=grow).rows

    tiles = rows()
    try:
        language.provide(None)
        assert rows().tobytes() == tiles.tobytes()
    finally:
        language.provide(natives.load)
    monkeypatch.setattr(blobs, "fits", lambda *_: False)
    lists = rows()
    monkeypatch.setattr(blobs, "weighed", measured_rows)
    assert lists.tobytes() == rows().tobytes()
    if grow:  # tiles look for what is none of the ground in another way, and without that the rim is in the ring
        np.testing.assert_allclose(tiles["sigma"], lists["sigma"], rtol=0.15)


@pytest.mark.parametrize("background", ["slope", "ring", "level"])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_lists_of_regions_that_touch_when_they_grow_are_those_of_numpy(
    background: str, dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    picture = (rng.random((40, 56)) * 200).astype(dtype)
    mask = rng.random(picture.shape) < 0.15  # most have another within two pixels
    monkeypatch.setattr(blobs, "fits", lambda *_: False)

    def rows() -> Array:
        return evaluate(components, mask, picture, min_area=1, grow=2, background=background).rows

    lists = rows()
    monkeypatch.setattr(blobs, "weighed", measured_rows)
    assert len(lists) > 50
    assert lists.tobytes() == rows().tobytes()
