"""Numbers in place of "auto": the same whatever runs, and exact in what is recorded."""

from __future__ import annotations

import tracemalloc
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipelines.automatic.settling as settling
from app.controller import run_clip
from app.live.recording import record_camera, record_clip
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sources.opening import open_source
from app.sources.session import open_session
from kernels.errors import BadFrame, DefinitionError
from kernels.executors.base import executor
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.plugins import find_stage
from pipelines.automatic.sample import exchanges, places, sample_from, sample_of
from pipelines.automatic.settling import as_asked, open_settings, settle, settle_on, with_found
from pipelines.definition import library, load, loads
from pipelines.evaluation.complete import evaluate_all
from pipelines.trackers.base import confirmed
from tests.pipelines.clips import MemoryClip

BLOBS = "sim:blobs?count=12&snr=10&width=160&height=128&frames=60"
BALL = "sim:ball?frames=60&width=112&height=192"


def found(clip: str, name: str, **options: Any) -> dict[str, Any]:
    with closing(open_source(clip)) as source:
        return settle_on(load(name), source, **options).found


@pytest.mark.parametrize("name", sorted(library()))
def test_every_shipped_pipeline_is_settled(name: str) -> None:
    pipeline = load(name)
    with closing(open_source(BLOBS)) as source:
        made = settle_on(pipeline, source)
    assert not open_settings(made.pipeline)
    assert made.found.keys() == {f"{node.id}.{param}" for node, param in open_settings(pipeline)}
    assert as_asked(made.pipeline, made.found) == pipeline
    assert with_found(pipeline, made.found) == made.pipeline
    other = made.pipeline.with_settings(dict.fromkeys([p for p in made.found if p.endswith("level")], 0.5))
    assert {f"{n.id}.{p}" for n, p in open_settings(as_asked(other, made.found))} == {
        path for path in made.found if not path.endswith("level")
    }


def test_a_number_fixes_it() -> None:
    with closing(open_source(BLOBS)) as source:
        made = settle_on(load("blobs").with_settings({"bright.level": 0.05}), source)
    assert "bright.level" not in made.found
    (bright,) = (node for node in made.pipeline.nodes if node.id == "bright")
    assert bright.params["level"] == 0.05


def test_nothing_is_read_where_nothing_is_asked() -> None:
    class Unreadable:
        @property
        def info(self) -> Any:
            raise AssertionError

        def read(self, index: int, out: Any = None) -> Any:
            raise AssertionError

        def close(self) -> None:
            pass

    pipeline = load("template")
    assert settle_on(pipeline, Unreadable()).pipeline is pipeline


