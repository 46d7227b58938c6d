"""Points that are lost at once: what would have held them; and references that are black or blurred."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import ndimage

from app.controller import Outcome, run_clip
from app.hinting.points import texture
from app.hinting.trying import proposed

Array = npt.NDArray[Any]
SIZE, MIDDLE = 140, 70.0
POINTS = ((70.0, 70.0), (82.0, 70.0), (70.0, 55.0), (60.0, 78.0))


def turning(degrees: Sequence[float], shift: Sequence[float] | None = None, seed: int = 0) -> Array:
    """A textured plate, turned by so much about the middle and moved to the right by so much in each frame."""
    rng = np.random.default_rng(seed)
    plate = ndimage.gaussian_filter(rng.standard_normal((300, 300)), 1.8)
    plate = 120 + 40 * plate / plate.std()
    y, x = np.mgrid[:SIZE, :SIZE] - MIDDLE
    frames = []
    for k, angle in enumerate(np.deg2rad(degrees)):
        u = x - (shift[k] if shift is not None else 0.0)
        at = [y * np.cos(angle) - u * np.sin(angle) + 150, u * np.cos(angle) + y * np.sin(angle) + 150]
        frames.append(ndimage.map_coordinates(plate, at, order=3) + rng.normal(0, 2, x.shape))
    return np.clip(np.rint(np.array(frames)), 0, 255).astype(np.uint8)


def run(tmp_path: Path, clip: Array, pipeline: str = "template", **more: Any) -> tuple[Outcome, list[str]]:
    np.save(tmp_path / "clip.npy", clip)
    told: list[str] = []
    points = more.pop("points", POINTS)
    made = run_clip(tmp_path / "clip.npy", pipeline, points=points, out=tmp_path / "out", overlay=False,
                    notify=told.append, **more)  # fmt: skip
    return made, [*told, *[hint for hint in made.summary["hints"] if hint not in told]]


def seen(outcome: Outcome, end: int) -> int:
    rows = outcome.tracks
    return int(np.count_nonzero((rows["frame"] == end) & (rows["state"] == 1)))


@pytest.mark.parametrize("begins", [0, 14])
def test_a_fast_turn_proposes_settings_that_hold(tmp_path: Path, begins: int) -> None:
    """20 degrees a frame, from the first frame on or later."""
    degrees = [max(0, k - begins) * 20.0 for k in range(begins + 24)]
    clip = turning(degrees)
    outcome, hints = run(tmp_path, clip)
    late = len(clip) - 5
    assert seen(outcome, late) <= 1  # what the case is about
    (hint,) = [words for words in hints if "lost after frame" in words]
    settings = proposed(hint)
    assert "track.model" in settings
    again, hints = run(tmp_path, clip, settings=settings)
    assert seen(again, late) >= 2


def test_corners_of_which_none_is_believed_have_settings_that_hold_some(tmp_path: Path) -> None:
    """Finer texture, in a larger picture, that turns by 20 degrees a frame."""
    rng, size = np.random.default_rng(104), 160
    plate = ndimage.gaussian_filter(rng.normal(0, 1, (3 * size, 3 * size)), 1.5)
    plate, (y, x), frames = 100 + 30 * plate / plate.std(), np.mgrid[:size, :size] - (size - 1) / 2, []
    for angle in np.deg2rad(20.0 * np.arange(20)):
        at = [y * np.cos(angle) - x * np.sin(angle), x * np.cos(angle) + y * np.sin(angle)]
        frames.append(ndimage.map_coordinates(plate, np.array(at) + (3 * size - 1) / 2, order=3))
        frames[-1] += rng.normal(0, 1.5, (size, size))
    clip = np.clip(np.array(frames), 0, 255).astype(np.uint8)
    outcome, hints = run(tmp_path, clip, "corners", points=())
    assert outcome.summary["tracks"]["list"] == []
    (hint,) = [words for words in hints if "none was held for long enough" in words]
    settings = proposed(hint)
    assert settings["follow.model"] == "affine"
    again, _ = run(tmp_path, clip, "corners", points=(), settings=settings)
    assert len(again.summary["tracks"]["list"]) >= 5


@pytest.mark.parametrize("step", [10.0, 24.0])
def test_corners_that_turn_and_are_lost_one_by_one_have_a_model_proposed(tmp_path: Path, step: float) -> None:
    """Dark and bright squares on a disc: each corner is followed for a while, and others are born."""
    rng, scale = np.random.default_rng(3), 4
    y, x = (np.mgrid[: SIZE * scale, : SIZE * scale] - (SIZE * scale - 1) / 2) / scale
    squares = [(rng.uniform(10, 50), rng.uniform(0, 7), rng.uniform(3, 7), rng.choice([40, 210])) for _ in range(12)]
    frames = []
    for angle in np.deg2rad(step * np.arange(40)):
        disc = np.where(np.hypot(x, y) < 62, 95.0, 150.0)
        for away, at, half, value in squares:
            u, v = x - away * np.cos(at + angle), y - away * np.sin(at + angle)
            c, s = np.cos(angle + at), np.sin(angle + at)
            disc[(np.abs(u * c + v * s) < half) & (np.abs(v * c - u * s) < half)] = value
        frames.append(ndimage.gaussian_filter(disc.reshape(SIZE, scale, SIZE, scale).mean(axis=(1, 3)), 0.7))
    clip = np.clip(np.rint(np.array(frames) + rng.normal(0, 2, (40, SIZE, SIZE))), 0, 255).astype(np.uint8)
    outcome, hints = run(tmp_path, clip, "corners", points=())
    (hint,) = [words for words in hints if "were lost" in words]
    settings = proposed(hint)
    assert settings["follow.model"] == "affine"
    again, hints = run(tmp_path, clip, "corners", points=(), settings=settings)
    assert not [words for words in hints if "were lost" in words]
    lasting = [[one["seen_frames"] for one in made.summary["tracks"]["list"]] for made in (outcome, again)]
    assert np.median(lasting[1]) > max(30, 1.3 * np.median(lasting[0]))


def test_points_that_leave_the_picture_are_no_cause_for_another_model(tmp_path: Path) -> None:
    """The texture goes to the right: all are lost one by one, as no setting changes."""
    clip = turning([0.0] * 40, [4.0 * k for k in range(40)])
    _, hints = run(tmp_path, clip, "corners", points=())
    assert not [words for words in hints if "lost" in words]


def test_a_jump_proposes_a_wider_search(tmp_path: Path) -> None:
    clip = turning([0.0] * 30, [0.0] * 8 + [22.0] * 22)
    outcome, hints = run(tmp_path, clip, settings={"track.max_missed": 3, "track.max_speed": 30.0})
    assert seen(outcome, 29) == 0
    (hint,) = [words for words in hints if "lost after frame 7" in words]
    assert set(proposed(hint)) == {"track.search"}


@pytest.mark.parametrize("looked", [12, 4])
def test_what_no_setting_holds_is_said(tmp_path: Path, looked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in large pictures, of which fewer frames are looked at: from the same one on."""
    monkeypatch.setattr("app.hinting.look.PIXELS", looked * SIZE * SIZE)
    clip = np.concatenate((turning([0.0] * 10), turning([0.0] * 20, seed=9)))
    outcome, hints = run(tmp_path, clip)
    assert seen(outcome, 29) == 0
    (hint,) = [words for words in hints if "lost after frame 9" in words]
    assert "no other model" in hint
    assert proposed(hint) == {}


