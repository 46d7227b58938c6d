"""Connected components: the accuracy of centres, masses and widths, and how true the forecast of it is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from kernels.executors.reference import evaluate
from kernels.stages.components import components
from tests.kernels.stages.discs import discs, errors, grid, sampled


@pytest.mark.parametrize("radius", [2.0, 4.0, 8.0])
@pytest.mark.parametrize("level", [60, 100, 150])
def test_neither_threshold_nor_ground_pulls(radius, level):
    rng = np.random.default_rng(3)
    x, y = grid(rng)
    image = discs((300, 300), x, y, radius, 150, 40)
    rows = evaluate(components, image > level, image.astype(np.float32)).rows
    assert len(rows) == len(x)
    assert errors(rows, x, y).max() <= 0.02
    np.testing.assert_allclose(rows["mass"], np.pi * (radius**2 + 0.6**2) * 150, rtol=0.005)  # with the blur's


@pytest.mark.parametrize(("radius", "limit"), [(2.0, 0.041), (4.0, 0.026), (8.0, 0.018)])
def test_noise_of_discs_and_its_forecast(radius, limit):
    rng = np.random.default_rng(4)
    x, y = grid(rng, size=400)
    image = sampled(discs((400, 400), x, y, radius, 150, 40), 4, rng)
    rows = evaluate(components, image > 115, image).rows
    rms = np.sqrt(np.mean(errors(rows, x, y) ** 2) / 2)
    assert rms <= limit
    assert np.sqrt(np.mean(rows["sigma"] ** 2)) == pytest.approx(rms, rel=0.2)
    refined = evaluate(components, image > 115, image, refine_sigma=0.6 * radius).rows
    assert np.sqrt(np.mean(errors(refined, x, y) ** 2) / 2) <= limit * 1.2


@pytest.mark.parametrize("radius", [3.0, 4.0, 6.0])
@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_touching_discs_are_split(radius, gap):
    rng = np.random.default_rng(5)
    cx, cy = grid(rng, step=45.0, size=450)
    angle, half = rng.uniform(0, 2 * np.pi, len(cx)), radius + gap / 2
    x = np.concatenate((cx - half * np.cos(angle), cx + half * np.cos(angle)))
    y = np.concatenate((cy - half * np.sin(angle), cy + half * np.sin(angle)))
    image = sampled(discs((450, 450), x, y, radius, 150, 40), 4, rng)
    rows = evaluate(components, image > 115, image, split=1.2 * radius, min_area=4).rows
    assert len(rows) == len(x)
    assert np.sqrt(np.mean(errors(rows, x, y) ** 2)) <= 0.10  # px, both coordinates together


@pytest.mark.parametrize("sigma", [1.2, 1.5, 2.0])
@pytest.mark.parametrize("apart", [3.0, 4.0])
def test_touching_particles_are_split_and_refined(sigma, apart):
    rng = np.random.default_rng(6)
    cx, cy = grid(rng, step=45.0, size=450)
    angle, half = rng.uniform(0, 2 * np.pi, len(cx)), apart * sigma / 2
    x = np.concatenate((cx - half * np.cos(angle), cx + half * np.cos(angle)))
    y = np.concatenate((cy - half * np.sin(angle), cy + half * np.sin(angle)))
    columns = np.arange(450)
    light = np.exp(-((columns - x[:, None]) ** 2) / (2 * sigma**2))
    image = 30 + 120 * np.exp(-((columns - y[:, None]) ** 2) / (2 * sigma**2)).T @ light
    image = sampled(image, 3, rng)
    rows = evaluate(components, image > 60, image, split=1.8 * sigma, min_area=2, refine_sigma=sigma).rows
    assert len(rows) == len(x)
    assert np.sqrt(np.mean(errors(rows, x, y) ** 2)) <= 0.045
    assert np.nanmax(rows["sigma"]) < 0.2


@pytest.mark.parametrize("polarity", ["bright", "dark"])
def test_shading_of_the_ground_does_not_pull(polarity):
    rng = np.random.default_rng(8)
    x, y = grid(rng)
    rows, columns = np.mgrid[:300, :300]
    image = discs((300, 300), x, y, 3.0, 90, 0) + 30 + 1.5 * ((columns + 15) % 30) + 1.0 * ((rows + 15) % 30)
    mask = discs((300, 300), x, y, 3.0, 90, 0) > 45
    image = (255 - image if polarity == "dark" else image).astype(np.float32)
    slope = evaluate(components, mask, image, background="slope", polarity=polarity).rows
    ring = evaluate(components, mask, image, background="ring", polarity=polarity).rows
    assert errors(slope, x, y).max() <= 0.02
    assert errors(ring, x, y).max() > 0.1


@pytest.mark.parametrize("snr", [5.0, 50.0])
def test_ways_of_refinement(snr):
    rng = np.random.default_rng(9)
    x, y = grid(rng, step=20.0, size=400)
    columns = np.arange(400)
    light = np.exp(-((columns - x[:, None]) ** 2) / (2 * 1.4**2))
    clean = snr * np.exp(-((columns - y[:, None]) ** 2) / (2 * 1.4**2)).T @ light
    image = (clean + rng.normal(0, 1, clean.shape)).astype(np.float32)
    found = {way: evaluate(components, clean > 0.3 * snr, image, refine_sigma=1.4, refine=way).rows
             for way in ("auto", "gaussian", "radial", "moments")}  # fmt: skip
    plain = evaluate(components, clean > 0.3 * snr, image).rows
    assert found["moments"].tobytes() == plain.tobytes()
    best, other = ("radial", "gaussian") if snr > 30 else ("gaussian", "radial")
    assert found["auto"].tobytes() == found[best].tobytes()
    assert (found["auto"]["x"] != found[other]["x"]).mean() > 0.9  # but those that seem oblong by the noise
    rms = {way: np.sqrt(np.mean(errors(rows, x, y) ** 2 / 2)) for way, rows in found.items()}
    for way, rows in found.items():
        away = cKDTree(np.column_stack((x, y))).query(np.column_stack((rows["x"], rows["y"])))[0]
        # The mask knows nothing of the noise here, so that moments lose less at its rim than they reckon with.
        low = 0.5 if way == "moments" else 0.75
        assert low <= np.mean((away / rows["sigma"]) ** 2 / 2) <= 1.2, way
    assert rms["gaussian"] < min(rms["moments"], 1.02 * rms["radial"])  # white noise: the bound is reached


@pytest.mark.parametrize("kind", [np.uint16, np.float32, np.float64])
@pytest.mark.parametrize("polarity", ["bright", "dark"])
def test_light_and_width_of_refined_components(kind, polarity):
    rng = np.random.default_rng(10)
    x, y = grid(rng, step=20.0, size=300)
    wide, narrow = 1.5, 1.2
    columns = np.arange(300)
    light = np.exp(-((columns - x[:, None]) ** 2) / (2 * wide**2))
    image = 100 + 2000 * np.exp(-((columns - y[:, None]) ** 2) / (2 * narrow**2)).T @ light
    image = image + rng.normal(0, 3, image.shape)
    mask = image > 600
    image = (4000 - image if polarity == "dark" else image).astype(kind)
    rows = evaluate(components, mask, image, refine_sigma=1.35, polarity=polarity).rows
    assert len(rows) == len(x)
    assert rows["area"].tolist() == evaluate(components, mask, image, polarity=polarity).rows["area"].tolist()
    np.testing.assert_allclose(rows["mass"], 2 * np.pi * wide * narrow * 2000, rtol=0.015)
    np.testing.assert_allclose(rows["xx"], wide**2, rtol=0.05)
    np.testing.assert_allclose(rows["yy"], narrow**2, rtol=0.05)
    np.testing.assert_allclose(rows["xy"], 0.0, atol=0.04)
    assert (abs(rows["peak"] - 2000 * np.exp(-0.1)) < 2000 * 0.11).all()  # a pixel is up to half a px off the middle


@pytest.mark.parametrize("radius", [2.0, 2.8, 3.6, 4.5, 5.5])
def test_discs_whose_rim_the_weights_do_not_reach_keep_their_regions_centre(radius):
    rng = np.random.default_rng(11)
    x, y = grid(rng, step=34.0, size=500)
    image = sampled(discs((500, 500), x, y, radius, 100, 40), 2, rng)
    plain, refined = (evaluate(components, image > 90, image, refine_sigma=sigma).rows for sigma in (0.0, 1.4))
    if radius > 3.3:
        assert refined["x"].tobytes() == plain["x"].tobytes()
    else:
        assert np.mean(errors(refined, x, y) ** 2) < 0.75 * np.mean(errors(plain, x, y) ** 2)
    away = cKDTree(np.column_stack((x, y))).query(np.column_stack((refined["x"], refined["y"])))[0]
    assert 0.6 < np.mean((away / refined["sigma"]) ** 2 / 2) < 1.2  # 8 and 28 of the widest if they are refined
