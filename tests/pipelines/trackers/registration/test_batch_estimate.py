"""What eight frames show of a window, beside least squares by plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.trackers.registration.response import batch_estimate_loops, response_estimate_loops
from pipelines.trackers.registration.response.response import (
    AXES,
    BASIS,
    BEND,
    HIDDEN,
    POWERS,
    SCALE,
    UNBENT,
    responses,
)
from pipelines.trackers.registration.windows.packing import places, vectors
from pipelines.trackers.registration.windows.subpixel import tiles_at
from tests.pipelines.trackers.conftest import Speckle

WINDOW, SIDE = 15, 64
AREA = WINDOW**2


class Shown:
    """A window, and eight frames in which it moved by `truth` (px along x and y) under noise.

    light, columns: of the pixels of each half, (8, 2, pixels) and (2, 6, pixels), 0 beyond the half.
    """

    def __init__(self, along: str, seed: int, look=lambda light: light) -> None:
        rng, plate = np.random.default_rng(seed), Speckle(seed=5, corr=1.4)
        still = 100 + 30 * plate.image(SIDE, SIDE)
        made = responses(tiles_at(still, np.array([30.0]), np.array([31.0]), WINDOW), along=along)
        packed = places(WINDOW)
        self.there = packed >= 0
        columns = made.columns[0].reshape(2, vectors(WINDOW), 6, 16).transpose(0, 2, 1, 3).reshape(2, 6, -1)
        self.constants, self.columns, self.light = made.constants[0], columns.astype(float), []
        self.truth, self.lane = np.zeros((2, 8)), np.zeros((400, 8))
        for k in range(8):
            self.truth[:, k] = rng.uniform(-0.6, 0.6, 2)
            frame = 100 + 30 * plate.image(SIDE, SIDE, *self.truth[:, k]) + rng.normal(0, 2, (SIDE, SIDE))
            part = look(frame[31 - 7 : 31 + 8, 30 - 7 : 30 + 8])
            light = np.where(self.there, part.ravel()[packed] - part[7, 7], 0.0)
            self.light.append(light)
            for half, side in enumerate((batch_estimate_loops.SIDE_A, batch_estimate_loops.SIDE_B)):
                self.lane[side : side + 6, k] = self.columns[half] @ light[half]
                self.lane[side + 6, k], self.lane[side + 7, k] = light[half].sum(), (light[half] ** 2).sum()

    def answered(self) -> np.ndarray:
        batch_estimate_loops.answer(self.constants, WINDOW, self.lane)
        return self.lane

    def refined(self, share: float) -> np.ndarray:
        self.answered()
        batch_estimate_loops.refine(self.constants, share, self.lane)
        return self.lane

    def squares(self) -> np.ndarray:
        """Sums of squares of all light, and of what six columns and two means leave, (2, 8)."""
        made = np.zeros((2, 8))
        for k, light in enumerate(self.light):
            there = self.there
            centred = np.concatenate([light[h][there[h]] - light[h][there[h]].mean() for h in (0, 1)])
            pattern = np.concatenate([self.columns[h][:, there[h]] for h in (0, 1)], axis=1).T
            best = np.linalg.lstsq(pattern, centred, rcond=None)[0]
            made[:, k] = centred @ centred, ((centred - pattern @ best) ** 2).sum()
        return made

    def answer_of(self, k: int, halves: tuple[int, ...]) -> tuple[float, np.ndarray]:
        """Gain and further displacement that those halves see in frame k, by light and slopes as they are where the
        first answer is; the slopes' own squares are those of the reference."""
        r1, r2 = self.lane[response_estimate_loops.R1, k], self.lane[response_estimate_loops.R2, k]
        c = np.concatenate([self.columns[h] for h in halves], axis=1)
        v = np.concatenate([self.light[k][h] for h in halves])
        f = c[0] + r1 * c[1] + r2 * c[2] + r1 * r1 / 2 * c[3] + r1 * r2 * c[4] + r2 * r2 / 2 * c[5]
        slopes = np.stack([c[1] + r1 * c[3] + r2 * c[4], c[2] + r1 * c[4] + r2 * c[5]])[: int(self.constants[AXES])]
        matrix = np.zeros((1 + len(slopes), 1 + len(slopes)))
        matrix[0, 0], matrix[0, 1:], matrix[1:, 0] = f @ f, slopes @ f, slopes @ f
        matrix[1:, 1:] = c[1 : 1 + len(slopes)] @ c[1 : 1 + len(slopes)].T
        found = np.linalg.solve(matrix, np.concatenate(([f @ v], slopes @ v)))
        return found[0], found[1:] / found[0]

    def noise_of(self, k: int) -> np.ndarray:
        """The halves' difference in frame k, without the bend, as noise of the whole: along x and y, px."""
        r1, r2 = self.lane[response_estimate_loops.R1, k], self.lane[response_estimate_loops.R2, k]
        apart = self.answer_of(k, (0,))[1] - self.answer_of(k, (1,))[1]
        powers = np.array([r1**i * r2**j for i, j in POWERS])
        c = np.concatenate(list(self.columns), axis=1)
        steeper = np.stack([c[1] + r1 * c[3] + r2 * c[4], c[2] + r1 * c[4] + r2 * c[5]])
        made = np.zeros(2)
        for a in range(len(apart)):
            bend = self.constants[BEND + (2 + a) * len(POWERS) :][: len(POWERS)] @ powers
            gentler = min(1.0, np.sqrt((c[1 + a] @ c[1 + a]) / (steeper[a] @ steeper[a])))
            made += self.constants[BASIS + 2 * a : BASIS + 2 * a + 2] * (apart[a] - bend) * gentler * self.constants[
                SCALE + a]  # fmt: skip
        return made