def test_points_that_stay_are_not_spoken_of(tmp_path: Path) -> None:
    _, hints = run(tmp_path, turning([0.5 * k for k in range(20)]))
    assert not any("lost" in words or "begin later" in words for words in hints)


@pytest.mark.parametrize("pipeline", ["template", "vibration"])
@pytest.mark.parametrize("how", ["black", "blurred"])
def test_a_poor_first_frame_is_said_and_a_better_one_named(tmp_path: Path, pipeline: str, how: str) -> None:
    clip = turning([0.0] * 16)
    for k in range(3):
        dark = np.random.default_rng(k).normal(2, 1, clip[0].shape).clip(0)
        clip[k] = dark if how == "black" else ndimage.gaussian_filter(clip[k].astype(float), 4.0)
    _, hints = run(tmp_path, clip, pipeline)
    (hint,) = [words for words in hints if "compared with" in words]
    assert f"frame 0, in which {len(POINTS)} of {len(POINTS)} points begin" in hint
    assert ("black" in hint) == (how == "black")
    assert "frame 3 would do" in hint
    later = tuple((*point, 3.0) for point in POINTS)
    _, hints = run(tmp_path, clip, pipeline, points=later)
    assert not any("compared with" in words for words in hints)


def test_texture_is_what_noise_does_not_make() -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(100, 5, (60, 60))
    assert texture(noise, 30, 30, 10) < 0.2 * 4 * 25
    speckle = turning([0.0])[0]
    assert texture(speckle, 70, 70, 10) > 100
    assert texture(speckle, 1, 1, 10) > 0  # the part inside the picture
    assert texture(speckle, -40, 1, 10) == 0
