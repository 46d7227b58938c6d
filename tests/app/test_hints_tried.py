"""Hints whose settings make a run worse are not given."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

from app.controller import run_clip
from app.hinting.trying import proposed, without_worse, worth
from app.sources.opening import open_source
from pipelines.definition import load
from pipelines.features import State
from tests.app.test_hints import spots


def kept(clip: str, hints: list[str], pipeline: str = "blobs", **settings: object) -> list[str]:
    made = load(pipeline).with_settings({name.replace("__", "."): value for name, value in settings.items()})
    with closing(open_source(clip)) as source:
        return without_worse(hints, source, made, None, 0, source.info.frames)


def test_what_is_proposed_is_read_as_people_write_it() -> None:
    hint = "x: try --set a.b=0.5; or --set c.d=dark --set e.f=.25, then"
    assert proposed(hint) == {"a.b": 0.5, "c.d": "dark", "e.f": 0.25}
    assert proposed("nothing stands out") == {}


def test_only_what_follows_as_much_is_proposed(tmp_path: Path) -> None:
    clip = spots(tmp_path)
    worse, better, words = "try --set bright.level=0.9", "try --set bright.level=0.05", "nothing to set"
    assert kept(clip, [worse, better, words], bright__level=0.0001) == [better, words]
    assert kept(clip, [worse]) == []
    refused = "try --set bright.nothing=1"
    assert kept(clip, [refused, words]) == [words]


def test_noise_counts_against_a_setting(tmp_path: Path) -> None:
    clip = spots(tmp_path, frames=40, noise=3.0)
    with closing(open_source(clip)) as source:
        fine, noisy = (worth(source, load("blobs"), {"bright.level": level}, None, 0, 40) for level in (0.08, 0.001))
    assert fine == pytest.approx(120, abs=3)  # three things, forty frames
    assert noisy < fine


def test_no_hint_for_a_pupil_that_is_followed(tmp_path: Path) -> None:
    """A dark disc on a bright ground, with two reflections: the run is right, whatever the histogram proposes."""
    rng, (y, x) = np.random.default_rng(3), np.mgrid[:120, :160]
    frames = []
    for k in range(30):
        cx, cy = 80 + 6 * np.sin(k / 5), 60 + 3 * np.cos(k / 4)
        eye = 150 - 110 / (1 + np.exp((np.hypot(x - cx, y - cy) - 20) / 0.8))
        eye = np.where(np.hypot(x - cx - 8, y - cy + 5) < 3, 240, eye)
        frames.append(np.clip(eye + rng.normal(0, 2, eye.shape), 0, 255).astype(np.uint8))
    np.save(tmp_path / "eye.npy", np.stack(frames))
    dark = {"mask.polarity": "dark", "mask.level": 0.3, "bodies.polarity": "dark"}
    outcome = run_clip(str(tmp_path / "eye.npy"), "objects", settings=dark, out=tmp_path / "out", overlay=False)
    assert len(outcome.summary["tracks"]["list"]) >= 1
    assert not [hint for hint in outcome.summary["hints"] if "--set mask.level" in hint]


def test_of_two_limits_the_one_that_hides_the_things_is_named(tmp_path: Path) -> None:
    """Markers are too small for min_area, the face too large for max_area; trials find what is "auto" anew."""
    outcome = run_clip("sim:face?seed=5", "facial-markers", settings={"markers.min_area": 200}, frames=(0, 20),
                       out=tmp_path / "out", overlay=False)  # fmt: skip
    (hint,) = (hint for hint in outcome.summary["hints"] if proposed(hint))
    assert list(proposed(hint)) == ["markers.min_area"]
    assert 10 < float(str(proposed(hint)["markers.min_area"])) < 40


def test_one_pupil_is_not_hardly_anything(tmp_path: Path) -> None:
    """Darker than skin are brows, lashes and an iris, too; none is proposed for what is followed in every frame."""
    rng, (y, x) = np.random.default_rng(4), np.mgrid[:120, :160]
    frames = []
    for k in range(30):
        away = np.hypot(x - 80 - 6 * np.sin(k / 5), y - 60)
        eye = np.where(away < 12, 40.0, np.where(away < 26, 105.0, 150.0))
        for left in (10, 50, 90, 130):
            eye[8:20, left : left + 20] = 90.0
        frames.append(np.clip(eye + rng.normal(0, 2, eye.shape), 0, 255).astype(np.uint8))
    np.save(tmp_path / "eye.npy", np.stack(frames))
    outcome = run_clip(str(tmp_path / "eye.npy"), "pupil", out=tmp_path / "out", overlay=False)
    assert [one["seen_frames"] for one in outcome.summary["tracks"]["list"]] == [30]
    assert not [hint for hint in outcome.summary["hints"] if proposed(hint)]


def test_a_ball_before_texture_has_the_pipeline_proposed_that_follows_it(tmp_path: Path) -> None:
    """No level tells a ball from grains as bright; that it moves does."""
    rng, (y, x) = np.random.default_rng(8), np.mgrid[:120, :160]
    ground = ndimage.gaussian_filter(rng.normal(0, 1, x.shape), 3)
    ground = 120 + 30 * ground / ground.std()
    places = [(-9 + 3.6 * k, 90 - 2.6 * k + 0.05 * k**2) for k in range(40)]
    frames = [ground + (200 - ground) / (1 + np.exp((np.hypot(x - a, y - b) - 6) / 0.6)) for a, b in places]
    noisy = np.stack(frames) + rng.normal(0, 2, (40, *x.shape))
    np.save(tmp_path / "ball.npy", np.clip(np.rint(noisy), 0, 255).astype(np.uint8))
    outcome = run_clip(str(tmp_path / "ball.npy"), "objects", out=tmp_path / "out", overlay=False)
    (hint,) = [hint for hint in outcome.summary["hints"] if "-p " in hint]
    assert "try -p background-motion, which follows" in hint
    again = run_clip(str(tmp_path / "ball.npy"), "background-motion", out=tmp_path / "again", overlay=False)
    rows = again.tracks[again.tracks["state"] == State.TRACKED]
    off = np.hypot(*(np.stack((rows["x"], rows["y"]), axis=1) - np.array(places)[rows["frame"]]).T)
    assert np.mean(off < 3) > 0.9
    assert len(np.unique(rows["frame"][off < 3])) > 30


def test_wide_discs_that_fall_apart_have_the_pipeline_proposed_that_follows_them_whole(tmp_path: Path) -> None:
    """Of discs as wide as these a band pass for small spots sees pieces of the rim."""
    rng, (y, x) = np.random.default_rng(9), np.mgrid[:100, :160]
    places = [((30 + 1.1 * k, 32 + 6 * np.sin(k / 6)), (125 - 1.3 * k, 70 + 5 * np.cos(k / 7))) for k in range(60)]
    frames = []
    for k, both in enumerate(places):
        discs = np.maximum(*(1 / (1 + np.exp((np.hypot(x - a, y - b) - 9) / 0.5)) for a, b in both))
        frames.append((40 + 200 * discs) * (0.35 if k % 20 < 8 else 1.0))
    noisy = np.stack(frames) + rng.normal(0, 1, (60, *x.shape))
    np.save(tmp_path / "discs.npy", np.clip(np.rint(noisy), 0, 255).astype(np.uint8))
    outcome = run_clip(str(tmp_path / "discs.npy"), "blobs", out=tmp_path / "out", overlay=False)
    assert len(outcome.summary["tracks"]["list"]) > 2
    (hint,) = [hint for hint in outcome.summary["hints"] if "try -p " in hint]
    assert "which follows some 2 things steadily" in hint
    pipeline = hint.partition("try -p ")[2].partition(",")[0]
    again = run_clip(str(tmp_path / "discs.npy"), pipeline, out=tmp_path / "again", overlay=False)
    assert [one["seen_frames"] for one in again.summary["tracks"]["list"]] == [60, 60]


def test_of_sparks_before_flames_what_follows_the_sparks_alone_is_proposed(tmp_path: Path) -> None:
    """Flames pass a level which noise alone would not; sparks three times as high stay."""
    rng, (y, x) = np.random.default_rng(11), np.mgrid[:120, :160]
    ripples = ndimage.gaussian_filter(rng.normal(0, 1, (340, 160)), 2)
    ripples *= 5 / ripples.std()
    starts, ways = rng.uniform((20, 20), (140, 100), (5, 2)), rng.normal(0, 0.4, (5, 2))
    frames = []
    for k in range(50):
        flames = ripples[3 * k : 3 * k + 120] + ripples[200 - k : 320 - k, ::-1]
        frame = 40 + flames * np.clip((x - 60) / 40, 0, 1)
        for (a, b), (u, v) in zip(starts, ways, strict=True):
            frame = frame + 120 * np.exp(-((x - a - u * k) ** 2 + (y - b - v * k) ** 2) / 4)
        frames.append(frame + rng.normal(0, 1, frame.shape))
    np.save(tmp_path / "spots.npy", np.clip(np.rint(np.stack(frames)), 0, 255).astype(np.uint8))
    outcome = run_clip(str(tmp_path / "spots.npy"), "blobs", out=tmp_path / "out", overlay=False)
    assert len(outcome.summary["tracks"]["list"]) > 50
    (hint,) = [hint for hint in outcome.summary["hints"] if "try -" in hint]
    assert "some 5 things steadily" in hint
    pipeline = hint.partition("try -p ")[2].partition(",")[0]
    again = run_clip(str(tmp_path / "spots.npy"), pipeline or "blobs", settings={} if pipeline else proposed(hint),
                     out=tmp_path / "again", overlay=False)  # fmt: skip
    rows = again.tracks[again.tracks["state"] == State.TRACKED]
    places = starts[:, None] + ways[:, None] * np.arange(50)[:, None]
    off = [np.hypot(*(places[:, row["frame"]] - (row["x"], row["y"])).T).min() for row in rows]
    assert np.mean(np.array(off) < 1.5) > 0.95
    assert len(rows) > 0.9 * 250


def test_no_larger_limit_for_the_dish_that_small_things_walk_in(tmp_path: Path) -> None:
    """Flies are smaller than what `objects` keeps, and their dish is larger: what follows the flies is named, and not
    the limit with which the dish is followed."""
    rng, (y, x) = np.random.default_rng(5), np.mgrid[:160, :160]
    dish = np.where(np.hypot(x - 80, y - 80) < 64, 210.0, 90.0)
    place, way = rng.uniform(56, 104, (7, 2)), rng.normal(0, 1.0, (7, 2))
    frames = []
    for k in range(60):
        at = place + 12 * np.sin(way * k / 12)
        away = ((x - at[:, 0, None, None]) / 3.5) ** 2 + ((y - at[:, 1, None, None]) / 2.0) ** 2
        picture = np.where((away < 1).any(axis=0), 45.0, dish)
        frames.append(np.clip(picture + rng.normal(0, 2, dish.shape), 0, 255).astype(np.uint8))
    np.save(tmp_path / "flies.npy", np.stack(frames))
    outcome = run_clip(str(tmp_path / "flies.npy"), "objects", out=tmp_path / "out", overlay=False)
    assert not outcome.summary["tracks"]["list"]
    (hint,) = [hint for hint in outcome.summary["hints"] if "max_share" in hint or "try -p " in hint]
    assert "which follows some 7 things steadily" in hint


def test_a_projectile_before_smoke_is_found_by_another_pipeline(tmp_path: Path) -> None:
    """It crosses in a third of the frames; to background-motion the smoke that spreads behind it moves, too."""
    rng, (y, x) = np.random.default_rng(2), np.mgrid[:160, :400]
    frames = 160.0 + rng.normal(0, 2, (72, 160, 400))
    for k in range(8, 72):
        smoke = np.exp(-(np.hypot(x - 20 - 1.2 * k, y - 80) / (10 + 6 * np.sqrt(k - 8))) ** 4)
        frames[k] += smoke * (90 - 160)
        shot = np.clip(1.5 - np.hypot((x - 22.0 * (k - 8) - 8) / 5, (y - 80) / 2.5), 0, 1)
        frames[k] += shot * (20 - frames[k])
    np.save(tmp_path / "shot.npy", frames.clip(0, 255).round().astype(np.uint8))
    for pipeline, wanted in (("background-motion", ["-p objects"]), ("objects", [])):
        outcome = run_clip(str(tmp_path / "shot.npy"), pipeline, out=tmp_path / pipeline, overlay=False)
        hints = [hint for hint in outcome.summary["hints"] if "try" in hint]
        assert [words for words in wanted if not any(words in hint for hint in hints)] == []
        assert wanted or not hints
    ways = [track["range_x_px"] for track in outcome.summary["tracks"]["list"]]
    assert sum(way > 250 for way in ways) == 1


@pytest.mark.parametrize("times", [1, 4])
def test_strokes_that_are_too_fast_for_the_frame_rate(tmp_path: Path, times: int) -> None:
    """Spots on wings, 50 px apart, that go up to 44 px in a frame; at four times the frame rate nothing is said."""
    rng, (y, x) = np.random.default_rng(2), np.mgrid[:220, :280]
    frames = 35.0 + rng.normal(0, 2, (90, 220, 280))
    for k in range(90):
        for i in range(5):
            row = 110 + 60 * (1 - 0.1 * (i % 2)) * np.sin(0.73 / times * k + 0.2 * i) + 10 * (i % 2)
            near = np.s_[max(0, int(row) - 8) : int(row) + 9, 32 + 50 * i : 49 + 50 * i]
            frames[k][near] += 190 / (1 + np.exp(3 * (np.hypot(x[near] - 40 - 50 * i, y[near] - row) - 2.2)))
    np.save(tmp_path / "wings.npy", frames.clip(0, 255).round().astype(np.uint8))
    outcome = run_clip(str(tmp_path / "wings.npy"), "objects", settings={"bodies.min_area": 6}, fps=1000,
                       out=tmp_path / "out", overlay=False)  # fmt: skip
    (said,) = [hint for hint in outcome.summary["hints"] if "px from frame to frame" in hint] or [""]
    assert bool(said) == (times == 1)
    if said:
        assert 2000 < float(said.split(" frames/s would do")[0].split()[-1]) < 4500
        assert not [hint for hint in outcome.summary["hints"] if proposed(hint)]
