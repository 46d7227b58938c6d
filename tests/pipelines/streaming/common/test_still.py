"""The picture of a clip in which nothing moves, and what begins with it."""

from __future__ import annotations

import inspect
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from app.live.recording import record_clip
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sessions.reader import SessionReader, open_session
from app.sources.opening import open_source
from kernels.errors import DefinitionError
from kernels.executors.base import executor
from pipelines.automatic.sample import sample_from, sample_of
from pipelines.automatic.settling import settle, settle_on
from pipelines.definition import load
from pipelines.features import State
from pipelines.frame import FrameBatch, PixelFormat
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common import still as still_room
from pipelines.streaming.common.changes import Changes
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.common.still import check_unforeseen, places, still, still_of
from pipelines.streaming.engine.building import Order
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.restructuring import Restructuring
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.shipped import fixed

Array = npt.NDArray[Any]
SIZE = 96, 128
GROUND = 90


def resting(frames: int = 60, leaves: int = 36, noise: float = 1.5, seed: int = 1) -> tuple[Array, Array]:
    """A bright disc that rests for most of the clip and then goes away, one that goes all the time, and their places,
    (frames, 2, 2)."""
    random, (y, x) = np.random.default_rng(seed), np.mgrid[: SIZE[0], : SIZE[1]]
    k = np.arange(frames)
    first = np.stack([40 + 3.0 * np.maximum(k - leaves, 0), np.full(frames, 30.0)], axis=1)
    second = np.stack([15 + 1.5 * k, np.full(frames, 66.0)], axis=1)
    ways = np.stack([first, second], axis=1)
    away = np.hypot(x - ways[..., 0, None, None], y - ways[..., 1, None, None]).min(axis=1)
    clip = GROUND + 110 / (1 + np.exp((away - 9) / 0.5)) + random.normal(0, noise, (frames, *SIZE))
    return clip.clip(0, 255).round().astype(np.uint8), ways


def worst(frames: int = 60, **options: Any) -> float:
    """How far the still picture of such a clip is off the ground at most."""
    made = still_of(MemoryClip(resting(frames, **options)[0]))
    assert made is not None
    return float(np.abs(made.astype(float) - GROUND).max())


def test_what_rests_for_most_of_the_clip_is_not_in_it_if_it_goes_away_once() -> None:
    frames, _ = resting()
    assert np.abs(np.median(frames, axis=0) - GROUND).max() > 90
    assert worst() < 8


def test_what_stays_is_ground_and_what_passes_is_not() -> None:
    frames, _ = resting(leaves=60)
    made = still_of(MemoryClip(frames))
    assert made is not None
    assert made.dtype == np.uint8
    off = np.abs(made.astype(float) - GROUND)
    assert off[30, 40] > 90
    assert off[56:].max() < 6


def test_under_a_lamp_that_goes_down_to_a_tenth_it_has_the_light_of_the_middle_frame() -> None:
    frames, _ = resting()
    lamp = 1.0 - 0.45 * (1 + np.cos(np.arange(60) * 2.1))
    made = still_of(MemoryClip((frames * lamp[:, None, None]).round().astype(np.uint8)))
    assert made is not None
    middle = np.median(lamp[places(MemoryClip(frames).info)])
    assert np.abs(made - GROUND * middle).max() < 10
    dark = np.zeros((5, 16, 16), np.uint8)
    assert not still(dark).any()


