"""What the noise of a window does to its place: even or not, white or not, in references that are noisy or not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import erfc

from kernels.executors import natives
from kernels.loops import language
from kernels.opencv import cv2
from pipelines.trackers.registration.noise.noise_correlation import grain
from pipelines.trackers.registration.noise.noise_correlation_loops import FAR, ROUNDS, SETTLED, STEEP
from pipelines.trackers.registration.reference.corners import Corners
from pipelines.trackers.registration.reference.reference_update_translation_loops import LOOKS
from pipelines.trackers.registration.warp.fit import References, fitted
from pipelines.trackers.registration.windows.windows import sampled
from tests.oracles.registration import in_place, seen_noise

SIZE, CLIPS = 47, 640


@pytest.fixture(autouse=True)
def compiled() -> None:
    language.provide(natives.load)


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
    made, seen, places, white = [], [], [], []
    corners = Corners(window, "translation")
    corners.begin(shown(own), middle, middle, np.arange(1))
    ref: References = corners.anchors.references
    for _ in range(CLIPS):
        if own:  # another noise of the reference, too
            corners.anchors.take(shown(own), one, middle, middle)
        picture = shown(1.0)
        found = fitted(picture, ref, one, middle, middle, 2.0)
        averaged = np.ones(1) if own else np.full(1, 1e6)
        moments, gain = seen_noise(picture, ref, one, averaged, found, one)
        assert gain == pytest.approx(1.0, abs=0.06)
        seen.append(moments)
        if len(seen) == LOOKS:
            made.append(grain(ref, one, np.mean(seen, axis=0))[0])
            seen.clear()
        places.append((found.x[0], found.y[0]))
        pixels = found.rest[0] / (found.phase[0] + 1.0 / averaged[0]) / (window**2 - 4)
        white.append(pixels * (1.0 + 1.0 / averaged[0]) * np.trace(ref.inverse[0]))
    return float(np.mean(made)), float(np.sum(np.var(places, axis=0)) / np.mean(white))


@pytest.mark.parametrize("own", [0.0, 1.0])
@pytest.mark.parametrize("window", [11, 21])
@pytest.mark.parametrize(("photons", "blur"), [(False, 0.0), (True, 0.0), (False, 0.7), (True, 0.7)])
def test_the_ratio_is_that_of_the_places(window, photons, blur, own):
    found, true = ratios(window, photons, blur, own)
    assert 0.86 < found / true < 1.16, (found, true)
    if photons and not blur and window == 21:
        assert true > 1.7  # or nothing is shown
    if blur:
        assert true > 4.0


def test_where_nothing_is_left_the_ratio_is_one():
    corners = Corners(11, "translation")
    picture, middle, one = marker(), np.array([float(SIZE // 2)]), np.zeros(1, np.int64)
    corners.begin(picture, middle, middle, np.arange(1))
    found = fitted(picture, corners.anchors.references, one, middle, middle, 2.0)
    found.rest[:] = 0.0
    moments, gain = seen_noise(picture, corners.anchors.references, one, np.ones(1), found, one)
    assert not moments.any()
    assert grain(corners.anchors.references, one, moments).tolist() == [1.0]
    assert gain == pytest.approx(1.0, abs=1e-5)  # what is seen is interpolated, the reference is the pixels


def cuts(w):
    """By lag: the pixels of a window that have a neighbour so far off in it, and those neighbours."""
    return [
        ((..., slice(None, w - dy), slice(max(-dx, 0), w - max(dx, 0))),
         (..., slice(dy, None), slice(max(dx, 0), w - max(-dx, 0))))
        for dy in range(FAR + 1) for dx in range(-FAR if dy else 0, FAR + 1)
    ]  # fmt: skip


def plain_moments(f, g, slopes, inverse, averaged, phase, rest):
    """Moments and gain by NumPy alone, for a window f, what is seen of it g, and slopes (p, w, w)."""
    w, p, g = len(f), len(slopes), g - g.mean()
    ff, gg, fg, share = (f * f).sum(), (g * g).sum(), (f * g).sum(), 1.0 / (averaged * phase)
    gain = 2.0 * ff / (fg * (1 - share) + np.sqrt((fg * (1 - share)) ** 2 + 4.0 * ff * gg * share))
    left = g * gain - f
    solver = np.einsum("pq,qij->pij", inverse, slopes)
    left -= np.einsum("pij,p->ij", slopes, np.einsum("pij,ij->p", solver, left))
    white = rest / (phase + 1.0 / averaged) / (w * w - p - 2) * (1.0 + 1.0 / averaged)
    near = [(left[one] * left[two]).sum() for one, two in cuts(w)]
    return np.array([*near, (left * left * f).sum() / np.abs(f).max()]) / white, gain


def plain_ratio(moments, f, slopes, inverse):
    """The same of `grain`, with the whole matrices: M = 1 - QQ', the noise C, and what is left of it,
    MCM."""
    w, light = len(f), (f / np.abs(f).max()).ravel()
    values, vectors = np.linalg.eigh(inverse)
    steps = np.einsum("qp,qij->pij", vectors * np.sqrt(np.maximum(values, 0.0)), slopes)
    taken = np.concatenate(([f / np.sqrt((f * f).sum()), np.full_like(f, 1.0 / w)], steps)).reshape(-1, w * w)
    project = np.eye(w * w) - taken.T @ taken
    solver = np.einsum("pq,qij->pij", inverse, slopes)[:2].reshape(2, -1)
    at = np.arange(w * w).reshape(w, w)
    pairs = [(at[one].ravel(), at[two].ravel()) for one, two in cuts(w)]
    rho, slope, before = np.array([m / len(i) for m, (i, _) in zip(moments, pairs, strict=False)]), 0.0, 0.0
    last = 0.0
    for _ in range(ROUNDS):
        noise = np.zeros((w * w, w * w))
        for k, (i, j) in enumerate(pairs):
            noise[i, j] = noise[j, i] = rho[k] * (1.0 + slope * 0.5 * (light[i] + light[j]))
        now = np.trace(solver @ noise @ solver.T)
        change = abs(now - before)
        if change * change <= SETTLED * abs(now) * (last - change):
            break
        before, last, lost = now, change, noise - project @ noise @ project
        made = [m + lost[i, j].sum() for m, (i, j) in zip(moments, pairs, strict=False)]
        slope = (moments[-1] + (light * np.diag(lost)).sum()) / made[0] * w * w / (light * light).sum()
        slope = np.clip(slope, -STEEP / light.max(), STEEP / -light.min())
        rho = [m / (len(i) + slope * 0.5 * (light[i] + light[j]).sum()) for m, (i, j) in zip(made, pairs, strict=True)]
    return now / (inverse[0, 0] + inverse[1, 1])


@pytest.mark.parametrize("model", ["translation", "rigid", "affine"])
@pytest.mark.parametrize("window", [9, 16 + 5])
def test_the_loop_computes_what_numpy_does(model, window):
    rng = np.random.default_rng(window)
    clean = cv2.GaussianBlur(rng.normal(0, 200, (SIZE, SIZE)), (0, 0), 1.5)
    middle, corners = np.array([23.0, 22.0]), Corners(window, model)
    corners.begin(clean + rng.normal(0, 1, clean.shape), middle, middle[::-1].copy(), np.arange(2), every=True)
    picture = 1.3 * cv2.GaussianBlur(clean + rng.normal(0, 2, clean.shape), (0, 0), 0.4) + 7
    ref, slots = corners.anchors.references, np.array([1, 0])
    found = fitted(picture, ref, np.arange(2), middle, middle[::-1].copy(), 2.0)
    averaged = np.array([3.0, 1.0])
    moments, gain = seen_noise(picture, ref, slots, averaged, found, slots)
    ratio = grain(ref, slots, moments)
    seen = sampled(picture, found.x, found.y, window, ref.layout.pitch)[:, :, :window]
    for n, slot in enumerate(slots):
        window_of = ref.pixels[slot, :, :window], ref.jacobian[slot, :, :, :window], ref.inverse[slot]
        wanted = plain_moments(window_of[0], seen[slot], *window_of[1:], averaged[n], found.phase[slot],
                               found.rest[slot])  # fmt: skip
        np.testing.assert_allclose(moments[n], wanted[0], rtol=1e-8, atol=1e-8 * np.abs(wanted[0]).max())
        np.testing.assert_allclose(gain[n], wanted[1], rtol=1e-8)
        np.testing.assert_allclose(ratio[n], plain_ratio(moments[n], *window_of), rtol=1e-6)
    assert not np.allclose(ratio, 1.0, rtol=0.01)
    with in_place():
        slow, _ = seen_noise(picture, ref, slots, averaged, found, slots)
        assert slow.tobytes() == moments.tobytes()
        if window == 9:  # the others take Python long
            assert grain(ref, slots, moments).tobytes() == ratio.tobytes()