@pytest.mark.parametrize(("clip", "name"), [(BLOBS, "blobs"), (BALL, "objects"), (BALL, "background-motion")])
def test_both_back_ends_find_the_same(clip: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = found(clip, name)
    monkeypatch.setattr(settling, "_back_end", lambda: executor("reference"))
    assert found(clip, name) == first


def test_every_part_of_a_clip_has_the_same(tmp_path: Path) -> None:
    runs = [run_clip(BLOBS, "blobs", frames=part, batch=batch, out=tmp_path / str(k), overlay=False)
            for k, (part, batch) in enumerate([(None, 16), ((20, 40), 16), ((20, 40), 3)])]  # fmt: skip
    values = [run.summary["found"]["values"] for run in runs]
    assert values[0] == values[1] == values[2]
    assert runs[1].tracks.tobytes() == runs[2].tracks.tobytes()
    assert any("bright.level = " in note for note in runs[0].notes)
    nodes = {node["id"]: node["params"] for node in runs[0].summary["pipeline"]["nodes"]}
    assert nodes["bright"]["level"] == values[0]["bright.level"]


def test_a_session_holds_the_numbers_and_replays_to_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    made = record_clip(Wanted(BLOBS, path, "blobs"))
    assert any("bright.level = " in note for note in made.notes)
    with open_session(path) as session:
        recorded = loads(session.pipeline_toml)
        assert len(session.tracks()) > 100
    assert not open_settings(recorded)
    again = replay(Wish(path, check=True))
    assert again.likeness is not None
    assert again.identical, again.likeness.describe()


def test_a_camera_has_its_own_first_frames_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    camera = "cam:sim?scene=vortex&size=64x48&fps=200&particles=8&frames=60"
    made = record_camera(Wanted(camera, path, "blobs", latency=10.0))
    assert any("bright.level = " in note for note in made.notes)
    with open_session(path) as session:
        assert not open_settings(loads(session.pipeline_toml))
        assert len(session) == 60  # none was taken away
    again = replay(Wish(path, check=True))
    assert again.identical


def test_hot_pixels_are_named_and_gone(tmp_path: Path) -> None:
    with closing(open_source("sim:blobs?count=8&snr=40&width=96&height=80&frames=40&hidden=0&bits=12")) as source:
        pixels = np.stack([source.read(k) for k in range(40)])
    pixels[:, 40, 60] = pixels[:, 70, 11] = 4095
    np.save(tmp_path / "hot.npy", pixels)
    made = run_clip(tmp_path / "hot.npy", "blobs", bits=12, out=tmp_path / "out", overlay=False)
    assert made.summary["found"]["values"]["sound.points"] == ((60.0, 40.0), (11.0, 70.0))
    assert any("2 pixels are broken" in note and "(60, 40), (11, 70)" in note for note in made.notes)
    rows = made.tracks
    still = [t for t in np.unique(rows["track"]) if np.ptp(rows["x"][rows["track"] == t]) < 1.0
             and np.sum(rows["track"] == t) > 20]  # fmt: skip
    assert not still
    part = run_clip(tmp_path / "hot.npy", "blobs", bits=12, roi=(40, 20, 50, 50), out=tmp_path / "roi", overlay=False)
    assert part.summary["found"]["values"]["sound.points"] == ((60.0, 40.0),)  # places of the whole picture


@pytest.mark.parametrize("kind", ["12 in 16", "dim 16", "float", "float in counts"])
def test_every_depth_works_untouched(kind: str, tmp_path: Path) -> None:
    bits, light = (16, 0.15) if kind == "dim 16" else (12, 1.0)
    spec = f"blobs?count=12&snr=30&width=160&height=128&frames=60&hidden=0&bits={bits}&brightness={light}&seed=31"
    with closing(open_source(f"sim:{spec}")) as source:
        pixels = np.stack([source.read(k) for k in range(60)])
        truth = np.concatenate([source.scene.truth(k) for k in range(60)])  # type: ignore[attr-defined]
    if kind.startswith("float"):
        pixels = (pixels / (4095.0 if kind == "float" else 1.0)).astype(np.float32)
    np.save(tmp_path / "clip.npy", pixels)
    rows = run_clip(tmp_path / "clip.npy", "blobs", out=tmp_path / "out", overlay=False).tracks
    scores = evaluate_all(confirmed(rows), truth).clear
    assert scores.recall > 0.95
    assert scores.precision > 0.98


def test_uneven_light_is_made_even_and_even_light_left_alone() -> None:
    for flicker, asked in ((0.0, False), (0.04, False), (0.12, True), (0.8, True)):
        values = found(f"{BALL}&flicker={flicker}", "objects")
        assert (values["even.reference"] > 0) == asked, flicker


def test_frames_that_cannot_be_read_are_passed_over() -> None:
    with closing(open_source(BLOBS)) as source:

        class Torn:
            info = source.info

            def read(self, index: int, out: Any = None) -> Any:
                if index < 30:
                    raise BadFrame(index, "torn")
                return source.read(index, out)

            def close(self) -> None:
                pass

        sample = sample_of(Torn())
        assert sample.frames == ((37, 38, 39), (56, 57, 58, 59)) or min(map(min, sample.frames)) >= 30
        assert settle(load("blobs"), sample).found["bright.level"] == pytest.approx(
            settle_on(load("blobs"), source).found["bright.level"], rel=0.1)  # fmt: skip
        none = settle(load("blobs"), sample_from(source.info, np.zeros((0, 128, 160), np.uint8)))
    assert not open_settings(none.pipeline)


def test_large_pictures_are_looked_at_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = found(BLOBS, "blobs")["bright.level"]
    monkeypatch.setattr(settling, "PART", 64 * 64)
    assert found(BLOBS, "blobs")["bright.level"] == pytest.approx(whole, rel=0.1)
    assert len(places(1000, 1 << 30)) == 1


def test_a_stage_that_nothing_is_known_of_asks_for_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(settling.LOOKS, "background")  # type: ignore[attr-defined]
    with closing(open_source(BLOBS)) as source, pytest.raises(DefinitionError, match=r"give moving\.min_sigma a value"):
        settle_on(load("background-motion"), source)


@pytest.mark.parametrize("count", [3, 4, 7, 16])
@pytest.mark.parametrize("kind", ["u1", "u2"])
def test_the_still_picture_is_the_median_of_all_frames(count: int, kind: str) -> None:
    with closing(open_source(BLOBS)) as source:
        info = source.info
    frames = np.random.default_rng(count).integers(0, 256, (count, 6, 9)).astype(kind)
    sample = sample_from(info, frames)
    still = sample.still
    assert still is not None
    assert still.dtype == frames.dtype
    np.testing.assert_array_equal(still, np.median(np.concatenate(sample.bursts), axis=0).astype(kind))
    order = list(range(count))[::-1]
    for one, other in exchanges(count):
        order[one], order[other] = sorted((order[one], order[other]))
    assert order == sorted(order)


def downstream(between: str, polarity: str, picture: np.ndarray) -> settling._Downstream:
    """Of a threshold with that stage, or none, between it and the regions."""
    stage = f'[stages.whole]\nuse = "{between}"\n' if between else ""
    pipeline = loads(f"""
[stages.gray]
[stages.mask]
use = "threshold"
rule = "outline"
polarity = "{polarity}"
{stage}
[stages.bodies]
use = "components"
inputs = {{ mask = "{"whole" if between else "mask"}", weights = "gray" }}
""", "mine")  # fmt: skip
    return settling._Downstream(pipeline, next(one for one in pipeline.nodes if one.id == "mask"), picture)


@pytest.mark.parametrize("bright", [True, False])
@pytest.mark.parametrize("between", ["", "fill", "difference"])
def test_masks_at_levels_are_those_of_the_stages(bright: bool, between: str) -> None:
    """Of the threshold alone, and of what comes behind it, which sees no other level; NaN is in none."""
    polarity = "bright" if bright else "dark"
    picture = np.random.default_rng(2).normal(10.0, 4.0, (30, 40)).astype(np.float32)
    picture[3, 5] = np.nan
    levels = [float(picture[7, 7]), 9.123456789, 12.0]
    made = downstream(between, polarity, picture).of(bright)(picture, levels)
    for mask, level in zip(made, levels, strict=True):
        wanted = evaluate(find_stage("threshold"), picture, level=level, polarity=polarity)
        wanted = evaluate(find_stage(between), wanted) if between else wanted
        np.testing.assert_array_equal(mask, wanted)


def test_masks_at_many_levels_take_memory_for_few() -> None:
    """48 masks, held three times, would be 600 MB of a large picture."""
    picture = np.random.default_rng(3).normal(10.0, 4.0, (256, 256)).astype(np.float32)
    masks = downstream("dilate", "bright", picture).of(True)
    most = 0
    for levels in ([10.0], np.linspace(5, 20, 48).tolist()):  # what is there once is not counted
        tracemalloc.start()
        assert sum(mask.shape == picture.shape for mask in masks(picture, levels)) == len(levels)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert 24 < most / picture.size < 48


@pytest.mark.parametrize(("times", "told"), [(0.5, True), (1.0, True), (2.0, False)])
def test_both_a_pupil_and_its_reflection_are_named(
    times: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settling.RIVAL == 0.5
    monkeypatch.setattr(settling, "RIVAL", times * settling.RIVAL)
    assert ("-p pupil" in outline_words(light=230)) == told


@pytest.mark.parametrize(("times", "told"), [(0.5, True), (1.0, False)])
def test_a_fainter_other_side_is_not_named(times: float, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "RIVAL", times * settling.RIVAL)
    assert ("-p pupil" in outline_words(light=190)) == told
    assert "-p pupil" not in outline_words(light=0)


def outline_words(light: int) -> str:
    """What is said of the level of `objects` for a dark disc on gray with a round reflection so bright."""
    y, x = np.mgrid[:100, :140]
    pixels = np.random.default_rng(2).normal(150, 2, (12, 100, 140))
    for k in range(12):
        pixels[k, np.hypot(x - 60 - k, y - 50) < 20] -= 110
        if light:
            pixels[k, np.hypot(x - 66 - k, y - 44) < 6] = light
    words = settle_on(load("objects"), MemoryClip(pixels.clip(0, 255).round().astype(np.uint8))).words
    return " ".join(words)


@pytest.mark.parametrize("light", [220.0, 20.0])
@pytest.mark.parametrize("begin", [8, 34, 60])
def test_what_crosses_the_picture_between_the_frames_that_are_looked_at(begin: int, light: float) -> None:
    """It is there for a fifth of the clip: its level lies about halfway between the ground and it."""
    frames, (y, x) = np.random.default_rng(begin).normal(110.0, 2.0, (84, 64, 256)), np.mgrid[:64, :256]
    for k in range(begin, begin + 16):
        cover = np.clip(5.0 - np.hypot(x - 15.0 * (k - begin) - 14.0, y - 30.0), 0.0, 1.0)
        frames[k] += cover * (light - frames[k])
    source = MemoryClip(frames.clip(0, 255).round().astype(np.uint8))
    looked = [frame for burst in places(84) for frame in burst]
    assert not set(looked) & set(range(begin, begin + 16))
    values = settle_on(load("objects"), source).found
    assert values["mask.polarity"] == ("bright" if light > 110 else "dark")
    assert 0.1 < (float(str(values["mask.level"])) * 255 - 110) / (light - 110) < 0.8


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("seed", range(3))
def test_the_side_of_what_hardly_stands_out(seed: int, sign: int) -> None:
    """Discs before grains, of which no outline lasts: they are farther off than the grains."""
    random, (y, x) = np.random.default_rng(seed), np.mgrid[:128, :128]
    grains = cv2.GaussianBlur(random.normal(size=(128, 128)), (0, 0), 2)
    frames = 120.0 + 5.0 * grains / grains.std() + random.normal(0.0, 1.0, (40, 128, 128))
    for k in range(40):
        for i in range(4):
            inside = np.hypot(x - 20 - 25 * i - 0.5 * k, y - 24 - 26 * i) < 4.5
            frames[k, inside] = 120.0 + 28.0 * sign + random.normal(0.0, 1.0, inside.sum())
    found = settle_on(load("objects"), MemoryClip(frames.clip(0, 255).round().astype(np.uint8)))
    assert any("no region stands out" in words for words in found.words)
    assert found.found["mask.polarity"] == ("bright" if sign > 0 else "dark")