@pytest.mark.parametrize("along", ["both", "x", "y"])
def test_what_is_left_is_that_of_least_squares(along: str) -> None:
    shown = Shown(along, 3)
    lane, (every, left), constants = shown.answered(), shown.squares(), shown.constants
    assert (lane[batch_estimate_loops.CLEAN] > 0).all()
    # Two means and the light; two slopes and three second derivatives, or one of each.
    spent = 8 if constants[AXES] == 2 else 5
    columns = 6 if constants[AXES] == 2 else 3
    assert spent == columns + 2
    np.testing.assert_allclose(lane[batch_estimate_loops.LEFT_OVER], left / (AREA - spent), rtol=1e-4)
    np.testing.assert_allclose(lane[batch_estimate_loops.SCORE], np.sqrt(1 - left / every), rtol=1e-6)


def test_what_bends_leave_grows_with_the_answer() -> None:
    shown = Shown("both", 4)
    lane, constants = shown.answered(), shown.constants
    # Both kinds grow up to a distance of their own: some below, some just beyond, some far beyond.
    lane[response_estimate_loops.R1] = 0.05, -0.2, 0.3, 0.33, 0.36, 0.5, -0.62, 0.7
    lane[response_estimate_loops.R2] = 0.01
    batch_estimate_loops.refine(constants, 0.0, lane)
    away = lane[response_estimate_loops.R1] ** 2 + lane[response_estimate_loops.R2] ** 2
    plain = np.minimum(away / batch_estimate_loops.HALF, 1.0) * batch_estimate_loops.BENT**2
    far = np.minimum(away / batch_estimate_loops.DISTANT, 1.0) ** 2.5 * constants[UNBENT]
    np.testing.assert_allclose(lane[batch_estimate_loops.BENT_BY], plain + far, rtol=1e-12)


@pytest.mark.parametrize(
    ("look", "light"),
    [(lambda part: np.full_like(part, 90.0), False), (lambda part: 255.0 - part, False),
     (lambda part: 30.0 + 0.4 * part, True)],
    ids=["flat", "inverted", "dim"],
)  # fmt: skip
def test_a_frame_without_the_windows_light_is_no_answer(look, light: bool) -> None:
    """What is flat has no light, and what is inverted is explained by patterns as well as ever, but not as light."""
    lane = Shown("both", 6, look).answered()
    assert (lane[batch_estimate_loops.CLEAN] == light).all()
    assert ((lane[batch_estimate_loops.SCORE] > 0.9) == light).all()
    assert (lane[batch_estimate_loops.SCORE] == 0).all() != light


@pytest.mark.parametrize("along", ["both", "x", "y"])
def test_noise_is_what_the_halves_differ_by(along: str) -> None:
    shown, share = Shown(along, 7), 0.04
    shown.constants[HIDDEN] = 0.3 * share  # what is not left of a noisy reference; nothing else goes by it
    lane = shown.refined(share)
    expected = np.stack([shown.noise_of(k) for k in range(8)], axis=1)
    assert np.abs(expected[0]).max() > 0.005 if along != "y" else (expected[0] == 0).all()
    assert np.abs(expected[1]).max() > 0.005 if along != "x" else (expected[1] == 0).all()
    noise = lane[[batch_estimate_loops.NX, batch_estimate_loops.NY]]
    np.testing.assert_allclose(noise, expected, rtol=1e-3, atol=2e-5)
    gain = np.array([shown.answer_of(k, (0, 1))[0] for k in range(8)])
    np.testing.assert_allclose(lane[batch_estimate_loops.DIMMER], 1.0 / gain, rtol=1e-5)
    seen = 1.0 / gain + share  # a frame's variance in the first one's light, and the reference's
    np.testing.assert_allclose(
        lane[batch_estimate_loops.POWER], (noise**2).sum(axis=0) / (seen * shown.constants[AXES]), rtol=1e-5
    )
    pixel = lane[batch_estimate_loops.LEFT_OVER] / gain**2 / (seen - shown.constants[HIDDEN])
    np.testing.assert_allclose(lane[batch_estimate_loops.PIXEL_SEEN], pixel, rtol=1e-5)
    measured = [a for a in (0, 1) if along in ("both", "xy"[a])]
    off = lane[[batch_estimate_loops.OFF_X, batch_estimate_loops.OFF_Y]] - shown.truth
    assert np.abs(off[measured]).max() < 0.06
