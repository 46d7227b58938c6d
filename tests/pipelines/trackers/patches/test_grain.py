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
