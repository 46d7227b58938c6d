"""The uncertainty of a window's place as an ellipse: of textures that tell one direction better, and of stripes."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State, ellipses, sigmas
from pipelines.trackers.base import make_tracker

SIZE, WINDOW = 72, 21
CENTRE = 36.0


def grained(angle, longer, seed):
    """A texture whose grain is so many times longer along an angle (degrees, from x towards y)."""
    rng, at = np.random.default_rng(seed), np.deg2rad(angle)
    fy, fx = np.fft.fftfreq(SIZE)[:, None], np.fft.fftfreq(SIZE)[None]
    along, across = fx * np.cos(at) + fy * np.sin(at), fy * np.cos(at) - fx * np.sin(at)
    pass_ = np.exp(-2 * np.pi**2 * 1.5**2 * ((longer * along) ** 2 + across**2))
    field = np.fft.ifft2(np.fft.fft2(rng.standard_normal((SIZE, SIZE))) * pass_).real
    return 120 + 40 * field / field.std()


def striped(angle, shift=(0.0, 0.0)):
    """Smooth stripes along an angle, moved by `shift` px."""
    at, (y, x) = np.deg2rad(angle), np.mgrid[:SIZE, :SIZE].astype(float)
    u = (y - shift[1]) * np.cos(at) - (x - shift[0]) * np.sin(at)
    return 120 + 50 * np.sin(u / 2.2) + 20 * np.sin(u / 3.7 + 1)


def noisy(picture, rng, noise=2.0):
    return np.clip(np.rint(picture + rng.normal(0, noise, picture.shape)), 0, 255).astype(np.uint8)


def follow(frames, name="template", batch=1, **params):
    made = make_tracker(name, {"points": ((CENTRE, CENTRE),), "window": WINDOW, **params}, (SIZE, SIZE), None)
    rows = []
    for first in range(0, len(frames), batch):
        part = range(first, min(first + batch, len(frames)))
        rows += made.update_batch(part, [float(k) for k in part], [{"image": frames[k]} for k in part])
    return np.concatenate(rows), made


@pytest.mark.parametrize("name", ["template", "klt"])
@pytest.mark.parametrize("angle", [0.0, 30.0, 120.0])
def test_the_ellipse_lies_along_the_grain(name, angle):
    rng, picture = np.random.default_rng(4), grained(angle, 4.0, 5)
    params = {"max_points": 0} if name == "klt" else {}
    rows, _ = follow([noisy(picture, rng, 8.0 if name == "template" else 3.0) for _ in range(300)], name, **params)
    rows = rows[rows["frame"] > 40]
    error = np.stack((rows["x"], rows["y"])) - CENTRE
    errors = np.cov(error)
    sx, sy = sigmas(rows)
    both = np.mean(rows["correlation"] * sx * sy)
    stated = np.array([[np.mean(sx**2), both], [both, np.mean(sy**2)]])
    longer, shorter, turn = ellipses(rows)
    off = np.deg2rad(angle) - turn
    assert np.abs(np.mean(np.exp(2j * off)) - 1) < 0.35  # directions are the same half a turn on
    assert np.median(longer / shorter) > 1.8
    # What all frames have in common, the reference's own share, is in sigma and not in these errors.
    ratio = np.linalg.eigvals(np.linalg.solve(stated, errors)).real
    assert 0.3 < ratio.min() < ratio.max() < 1.3
    assert ratio.max() < 2.4 * ratio.min()  # without the ellipse 5 and more


@pytest.mark.parametrize("angle", [0.0, 20.0, 90.0, 135.0])
def test_along_stripes_nothing_is_known_and_across_them_as_much_as_before(angle):
    at, rng = np.deg2rad(angle), np.random.default_rng(6)
    along, across = np.array((np.cos(at), np.sin(at))), np.array((-np.sin(at), np.cos(at)))
    ways = [4 * np.sin(k / 9) * along + 1.5 * np.sin(k / 5) * across for k in range(60)]
    frames = [noisy(striped(angle, way), rng) for way in ways]
    rows, made = follow(frames)
    assert (rows["state"] == State.TRACKED).all()
    assert rows["sigma"][0] == 0  # the point itself
    error = np.stack((rows["x"], rows["y"]), axis=1) - CENTRE - np.array(ways)
    rows, error = rows[5:], error[5:]
    longer, shorter, turn = ellipses(rows)
    np.testing.assert_allclose(np.abs(np.exp(2j * (turn - at)) - 1), 0, atol=0.1)
    np.testing.assert_allclose(longer, WINDOW, rtol=1e-5)
    assert np.std(error @ along) > 2  # what the case is about
    assert np.mean((error @ along / longer) ** 2) < 1
    assert np.sqrt(np.mean((error @ across) ** 2)) < 0.05
    assert shorter.max() < 0.2
    ((track, (right, down)),) = made.stripes().items()
    assert track == 0
    assert abs(abs(right * along[0] + down * along[1]) - 1) < 0.01


def test_a_texture_in_all_directions_is_no_stripe():
    rng = np.random.default_rng(7)
    rows, made = follow([noisy(grained(0.0, 1.0, 8), rng) for _ in range(20)])
    assert made.stripes() == {}
    assert (np.abs(rows["anisotropy"]) < 0.5).all()
    assert rows["sigma"].max() < 0.1


@pytest.mark.parametrize("angle", [0.0, 65.0])
def test_rows_do_not_hang_on_the_batch(angle):
    rng, picture = np.random.default_rng(9), grained(angle, 3.0, 10)
    frames = [noisy(picture, rng) for _ in range(40)]
    assert follow(frames)[0].tobytes() == follow(frames, batch=16)[0].tobytes()
    frames = [noisy(striped(angle, (0.0, 0.02 * k)), rng) for k in range(40)]
    assert follow(frames)[0].tobytes() == follow(frames, batch=16)[0].tobytes()
