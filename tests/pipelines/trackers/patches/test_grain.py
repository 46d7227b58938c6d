"""What the noise of a window does to its place: even or not, white or not, in references that are noisy or not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import erfc

from kernels.executors import natives
from kernels.host import loops
from kernels.host.opencv import cv2
from pipelines.trackers.patches.corners import Corners
from pipelines.trackers.patches.fit import References, fitted
from pipelines.trackers.patches.grain import grain
from pipelines.trackers.patches.grain_loops import FAR, MOST_LOST
from pipelines.trackers.patches.windows import sampled

SIZE, CLIPS = 63, 150


@pytest.fixture(autouse=True)
def compiled() -> None:
    loops.provide(natives.load)


def marker() -> np.ndarray:
    """A bright dot with a soft outline on dark skin, as share of the full light."""
    y, x = np.mgrid[:SIZE, :SIZE] - SIZE // 2
    return 0.25 + 0.7 * 0.5 * erfc((np.hypot(x - 0.3, y + 0.2) - 2.8) / (0.75 * np.sqrt(2)))


def ratios(window: int, photons: bool, blur: float, own: float) -> tuple[float, float]:
    """The mean of grain's ratios, and what it should be: the variance of places by that of even white noise."""
    rng, clean = np.random.default_rng(3), marker()
    size = 0.012 * np.sqrt(clean if photons else np.full_like(clean, 0.4))

    def shown(noise: float) -> np.ndarray:
        picture = clean + noise * size * rng.normal(0, 1, clean.shape)
        return cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture

    middle, one = np.array([float(SIZE // 2)]), np.zeros(1, np.int64)
    made, places, white = [], [], []
    corners = Corners(window, "translation")
    corners.begin(shown(own), middle, middle, np.arange(1))
    ref: References = corners.anchors.references
    for _ in range(CLIPS):
        if own:  # another noise of the reference, too
            corners.anchors.take(shown(own), one, middle, middle)
        picture = shown(1.0)
        found = fitted(picture, ref, one, middle, middle, 2.0)
        averaged = np.ones(1) if own else np.full(1, 1e6)
        ratio, gain = grain(picture, ref, one, averaged, found, one)
        assert gain == pytest.approx(1.0, abs=0.05)
        made.append(ratio[0])
        places.append((found.x[0], found.y[0]))
        pixels = found.rest[0] / (found.phase[0] + 1.0 / averaged[0]) / (window**2 - 4)
        white.append(pixels * (1.0 + 1.0 / averaged[0]) * np.trace(ref.inverse[0]))
    return float(np.mean(made)), float(np.sum(np.var(places, axis=0)) / np.mean(white))


@pytest.mark.parametrize("own", [0.0, 1.0])
@pytest.mark.parametrize("window", [11, 21])
@pytest.mark.parametrize(("photons", "blur"), [(False, 0.0), (True, 0.0), (False, 0.7), (True, 0.7)])
def test_the_ratio_is_that_of_the_places(window, photons, blur, own):
    found, true = ratios(window, photons, blur, own)
    # Of the small window the fit takes a good part of the noise out, most of it where there is most.
    assert (0.6 if window == 11 else 0.75) < found / true < 1.3, (found, true)
    if photons and not blur and window == 21:
        assert true > 1.3  # or nothing is shown
    if blur:
        assert true > 3.0


def test_where_nothing_is_left_the_ratio_is_one():
    corners = Corners(11, "translation")
    picture, middle, one = marker(), np.array([float(SIZE // 2)]), np.zeros(1, np.int64)
    corners.begin(picture, middle, middle, np.arange(1))
    found = fitted(picture, corners.anchors.references, one, middle, middle, 2.0)
    found.rest[:] = 0.0
    ratio, gain = grain(picture, corners.anchors.references, one, np.ones(1), found, one)
    assert ratio.tolist() == [1.0]
    assert gain == pytest.approx(1.0)


def plain(f, g, slopes, inverse, averaged, phase, rest):
    """Ratio and gain by NumPy alone, for a window f, what is seen of it g, and slopes (p, w, w)."""
    w, p, g = len(f), len(slopes), g - g.mean()
    ff, gg, fg, share = (f * f).sum(), (g * g).sum(), (f * g).sum(), 1.0 / (averaged * phase)
    gain = 2.0 * ff / (fg * (1 - share) + np.sqrt((fg * (1 - share)) ** 2 + 4.0 * ff * gg * share))
    left = g * gain - f
    solver = np.einsum("pq,qij->pij", inverse, slopes)
    left -= np.einsum("pij,p->ij", slopes, np.einsum("pij,ij->p", solver, left))
    solver = solver[:2]
    values, vectors = np.linalg.eigh(inverse)
    steps = np.einsum("qp,qij->pij", vectors * np.sqrt(np.maximum(values, 0.0)), slopes)
    taken = np.concatenate(([f / np.sqrt(ff), np.full_like(f, 1.0 / w)], steps))
    alike = lost = 0.0
    for dy in range(FAR + 1):
        for dx in range(-FAR if dy else 0, FAR + 1):
            one = (..., slice(None, w - dy), slice(max(-dx, 0), w - max(dx, 0)))
            two = (..., slice(dy, None), slice(max(dx, 0), w - max(-dx, 0)))
            weight = (solver[one] * solver[two]).sum() * (2.0 if dx or dy else 1.0) / ((w - dy) * (w - abs(dx)))
            alike += (left[one] * left[two]).sum() * weight
            lost += (taken[one] * taken[two]).sum() * weight
    whole = (solver * solver).sum()
    alike /= max(whole - lost, (1.0 - MOST_LOST) * whole)
    squares = left * left
    leverage = (taken * taken).sum(axis=0) * max(alike / (squares.sum() / (w * w - p - 2)), 1.0)
    squares /= np.maximum(1.0 - leverage, 1.0 - MOST_LOST)
    total = alike * (solver * solver * squares).sum() / squares.mean()
    white = rest / (phase + 1.0 / averaged) / (w * w - p - 2) * (1.0 + 1.0 / averaged)
    return total / (white * (inverse[0, 0] + inverse[1, 1])), gain


@pytest.mark.parametrize("model", ["translation", "rigid", "affine"])
@pytest.mark.parametrize("window", [9, 16 + 5, 33])
def test_the_loop_computes_what_numpy_does(model, window):
    rng = np.random.default_rng(window)
    clean = cv2.GaussianBlur(rng.normal(0, 200, (SIZE, SIZE)), (0, 0), 1.5)
    middle, corners = np.array([31.0, 30.0]), Corners(window, model)
    corners.begin(clean + rng.normal(0, 1, clean.shape), middle, middle[::-1].copy(), np.arange(2), every=True)
    picture = 1.3 * cv2.GaussianBlur(clean + rng.normal(0, 2, clean.shape), (0, 0), 0.4) + 7
    ref, slots = corners.anchors.references, np.array([1, 0])
    found = fitted(picture, ref, np.arange(2), middle, middle[::-1].copy(), 2.0)
    averaged = np.array([3.0, 1.0])
    ratio, gain = grain(picture, ref, slots, averaged, found, slots)
    seen = sampled(picture, found.x, found.y, window, ref.layout.pitch)[:, :, :window]
    for n, slot in enumerate(slots):
        wanted = plain(ref.pixels[slot, :, :window], seen[slot], ref.jacobian[slot, :, :, :window], ref.inverse[slot],
                       averaged[n], found.phase[slot], found.rest[slot])  # fmt: skip
        np.testing.assert_allclose((ratio[n], gain[n]), wanted, rtol=1e-8)
    assert not np.allclose(ratio, 1.0, rtol=0.01)
    loops.provide(None)
    slow = grain(picture, ref, slots, averaged, found, slots)
    assert (slow[0].tobytes(), slow[1].tobytes()) == (ratio.tobytes(), gain.tobytes())
