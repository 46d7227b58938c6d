"""The simulated camera: what it did on purpose is what a reader finds, and its pictures are its scene's."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.cameras.opening import open_camera
from app.cameras.simulated.process import EPOCH
from app.cameras.simulated.truth import count
from app.sources.opening import open_source
from app.sources.simulated.source import make_scene
from pipelines.frame import ARRIVAL
from tests.app.cameras.made import clipped, missing, repeated, take_all, threaded

ROOT = Path(__file__).parents[3]

SMALL = "size=64x48&fps=1000"


def test_faults_are_what_a_reader_counts() -> None:
    text = f"cam:sim?{SMALL}&frames=1500&drop=0.03&duplicate=0.02&jitter=0.5&stall=@700&stall_time=0.15&seed=5"
    with closing(open_camera(text)) as camera:
        taken = take_all(camera)
        truth = camera.truth()
    ids = taken.ids
    assert taken.ended
    assert not taken.lost
    assert truth.complete
    assert truth.announced == 1500
    assert truth.delivered == len(ids)
    assert truth.dropped
    assert truth.duplicated
    assert missing(ids) == clipped(truth.missing, ids[-1])
    assert repeated(ids) == list(truth.duplicated)
    assert len(set(ids)) == truth.announced - truth.lost
    assert ids == sorted(ids)
    assert truth.stalls == ((700, 0.15),)
    times = dict(zip(ids, taken.arrivals["camera_time"].tolist(), strict=True))
    before, after = max(i for i in ids if i < 700), min(i for i in ids if i >= 700)
    assert times[after] - times[before] > 150_000_000
    assert np.all(np.diff(taken.arrivals["host_time"]) >= 0)


def test_the_same_seed_gives_the_same_stream() -> None:
    text = f"cam:sim?{SMALL}&frames=300&drop=0.1&duplicate=0.1&jitter=0.3&seed=9&ring=400"
    runs = []
    for _ in range(2):
        with closing(threaded(text)) as camera:
            runs.append(take_all(camera, keep=True))
            assert not camera.truth().overrun
    first, second = runs
    assert first.ids == second.ids
    assert first.arrivals["camera_time"].tolist() == second.arrivals["camera_time"].tolist()
    assert all(np.array_equal(a, b) for a, b in zip(first.pictures, second.pictures, strict=True))


def test_pictures_are_those_of_the_scene_forth_and_back() -> None:
    text = "cam:sim?scene=beam&size=64x48&fps=500&frames=20&pictures=6&seed=4&bits=12"
    with closing(threaded(text)) as camera:
        assert camera.info.image.dtype.numpy == np.uint16
        assert camera.info.format.bits == 12
        taken = take_all(camera, keep=True)
    scene = make_scene("sim:beam?width=64&height=48&fps=500&seed=4&bits=12")
    expected = [0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 4, 3, 2, 1]
    assert taken.ids == list(range(20))
    for picture, index in zip(taken.pictures, expected, strict=True):
        np.testing.assert_array_equal(picture, scene.render(index))


def test_a_clip_is_played_round_and_round(tmp_path: Path) -> None:
    clip = np.random.default_rng(1).integers(0, 255, (5, 10, 14, 3), np.uint8)
    np.save(tmp_path / "clip.npy", clip)
    with closing(threaded(f"cam:sim?clip={tmp_path / 'clip.npy'}&fps=400&frames=12&loop=wrap")) as camera:
        with closing(open_source(tmp_path / "clip.npy")) as source:
            assert camera.info.format == source.info.format
            assert camera.info.image == source.info.image
        taken = take_all(camera, keep=True)
    for k, picture in enumerate(taken.pictures):
        np.testing.assert_array_equal(picture, clip[k % 5])


def test_colour_is_delivered() -> None:
    with closing(threaded(f"cam:sim?{SMALL}&color=rgb&frames=3")) as camera:
        assert camera.info.format.color == "rgb"
        taken = take_all(camera, keep=True)
    assert taken.pictures[0].shape == (48, 64, 3)
    assert taken.pictures[0][..., 1].astype(int).sum() > taken.pictures[0][..., 2].astype(int).sum() > 0


def test_a_slow_reader_loses_frames_and_they_are_counted() -> None:
    with closing(threaded(f"cam:sim?{SMALL}&frames=600&ring=8")) as camera:
        taken = take_all(camera, room_for=4, pause=0.02)
        truth = camera.truth()
    assert count(truth.overrun) > 100
    assert missing(taken.ids) == clipped(truth.missing, taken.ids[-1])
    assert len(taken.ids) == truth.announced - truth.lost
    assert truth.announced == 600


def test_the_clock_drifts_as_told() -> None:
    stamps = []
    for drift in (0, 50_000):
        with closing(threaded(f"cam:sim?{SMALL}&frames=200&drift={drift}")) as camera:
            stamps.append(take_all(camera).arrivals["camera_time"])
    exact, fast = stamps
    np.testing.assert_array_equal(exact, EPOCH + np.arange(200) * 1_000_000)
    np.testing.assert_allclose(fast - EPOCH, (exact - EPOCH) * 1.05, atol=2)


def test_arrays_that_do_not_fit_are_refused() -> None:
    with closing(threaded(f"cam:sim?{SMALL}")) as camera:
        shapes = ((2, 48, 63), (0, 48, 64), (2, 64, 48))
        for pixels in (*(np.zeros(s, np.uint8) for s in shapes), np.zeros((2, 48, 64), np.uint16),
                       np.zeros((4, 48, 64), np.uint8)[::2]):  # fmt: skip
            with pytest.raises(ValueError):
                camera.take(pixels, np.zeros(2, ARRIVAL), 0)
