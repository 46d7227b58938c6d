"""Tracks of several cameras that are of one thing are found."""

from __future__ import annotations

import numpy as np

from pipelines.stereo.camera_model import CameraModel
from pipelines.stereo.matching import Seen, match_tracks
from tests.pipelines.stereo.rigs import camera, three_cameras

FRAMES = 60


def things(count: int) -> np.ndarray:
    """Ways of things, (count, FRAMES, 3)."""
    random = np.random.default_rng(1)
    steps = random.normal(size=(count, FRAMES, 3))
    return np.asarray(np.cumsum(steps, axis=1) + random.uniform(-50, 50, (count, 1, 3)) + [0, 0, 500])


def seen_by(one: CameraModel, ways: np.ndarray, numbers: np.ndarray, noise: float = 0.1) -> Seen:
    """What a camera sees; `numbers` (things, FRAMES) are track numbers, -1 where it does not see a thing."""
    random = np.random.default_rng(2)
    pixels = np.stack([one.project(way) for way in ways]) + random.normal(size=(*numbers.shape, 2)) * noise
    there = numbers >= 0
    frames = np.broadcast_to(np.arange(FRAMES), numbers.shape)
    return Seen(frames[there], numbers[there], pixels[there], np.full((int(there.sum()), 2), noise))


def test_things_get_the_tracks_that_see_them_also_after_a_gap() -> None:
    ways, cameras, seen = things(12), three_cameras(), []
    for at, one in enumerate(cameras):
        numbers = np.repeat(((np.arange(12) * 5 + at) % 12)[:, None], FRAMES, axis=1)
        numbers[at, 20:26] = -1
        numbers[at, 26:] += 100  # lost, and found again as another
        seen.append(seen_by(one, ways, numbers))
    found = match_tracks(cameras, seen, 1.0, 5)
    assert len(found.groups) == 12
    assert (found.ambiguous, found.alone) == (0, (0, 0, 0))
    for group in found.groups:
        assert len({(track % 100 - at) * 5 % 12 for at, track in group}) == 1  # 5 is its own inverse modulo 12
        assert {at for at, _ in group} == {0, 1, 2}
    assert sum(len(group) for group in found.groups) == 39


def test_what_one_camera_alone_sees_and_what_meets_too_seldom_stays_alone() -> None:
    ways, cameras = things(3), three_cameras()[:2]
    numbers = np.repeat(np.arange(3)[:, None], FRAMES, axis=1)
    few = numbers.copy()
    few[1, 4:], few[2] = -1, -1
    seen = [seen_by(cameras[0], ways, numbers), seen_by(cameras[1], ways, few)]
    found = match_tracks(cameras, seen, 1.0, 5)
    assert found.groups == (((0, 0), (1, 0)),)
    assert found.alone == (2, 1)
    assert len(match_tracks(cameras, seen, 1.0, 4).groups) == 2


def test_the_limit_is_what_lines_of_sight_miss_by() -> None:
    ways, one, other = things(1), camera(900, (0, 0, 0), (0, 0, 0)), camera(900, (0, 0, 0), (100, 0, 0))
    numbers = np.zeros((1, FRAMES), int)
    right = seen_by(other, ways, numbers, 0.0)
    right = Seen(right.frame, right.track, right.pixels + [0.0, 2.0], right.sigma)  # across the lines of sight
    seen = [seen_by(one, ways, numbers, 0.0), right]
    assert match_tracks((one, other), seen, 1.40, 5).groups == ()  # half in each picture: sqrt(2) px
    assert len(match_tracks((one, other), seen, 1.43, 5).groups) == 1


def test_two_things_on_one_line_of_sight_are_said_to_be_ambiguous() -> None:
    one, other = camera(900, (0, 0, 0), (0, 0, 0)), camera(900, (0, 0, 0), (100, 0, 0))
    way = things(1)[0]
    ways = np.stack((way, way + [15.0, 0, 0]))  # the same height in both pictures: lines of sight meet crosswise, too
    numbers = np.repeat(np.arange(2)[:, None], FRAMES, axis=1)
    found = match_tracks((one, other), [seen_by(k, ways, numbers, 0.05) for k in (one, other)], 1.0, 5)
    assert len(found.groups) == 2
    assert found.ambiguous == 2