def test_colours_and_mosaics_are_each_for_themselves() -> None:
    gray, _ = resting()
    colour = np.stack([gray, gray // 2, 255 - gray], axis=-1)
    made = still_of(MemoryClip(colour))
    assert made is not None
    assert np.abs(made.astype(float) - (GROUND, GROUND // 2, 255 - GROUND)).max() < 8
    mosaic = gray.copy()
    mosaic[:, ::2, ::2] //= 4
    plain, bayer = (still_of(MemoryClip(mosaic, form=PixelFormat(color, 8))) for color in ("mono", "bayer_rggb"))
    assert plain is not None
    assert bayer is not None
    wanted = np.full(SIZE, float(GROUND))
    wanted[::2, ::2] //= 4
    assert np.abs(bayer - wanted).max() < 8


def test_frames_that_cannot_be_read_are_passed_over_and_too_few_give_none() -> None:
    frames, _ = resting()
    looked = places(MemoryClip(frames).info)
    made = still_of(MemoryClip(frames, bad=tuple(looked[::3])))
    assert made is not None
    assert np.abs(made.astype(float) - GROUND).max() < 8
    assert still_of(MemoryClip(frames, bad=tuple(looked[2:]))) is None
    assert still_of(MemoryClip(frames[:2])) is None


def test_it_is_made_once_and_of_a_clip_that_plays_from_another_reader() -> None:
    frames, _ = resting()
    clip, other = MemoryClip(frames), MemoryClip(frames)
    read: list[int] = []
    clip.read = lambda index, out=None: read.append(index)  # type: ignore[method-assign]
    made = still_of(clip, lambda: other)
    assert made is not None
    assert still_of(clip, lambda: pytest.fail("it is known")) is made
    assert read == []


def test_what_shakes_in_time_with_the_looks_does_not_stand_still_in_them() -> None:
    looked = np.array(places(info()))
    for period in (1000 / 15, 1000 / 30, 1000 / 60):
        phases = np.sort(looked / period % 1.0)
        assert np.diff(phases, append=phases[0] + 1).max() < 0.21, period


# Constants: each test fails when its constant is twice or half as large.


def info(frames: int = 1000, nbytes: int = 1000) -> Any:
    return SimpleNamespace(frames=frames, image=SimpleNamespace(nbytes=nbytes), format=SimpleNamespace(packing="none"))


def constant_frames() -> None:
    assert len(places(info())) == 15


def noise(size: int) -> Array:
    """Of 15 pictures, gray values."""
    return np.random.default_rng(3).normal(0, 1, (15, size, size))


def constant_fewest() -> None:
    assert places(info(frames=3))
    assert places(info(frames=2)) == []


def constant_bytes() -> None:
    assert len(places(info(nbytes=1 << 24))) == 4


def constant_few() -> None:
    """What lies around tells what is ground where it is seen twice in 15 looks; once is none."""
    for shown, wanted in ((1, 200.0), (2, 100.0)):
        frames = 100.0 + noise(32)
        frames[shown:, 12:20, 12:20] = 200.0
        assert abs(still(frames)[15, 15] - wanted) <= 3.0


def constant_changes() -> None:
    """What differs by 1.5 times as much as others keeps its middle value, what differs by 3 times does not."""
    steps = np.linspace(-10.0, 10.0, 15)[:, None, None]
    for times, keeps in ((1.5, True), (3.0, False)):
        frames = 500.0 + steps * (1 - 2 * (np.indices((32, 32)).sum(axis=0) % 2))
        frames[:, 16, 16] = 900.0 + times * steps[:, 0, 0]
        assert (still(frames)[16, 16] == pytest.approx(900.0, abs=2.0)) == keeps


def constant_around() -> None:
    """A bright thing rests at most looks in a dark square of 48 px; what is bright 24 px away is too far to tell.
    For a thing of 32 px what lies nearer than that is needed."""
    frames = 200.0 + noise(128)
    frames[:, 40:88, 40:88] -= 160.0
    frames[:9, 62:66, 62:66] = 200.0
    assert still(frames)[64, 64] < 50.0
    wide = 40.0 + noise(128)
    wide[:9, 48:80, 48:80] = 200.0
    assert still(wide)[64, 64] < 50.0


def constant_block() -> None:
    """A mean is one for a square of 8 px."""
    mean, _ = still_room._around(np.arange(64.0)[None].repeat(64, axis=0), np.ones((64, 64), bool))
    assert (np.diff(mean[0]).nonzero()[0] + 1).tolist() == [8, 16, 24, 32, 40, 48, 56]


CONSTANTS = ("FRAMES", "FEWEST", "BYTES", "FEW", "CHANGES", "AROUND", "BLOCK")


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(still_room, name)
    judge = globals()[f"constant_{name.lower()}"]
    judge()
    for factor in (2, 0.5):
        monkeypatch.setattr(still_room, name, type(right)(right * factor))
        with pytest.raises(AssertionError):
            judge()


def test_every_constant_has_a_test() -> None:
    own = {name for name in vars(still_room) if name.isupper() and f"\n{name} = " in inspect.getsource(still_room)}
    assert own == {*CONSTANTS}


# What begins with it.


def followed(begin: str, frames: tuple[int, int] = (0, 60)) -> tuple[list[Any], Array]:
    pixels, ways = resting()
    clip, keep = MemoryClip(pixels), Keep()
    pipeline = fixed("background-motion").with_settings({"moving.begin": begin, "ground.begin": begin})
    Runner(clip, prepare(pipeline, clip), [keep], frames=frames, options=RunOptions(device="reference")).run()
    return keep.results, ways


def away(rows: Array, ways: Array) -> Array:
    """How far each row is from the nearest disc, px."""
    off = np.stack([rows["x"], rows["y"]], axis=1)[:, None] - ways[rows["frame"]]
    made: Array = np.hypot(off[..., 0], off[..., 1]).min(axis=1)
    return made


def test_what_rests_at_first_is_seen_and_leaves_no_ghost() -> None:
    results, ways = followed("clip")
    rows = np.concatenate([result.tracks for result in results])
    rows = rows[rows["state"] == State.TRACKED]
    assert away(rows, ways).max() < 0.5
    assert len(rows) >= 2 * 60 - 6
    assert len(np.unique(rows["track"])) == 2
    ghosts = np.concatenate([result.tracks for result in followed("majority")[0]])
    ghosts = ghosts[ghosts["state"] == State.TRACKED]
    assert away(ghosts, ways).max() > 5


@pytest.mark.parametrize("begin", [0, 17])
def test_from_whichever_frame_on_back_and_forth_and_anew_the_bits_are_the_same(begin: int) -> None:
    pixels, _ = resting()
    clip = MemoryClip(pixels)
    pipeline = fixed("background-motion")
    wanted = followed("clip", (begin, 60))[0]
    keep, again = Keep(), MemoryClip(pixels)
    playback = Playback(again, pipeline, [keep], PlaybackOptions(device="reference"), frames=(begin, 60))
    playback.run()
    assert [one.tracks.tobytes() for one in keep.results] == [one.tracks.tobytes() for one in wanted]
    bound = prepare(pipeline, clip)
    engine = Engine(bound, executor("reference"))
    batch = FrameBatch(np.arange(20), np.arange(20) / 1000, pixels[:20])
    first, state = engine.step(batch), engine.snapshot()
    counted = dict(engine.overflow)
    engine.reset()
    assert engine.overflow == counted
    second = engine.step(batch)
    for ref, values in first.items():
        assert [one.rows.tobytes() for one in values] == [one.rows.tobytes() for one in second[ref]]
    assert str(state) == str(engine.snapshot())


def test_what_is_not_finite_tells_nothing() -> None:
    frames = resting()[0][places(info(60))].astype(np.float32)
    frames[9:] *= 0.5  # so that light counts, too
    whole = still(frames)
    some = frames.copy()
    some[3, 0, 64], some[7, :2] = np.nan, np.inf  # [0, 64] is among the few that tell the light
    some[5:7] = np.nan
    some[:, :20, :30] = np.nan  # never anything
    found = still(some)
    assert np.isnan(found[:20, :30]).all()
    found[:20, :30] = whole[:20, :30]
    assert np.abs(found - whole).max() < 10  # noise of 1.5, no disc of 110
    assert np.isnan(still(np.full_like(frames, np.nan))).all()


def test_clips_with_pixels_that_are_not_finite_run() -> None:
    pixels = resting(30)[0].astype(np.float32) / 255
    pixels[:, :4, :4] = np.nan
    pixels[places(info(30))[4], 48, 64] = np.nan
    clip = MemoryClip(pixels)
    keep, pipeline = Keep(), settle_on(load("background-motion"), clip).pipeline
    Runner(clip, prepare(pipeline, clip), [keep], frames=(0, 30), options=RunOptions(device="reference")).run()
    assert sum(len(result.tracks) for result in keep.results) >= 28


def test_cameras_and_packed_samples_begin_by_majority() -> None:
    pixels, _ = resting()
    clip = MemoryClip(pixels)
    asked = load("background-motion")
    assert settle_on(asked, clip).found["moving.begin"] == "clip"
    assert settle_on(asked, clip, whole=False).found["moving.begin"] == "majority"
    assert settle(asked, sample_from(clip.info, pixels[:48])).found["moving.begin"] == "majority"
    words = settle(asked, sample_of(clip)).words
    assert any("moving.begin = clip, the picture of its frames in which nothing moves" in one for one in words)
    assert not places(SimpleNamespace(**{**vars(info()), "format": SimpleNamespace(packing="msb12")}))  # type: ignore[arg-type]
    clip.bad = tuple(places(clip.info)[2:])
    found = settle_on(asked, MemoryClip(pixels, bad=clip.bad))
    assert found.found["moving.begin"] == "majority"
    assert any("moving.begin = majority, for no such picture can be made beforehand" in one for one in found.words)


def test_what_cannot_be_foreseen_is_refused_in_a_sentence() -> None:
    fits = load("background-motion").with_settings({"moving.begin": "majority"})
    check_unforeseen(fits)
    with pytest.raises(DefinitionError, match=r"--set moving\.begin=majority"):
        check_unforeseen(fits.with_settings({"moving.begin": "clip"}))
    order = Order.of(MemoryClip(resting()[0]).info, RunOptions(), 1)
    live = Restructuring(order, fits, Changes([], lambda _: None), lambda _: None)
    with pytest.raises(DefinitionError, match=r"--set moving\.begin=majority"):
        live.set_param("moving", "begin", "clip")
    assert live.target is fits


def test_a_recording_of_a_part_of_a_clip_replays_to_the_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "rest.npy", resting()[0])
    path = tmp_path / "a.mcap"
    record_clip(Wanted(str(tmp_path / "rest.npy"), path, "background-motion", frames=40, device="cpu"))
    with closing(open_session(path)) as session:
        assert 'begin = "majority"' in session.pipeline_toml
    assert replay(Wish(path, check=True, device="reference")).identical
    with closing(open_source(str(path))) as source:  # another run on what was recorded may look at all of it
        assert settle_on(load("background-motion"), source).found["moving.begin"] == "clip"
    with pytest.raises(DefinitionError, match="not at hand"):
        record_clip(Wanted(str(tmp_path / "rest.npy"), tmp_path / "b.mcap", "background-motion", frames=40,
                           settings={"moving.begin": "clip"}))  # fmt: skip
    text = session.pipeline_toml.replace('begin = "majority"', "majority = true")  # as earlier versions recorded it
    monkeypatch.setattr(SessionReader, "pipeline_toml", text)
    assert replay(Wish(path, check=True, device="cpu")).identical
