"""The vibration tracker's spectra: the floor at every frequency, tracks that end, gaps."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal
from scipy.ndimage import gaussian_filter

from pipelines.trackers.base import make_tracker
from tests.pipelines.trackers.plates import SHAPE, errors, exposed


@pytest.fixture(scope="module")
def plate(scene):
    return scene.Speckle(seed=5, corr=1.4)


def noisy(plate, smooth, noise=6.0, frames=1500, seed=1):
    rng = np.random.default_rng(seed)
    turn = 2 * np.pi / 50 * np.arange(frames)
    path = np.stack((0.3 * np.sin(3 * turn), 0.8 * np.sin(7 * turn)), axis=1)
    pictures = [120 + 40 * plate.image(*SHAPE, *p) for p in path[:50]]
    shots = ((pictures[i % 50] + noise * rng.normal(size=SHAPE)).astype(np.float32) for i in range(frames))
    return [gaussian_filter(shot, smooth) if smooth else shot for shot in shots], path


@pytest.mark.parametrize("smooth", [0.0, 0.7])
def test_the_floor_is_the_spectrum_of_the_errors_at_every_frequency(scene, plate, smooth):
    clip, path = noisy(plate, smooth)
    made = make_tracker("vibration", {"max_points": 12, "spectrum": 64}, SHAPE, 1000.0)
    rows = scene.run(made, clip, "image")
    error, rows = errors(rows[rows["frame"] >= 40], path)
    table = made.tables()["spectra"]
    tracks = np.unique(table["track"])
    assert set(tracks.tolist()) == set(rows["track"].tolist())
    band = table["frequency"][:32]
    assert (band[0], band[-1]) == (1000 / 64, 500)
    for axis, k in (("noise_x", 0), ("noise_y", 1)):
        of = np.stack([error[rows["track"] == track, k] for track in tracks])
        _, density = scipy.signal.welch(of, 1000.0, "hann", 64, 32)
        wanted = density.mean(axis=0)[1:].reshape(4, 8).mean(axis=1)
        got = np.mean(table[axis].reshape(-1, 32) ** 2, axis=0).reshape(4, 8).mean(axis=1)
        np.testing.assert_allclose(got, wanted, rtol=0.1)
    # The tones stand where they are, and the floor knows nothing of them.
    x = table["x"].reshape(-1, 32).mean(axis=0)
    peak = int(np.argmax(x))
    assert abs(band[peak] - 60) < 16
    assert table["noise_x"].reshape(-1, 32).mean(axis=0)[peak] < 0.05 * x[peak]


def test_a_track_that_is_over_leaves_its_spectrum_and_a_gap_none(scene, plate):
    clip = [exposed(plate, 0.3 * np.sin(0.9 * i)) for i in range(150)]
    blank = np.full(SHAPE, 90, np.uint8)
    params = {"points": ((48.0, 48.0), (30.0, 60.0)), "max_missed": 1, "spectrum": 64}
    made = make_tracker("vibration", params, SHAPE, 1000.0)
    scene.run(made, clip, "image")
    wanted = made.tables()["spectra"]
    assert set(wanted["pieces"].tolist()) == {3}
    scene.run(made, [blank] * 3, "image", start=150)
    assert not len(made.t)
    again = make_tracker("vibration", params, SHAPE, 1000.0)
    again.restore(made.snapshot())
    for one in (made, again):
        assert one.tables()["spectra"].tobytes() == wanted.tobytes()
    # Frames are missing: no piece goes over them.
    gaps = make_tracker("vibration", params, SHAPE, 1000.0)
    for i in range(150):
        if i % 60 != 59:
            gaps.update(i, i / 1000, {"image": clip[i]})
    assert not len(gaps.tables()["spectra"])


@pytest.mark.parametrize("batch", [7, 64, 250])
def test_a_track_that_ended_within_a_batch_is_not_heard_in_its_later_frames(plate, batch):
    clip = [exposed(plate, 0.3 * np.sin(0.9 * i), rng=np.random.default_rng(i), noise=2) for i in range(250)]
    for i in (110, 111, 130, 131):  # one is over at 111, the other two at 131
        clip[i] = clip[i].copy()
        clip[i][:, : 48 if i < 120 else 96] = 90
    params = {"points": ((70.0, 48.0), (30.0, 60.0), (60.0, 30.0), (48.0, 48.0, 155)), "max_missed": 1,
              "spectrum": 64, "reference_frames": 2}  # fmt: skip

    def left(size):
        made = make_tracker("vibration", params, SHAPE, 1000.0)
        for at in range(0, 250, size):
            which = range(at, min(at + size, 250))
            made.update_batch(list(which), [i / 1000 for i in which], [{"image": clip[i]} for i in which])
        return made.tables()["spectra"], {k: v.tobytes() for k, v in made.snapshot().items()}

    (one, state), (many, after) = left(1), left(batch)
    assert one.tobytes() == many.tobytes()
    assert state == after
    pieces = {int(track): set(one["pieces"][one["track"] == track].tolist()) for track in np.unique(one["track"])}
    assert pieces == {0: {3}, 1: {2}, 2: {3}, 3: {1}}
