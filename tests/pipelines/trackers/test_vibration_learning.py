"""The vibration tracker's uncertainty in any light, and what it learns in its first frames."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from kernels.loops import language as host
from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.response.learning import ANSWERS
from pipelines.trackers.registration.response.response_loops import SHARE

WIDE, MANY = (172, 172), tuple((float(x), float(y)) for x in range(16, 157, 20) for y in range(16, 157, 20))
SHAKEN = np.stack((0.55 * np.sin(0.9 * np.arange(56) + 0.3), 0.4 * np.sin(0.31 * np.arange(56))), axis=1)


@pytest.fixture(scope="module")
def shaken():
    from tests.pipelines.trackers.conftest import Speckle

    wide = Speckle(seed=7, corr=1.4)
    return [0.45 + 0.15 * wide.image(*WIDE, *p) for p in SHAKEN]


def exposures(light, bits, share, flicker, seed=2):
    """A camera of 10 000 electrons at full scale, with shot noise and 8 electrons rms of read noise."""
    rng, top = np.random.default_rng(seed), 2**bits - 1
    for i, picture in enumerate(light):
        lamp = share * (1 - flicker * np.sin(0.1 * np.pi * i + 0.7) ** 2)
        electrons = rng.poisson(1e4 * lamp * np.clip(picture, 0, 1)) + rng.normal(0, 8, WIDE)
        yield np.rint(electrons * (top / 1e4)).clip(0, top).astype(np.uint8 if bits == 8 else np.uint16)


@pytest.mark.parametrize(
    ("share", "bits", "flicker", "window", "smooth"),
    [(1.0, 8, 0.0, 15, 0), (1.0, 16, 0.25, 15, 0), (0.25, 12, 0.25, 21, 0), (0.0625, 12, 0.0, 15, 0),
     (0.0625, 16, 0.25, 21, 0), (1.0, 12, 0.0, 15, 0.7), (0.0625, 12, 0.0, 21, 0.7)],
)  # fmt: skip
def test_sigma_is_that_of_the_way_since_the_first_frame_in_any_light(
    scene, shaken, share, bits, flicker, window, smooth
):  # fmt: skip
    # A frame's own noise and the first frame's, which is the same in all rows of a track: points are many, therefore.
    made = make_tracker("vibration", {"points": MANY, "window": window}, WIDE, 1000.0)
    clip = exposures(shaken, bits, share, flicker)
    if smooth:  # as the shipped pipeline does
        clip = (gaussian_filter(frame.astype(np.float32), smooth) for frame in clip)
    rows = scene.run(made, clip, "image")
    rows = rows[(rows["state"] == State.TRACKED) & (rows["frame"] > 0)]
    assert len(rows) > 0.99 * 55 * len(MANY)
    moved = np.stack((rows["x"], rows["y"]), axis=1) - np.array(MANY)[rows["track"]]
    error = moved - (SHAKEN[rows["frame"]] - SHAKEN[0])
    z = error / rows["sigma"][:, None]
    for some in (rows["frame"] < 16, rows["frame"] >= 16):  # compared with the first frame, and with the mean of 16
        assert 0.8 < np.mean(z[some] ** 2) < 1.2
        assert 0.8 < z[some].var() < 1.2
        # Noise in the reference makes no motion smaller.
        way = (SHAKEN[rows["frame"]] - SHAKEN[0])[some]
        assert np.sum(moved[some] * way) / np.sum(way * way) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("way", [(0.0, 0.0), (0.35, 0.35), (0.55, 0.0)])
def test_the_noise_of_a_first_frame_is_known_wherever_the_second_was(way):
    # The patterns that stand for a reference between its pixels have less noise in common with it: without that a third
    # to a half too much noise was seen, and motions of 0.3 px came out by a fifteenth too large.
    from tests.pipelines.trackers.conftest import Speckle

    ratios = []
    for seed in (1, 2):
        wide = Speckle(seed=100 + seed, corr=1.4)
        light = [0.45 + 0.15 * wide.image(*WIDE, *p) for p in ((0.0, 0.0), way)]
        made = make_tracker("vibration", {"points": MANY, "window": 21}, WIDE, 1000.0)
        for i, frame in enumerate(exposures(light, 12, 0.0625, 0.0, seed)):
            made.update(i, i / 1000, {"image": frame})
        ratios.append(made.t["noise"] / ((0.0625 * 4500 + 64) * 0.4095**2 + 1 / 12))
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.06)


def test_windows_that_wait_for_their_calibration_are_straightened_as_others_are(scene, shaken):
    clip = [np.rint(65535 * np.clip(one, 0, 1)).astype(np.uint16) for one in shaken[:3]]
    made = make_tracker("vibration", {"points": MANY, "window": 15}, WIDE, 1000.0)
    rows = scene.run(made, clip, "image")
    rows, waiting = rows[rows["frame"] == 1], made.t["bent"] == 0
    assert 0 < np.count_nonzero(~waiting) < len(MANY) / 2 < np.count_nonzero(waiting)
    error = np.stack((rows["x"], rows["y"]), axis=1) - np.array(MANY) - (SHAKEN[1] - SHAKEN[0])
    rms = np.sqrt(np.mean(error[waiting] ** 2))
    assert rms < 0.004  # to first order 0.0044
    # There is no noise: sigma is of the bend alone, and of what second order leaves in the pixels.
    known = rows["sigma"][~waiting].min()
    assert 0.5 * rms**2 < np.median(rows["sigma"][waiting] ** 2) - known**2 + 0.0007**2 < 9 * rms**2
    while (made.t["bent"] == 0).any():  # a few a frame, until all have their turn
        before = np.count_nonzero(made.t["bent"])
        made.update(made.clock.index + 1, (made.clock.index + 1) / 1000, {"image": clip[1]})
        assert np.count_nonzero(made.t["bent"]) - before <= ANSWERS
    assert made.clock.index < 64


def test_the_first_frame_is_placed_by_the_slopes_of_the_mean(scene, shaken):
    # By its own noisy slopes it lay a tenth farther off than by those of a mean of 16 frames.
    made = make_tracker("vibration", {"points": MANY, "window": 15}, WIDE, 1000.0)
    rows = scene.run(made, exposures(shaken, 12, 0.0625, 0.0), "image")
    rows = rows[(rows["state"] == State.TRACKED) & (rows["frame"] >= 28)]
    error = np.stack((rows["x"], rows["y"]), axis=1) - np.array(MANY)[rows["track"]]
    error -= SHAKEN[rows["frame"]] - SHAKEN[0]
    shared = np.array([error[rows["track"] == k].mean(axis=0) for k in np.unique(rows["track"])])
    apart = error - np.array([error[rows["track"] == k].mean(axis=0) for k in rows["track"]])
    assert np.sqrt(np.mean(shared**2)) < 1.06 * np.sqrt(np.mean(apart**2))


def test_places_of_first_frames_in_means_change_no_row_before_the_means_are_references(scene, shaken):
    # What is seen still stands: the frame in which a mean is complete is answered by the reference before.
    clip = list(exposures([shaken[0]] * 26, 12, 0.0625, 0.0))
    clip[17:] = [clip[17]] * 9  # the same picture again and again: rows change where references do, and only there
    made = make_tracker("vibration", {"points": MANY, "window": 15}, WIDE, 1000.0)
    places, slots, bent = [], [], []
    for i, picture in enumerate(clip):
        rows = made.update(i, i / 1000, {"image": picture})
        bent.append(made.t["bent"] == 1)
        places.append(np.stack((rows["x"], rows["y"]), axis=1))
        slots.append(made.t["state"][:, SHARE] < 1)
    steps = np.abs(np.diff(places, axis=0)).max(axis=2)
    complete = np.diff(slots, axis=0)
    complete[1:] &= bent[:-2]  # until then the bends of others, which are measured meanwhile, straighten a window
    assert complete[17:].any()
    assert steps[17:][complete[17:]].max() == 0.0


def test_a_restart_knows_as_much_of_bends_when_all_windows_are_lost_whose_bend_was_measured(shaken):
    random = np.random.default_rng(0)
    clip = list(exposures(shaken[:4], 8, 1.0, 0.0))
    for picture in clip[2:]:  # those measured first are covered
        picture[:, :48] = random.normal(20, 2, (172, 48))
    params = {"points": MANY, "window": 15, "max_missed": 0}
    made, again = (make_tracker("vibration", params, WIDE, 1000.0) for _ in range(2))
    for i, picture in enumerate(clip[:3]):
        made.update(i, i / 1000, {"image": picture})
    assert 0 < len(made.t) < len(MANY)
    assert not made.t["bent"].any()
    again.restore(made.snapshot())
    assert np.array_equal(again.answers.constants, made.answers.constants)
    rows = [one.update(3, 0.003, {"image": clip[3]}).tobytes() for one in (made, again)]
    assert rows[0] == rows[1]


def test_no_frame_after_the_first_waits_for_machine_code(monkeypatch, shaken):
    natives, made = set(), make_tracker("vibration", {"points": MANY, "window": 15, "spectrum": 64}, WIDE, 1000.0)
    known, begun = host.Loop.native, set()

    def native(one, pixels=np.float64, lanes=np.float64):
        natives.add((one.name, np.dtype(pixels), np.dtype(lanes)))
        return known(one, pixels, lanes)

    monkeypatch.setattr(host.Loop, "native", native)
    for i, picture in enumerate(exposures(shaken, 12, 1.0, 0.0)):
        made.update(i, i / 1000, {"image": picture})
        begun = begun or set(natives)
    assert made.learnt
    assert natives == begun
