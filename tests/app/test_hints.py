"""Each cause of a run without tracks is named, and what is proposed works."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from app.controller import run_clip
from app.hinting import room
from app.hinting.look import look_at, looked_at, looking
from app.hints import run_hints
from app.response import Response
from app.sources.opening import open_source
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from kernels.stages import components
from pipelines.definition import load
from pipelines.frame import FrameBatch
from pipelines.graph import SOURCE, Ref, bind
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from tests.shipped import fixed

Array = npt.NDArray[Any]


def spots(path: Path, frames: int = 20, step: float = 1.0, depth: float = 80, size: float = 1.6, noise: float = 1.0,
          things: int = 3) -> str:  # fmt: skip
    """A clip of `things` spots (bright, or dark for a negative depth) that move right by `step` px a frame."""
    rng = np.random.default_rng(1)
    y, x = np.mgrid[:96, :160]
    clip = np.full((frames, 96, 160), 120.0) + rng.normal(0, noise, (frames, 96, 160))
    for t in range(frames):
        for k in range(things):
            clip[t] += depth * np.exp(-((x - 12 - step * t) ** 2 + (y - 20 - 28 * k) ** 2) / (2 * size**2))
    np.save(path / "clip.npy", np.clip(np.round(clip), 0, 255).astype(np.uint8))
    return str(path / "clip.npy")


def hints(
    clip: str, pipeline: str = "blobs", tracks: int = 0, processed: int | None = None, **changes: object
) -> list[str]:
    """The hints of a pipeline with changed settings (node__param)."""
    made = fixed(pipeline).with_settings({name.replace("__", "."): value for name, value in changes.items()})
    source = open_source(clip)
    try:
        bound = prepare(made, source, None)
        return run_hints(source, bound, 0, source.info.frames if processed is None else processed, tracks)
    finally:
        source.close()


def test_what_only_the_tracker_needs_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thresholds are looked at without the centres of what passes them."""
    source = open_source(spots(tmp_path))
    bound = prepare(fixed("blobs"), source, None)
    monkeypatch.setattr(components, "measure", lambda *_: pytest.fail("regions were measured"))
    look = look_at(source, bound, 0, 20, looked_at(bound), most=1)
    assert [len(values) for values in look.values.values()] == [1] * len(looked_at(bound))


def tried(clip: str, hint: str, out: Path, **changes: object) -> int:
    """Tracks after what the hint proposes."""
    settings: dict[str, object] = {name.replace("__", "."): value for name, value in changes.items()}
    for name, value in re.findall(r"--set (\S+?)=(\S+)", hint):
        settings[name] = value if value in ("dark", "bright") else float(value)
    if "follow.min_hits" in settings:
        settings["follow.min_hits"] = int(float(str(settings["follow.min_hits"])))
    outcome = run_clip(clip, "blobs", settings=settings, out=out, overlay=False)
    return len(outcome.summary["tracks"]["list"])


def test_too_few_frames(tmp_path: Path) -> None:
    clip = spots(tmp_path, frames=2)
    (hint,) = hints(clip)
    assert "only 2 frames were processed" in hint
    assert "3 sightings" in hint
    assert tried(clip, hint, tmp_path / "o") == 3
    assert "1 frame was processed" in hints(clip, processed=1)[0]
    assert not hints(clip, processed=0)


def test_things_faster_than_allowed(tmp_path: Path) -> None:
    clip = spots(tmp_path, step=6.0)
    changes = {"follow__max_speed": 0.5, "follow__acceleration": 0.1}
    (hint,) = hints(clip, **changes)
    assert "about 3 features a frame were found" in hint
    assert "move about 6 px" in hint
    assert "follow.max_speed = 0.5" in hint
    assert "level" not in hint
    assert tried(clip, hint, tmp_path / "o", **changes) == 3


def test_areas_that_exclude_each_other(tmp_path: Path) -> None:
    (hint,) = hints(spots(tmp_path), spots__min_area=50, spots__max_area=40)
    assert "spots.min_area = 50 is larger than spots.max_area = 40" in hint


def test_regions_of_the_wrong_size(tmp_path: Path) -> None:
    clip = spots(tmp_path)
    (hint,) = hints(clip, spots__min_area=300)
    assert "3 regions a frame were left out: smaller than spots.min_area = 300" in hint
    (hint,) = hints(clip, spots__min_area=1, spots__max_area=4)
    assert "3 regions a frame were left out: larger than spots.max_area = 4" in hint


def test_a_tracker_that_ignores_all_features(tmp_path: Path) -> None:
    clip = spots(tmp_path)
    (hint,) = hints(clip, follow__min_mass=1e6)
    assert "follow.min_mass = 1e+06" in hint
    assert 0 < float(hint.rpartition("--set follow.min_mass=")[2]) < 100
    (hint,) = hints(clip, follow__min_area=500.0)
    assert "follow.min_area = 500" in hint


def test_more_sightings_asked_for_than_there_are(tmp_path: Path) -> None:
    clip = spots(tmp_path, frames=30, step=4.9)  # each leaves after 30 frames
    (hint,) = hints(clip, follow__min_hits=30)
    assert "in 30 frames of one track" in hint


def test_no_tracker(tmp_path: Path) -> None:
    (tmp_path / "mask.toml").write_text('[stages.gray]\n[stages.bright]\nuse = "threshold"\nlevel = 40\n')
    (hint,) = hints(spots(tmp_path), str(tmp_path / "mask.toml"))
    assert "no tracker" in hint


def test_nothing_stands_out(tmp_path: Path) -> None:
    clip = spots(tmp_path, things=0, noise=4.0)
    (hint,) = hints(clip)
    assert "nothing stands out from the noise" in hint
    assert "--set" not in hint
    flat = np.full((5, 20, 30), 9, np.uint8)
    np.save(tmp_path / "flat.npy", flat)
    assert "there is nothing in it" in hints(str(tmp_path / "flat.npy"))[0]


@pytest.mark.parametrize(("depth", "asked"), [(6.0, "bright"), (-6.0, "bright"), (60.0, "bright"), (60.0, "dark")])
def test_the_proposed_level_finds_the_things_and_not_the_noise(tmp_path: Path, depth: float, asked: str) -> None:
    clip = spots(tmp_path, depth=depth, noise=0.5)
    wrong = {"bright__polarity": asked, "spots__polarity": asked, "bright__level": 0.5 if asked == "bright" else -0.5}
    hint = hints(clip, **wrong)[0]
    assert tried(clip, hint, tmp_path / "o") == 3
    assert ("polarity" in hint) == ((depth > 0) != (asked == "bright"))


def test_what_was_left_out_is_said_even_where_other_things_were_followed(tmp_path: Path) -> None:
    y, x = np.mgrid[:96, :160]
    large, small = (x - 60) ** 2 + (y - 48) ** 2 < 25**2, (x - 130) ** 2 + (y - 40) ** 2 < 49
    clip = np.where(large | small, 200, 20)
    np.save(tmp_path / "two.npy", np.repeat(clip[None].astype(np.uint8), 5, 0))
    (hint,) = hints(str(tmp_path / "two.npy"), "objects", tracks=1, bodies__max_area=1000)
    assert "1 region a frame was left out: larger than bodies.max_area = 1000" in hint
    assert re.search(r"1000 px; the largest has 2\d\d\d\)", hint)
    (hint,) = hints(str(tmp_path / "two.npy"), "objects", tracks=1, bodies__max_share=0.1)
    assert "larger than bodies.max_share = 0.1 allows (1536 px;" in hint
    assert not hints(str(tmp_path / "two.npy"), "objects", tracks=2)
    ruler = np.where((x < 24) | large | small, 200, 20)  # across the picture: no thing, whatever its size
    np.save(tmp_path / "ruler.npy", np.repeat(ruler[None].astype(np.uint8), 5, 0))
    assert not hints(str(tmp_path / "ruler.npy"), "objects", tracks=2, bodies__max_area=2200)
    (hint, *_) = hints(str(tmp_path / "ruler.npy"), "objects", mask__level=0.05)  # all of it is ground
    assert "try --set mask.level=0.255" in hint
    outcome = run_clip(str(tmp_path / "two.npy"), "objects", out=tmp_path / "o", overlay=False)
    assert len(outcome.summary["tracks"]["list"]) == 2  # the default leaves nothing out because it is large


def test_a_level_within_the_noise_is_named_where_there_are_many_tracks(tmp_path: Path) -> None:
    clip = spots(tmp_path)
    (hint,) = hints(clip, tracks=80, bright__level=0.0001)
    assert "bright.level = 0.0001 lies within the noise" in hint
    assert tried(clip, hint, tmp_path / "o") == 3
    assert not hints(clip, tracks=80)
    assert not hints(clip, tracks=5, bright__level=0.0001)


def test_levels_from_the_noise() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(3.0, 0.5, 100_000)
    response = Response.of(noise)
    assert response.noise == pytest.approx(0.5, rel=0.02)
    assert response.mere_noise()
    noise[:40] += 40
    response = Response.of(np.append(noise, [np.nan, np.inf]))
    assert not response.mere_noise()
    assert 6.0 < response.level(True) < 20
    halves = Response.of(np.repeat([10.0, 90.0], 500) + rng.normal(0, 1, 1000))
    assert not halves.mere_noise()
    assert 30 < halves.level(True) < 70


def test_few_tracks_where_most_things_do_not_reach_the_level(tmp_path: Path) -> None:
    """Twelve-bit values in sixteen bits: here and there one passes by chance, and the rest is lost without a word."""
    clip = spots(tmp_path, frames=40, things=3)
    pixels = np.load(clip).astype(np.int64) * 16
    pixels[2:8, :40, :] += (pixels[2:8, :40, :] - 2000).clip(0) * 8  # one of them flashes
    np.save(clip, pixels.astype(np.uint16))
    fixed_level = {"bright.level": 0.03, "bright.polarity": "bright"}
    outcome = run_clip(clip, "blobs", settings=fixed_level, out=tmp_path / "first", overlay=False)
    assert len(outcome.summary["tracks"]["list"]) == 1
    (hint,) = outcome.summary["hints"]
    assert "3 regions stand out from the noise, and 0 pass bright.level = 0.03" in hint
    assert tried(clip, hint, tmp_path / "second") == 3
    assert len(run_clip(clip, "blobs", out=tmp_path / "third", overlay=False).summary["tracks"]["list"]) == 3


def test_a_level_that_lets_enough_through_is_not_doubted(tmp_path: Path) -> None:
    clip = spots(tmp_path, frames=40)
    assert run_clip(clip, "blobs", out=tmp_path / "out", overlay=False).summary["hints"] == []
    # A thing that shows for a moment only: few rows, and nothing else that stands out.
    pixels = np.load(clip)
    pixels[5:] = 120 + np.random.default_rng(2).normal(0, 1, pixels[5:].shape).round()
    np.save(clip, pixels.astype(np.uint8))
    assert run_clip(clip, "blobs", out=tmp_path / "out", overlay=False).summary["hints"] == []


@pytest.mark.parametrize("depth", [80, -80])
def test_spots_wider_than_their_windows(tmp_path: Path, depth: float) -> None:
    dark = {} if depth > 0 else {"bright__polarity": "dark", "bright__level": -0.03, "spots__polarity": "dark"}
    clip = spots(tmp_path, size=4.0, depth=depth)
    (hint,) = hints(clip, tracks=3, **dark)
    width = float(re.findall(r"some (\S+) px wide", hint)[0])
    assert width == pytest.approx(4.0, rel=0.05)
    assert "spots.refine_sigma = 1.4 px" in hint
    settings = {name.replace(".", "__"): float(value) for name, value in re.findall(r"--set (\S+?)=(\S+)", hint)}
    factor = width / 1.4
    assert settings == pytest.approx({"spots__refine_sigma": width, "spots__split": 2.5 * factor,
                                      "band__sigma": 1.2 * factor}, rel=0.05)  # fmt: skip
    assert not hints(clip, tracks=3, **{**dark, **settings})


@pytest.mark.parametrize("size", [1.0, 1.6, 2.5])
def test_spots_that_fit_their_windows_are_nothing_to_tell(tmp_path: Path, size: float) -> None:
    assert not hints(spots(tmp_path, size=size), tracks=3)


@pytest.mark.parametrize("radius", [3.0, 5.0, 8.0])
@pytest.mark.parametrize("pipeline", ["blobs", "facial-markers"])
def test_things_with_flat_tops_are_told_by_their_regions(tmp_path: Path, radius: float, pipeline: str) -> None:
    rng = np.random.default_rng(1)
    y, x = np.mgrid[:96, :160]
    clip = 60.0 + rng.normal(0, 1, (12, 96, 160))
    for k, t in np.ndindex(3, 12):
        away = np.hypot(x - 30 - 40 * k - t, y - 48)
        clip[t] += 100 / (1 + np.exp(np.clip((away - radius) / 0.5, -50, 50)))
    np.save(tmp_path / "clip.npy", np.clip(np.round(clip), 0, 255).astype(np.uint8))
    assert not hints(str(tmp_path / "clip.npy"), pipeline, tracks=3)


@pytest.mark.parametrize(("snr", "found"), [(20, "none"), (30, "specks"), (33, "some")])
def test_faint_particles_have_the_level_named_that_finds_them(snr: float, found: str) -> None:
    """None of them reaches the level, the tips of some do (too small to be kept), or some reach it at times."""
    clip = f"sim:brownian?snr={snr}&frames=40&count=20&width=192&height=160"
    with closing(open_source(clip)) as source:
        bound = prepare(fixed("blobs"), source, None)
        rows = 60 if found == "some" else None
        hints = run_hints(source, bound, 0, 40, 3 if found == "some" else 0, rows)
    text = " ".join(hints)
    assert ("smaller than spots.min_area" in text) == (found == "specks")
    level = float(text.split("--set bright.level=")[1].split()[0].rstrip(";,"))
    assert 0.003 < level < 0.012


def test_pictures_that_have_no_room_are_told_before_the_run(monkeypatch):
    bound = bind(fixed("blobs"), ImageType(U8, 300, 400))
    engine = Engine(bound, executor("reference"))
    assert room.room_hints(engine, 2) == []
    monkeypatch.setattr(room, "free_memory", lambda: 1e6)
    (hint,) = room.room_hints(engine, 2)
    assert "2 of 400x300 take" in hint
    assert "0.001 GB" in hint
    assert "--roi" in hint


def test_layers_of_networks_are_looked_at_in_machine_code() -> None:
    """The reference would take minutes for what took a run a second."""
    source = open_source("sim:targets?width=64&height=48&count=2&frames=3&seed=5")
    with closing(source):
        bound = prepare(load("quadrant-targets"), source)
        (ref,) = (ref for tracker in bound.trackers for ref in tracker.inputs.values())
        engine = looking(bound, [ref])
        assert engine.executor.name == "cpu"
        assert len(engine.units) < len(bound.nodes) / 3
        assert looking(prepare(fixed("blobs"), source), [Ref(SOURCE)]).executor.name == "reference"
        seen = look_at(source, bound, 0, 3, [ref]).values[ref]
        exact = Engine(bound, executor("reference"), (ref,))
        pixels = np.stack([source.read(k) for k in range(3)])
        wanted = exact.step(FrameBatch(np.arange(3), np.arange(3) / 1000, pixels))[ref]
    assert [rows.tobytes() for rows in seen] == [table.rows.tobytes() for table in wanted]


NETWORK = """
[stages.gray]
[stages.even]
use = "local_contrast"
size = 25
floor = 0.005
[stages.heat]
use = "network"
model = "shipped:quadrant_targets.onnx"
normalize = "none"
[stages.found]
use = "heatmap_peaks"
instances = 64
[trackers.follow]
use = "keypoints"
inputs = "found.points"
sorting = "peak"
"""


@pytest.mark.parametrize(("settings", "said"), [
    ({"follow.min_score": 1.0}, r"than follow asks: follow.min_score = 1, .* about 0\.[89]\d?: try"),
    ({"found.threshold": 5.0}, r"heat reaches (0|1)\.?\d*, .* than found.threshold = 5: .*\(normalize\)\? Or try"),
])  # fmt: skip
def test_a_network_that_is_less_sure_than_asked(tmp_path: Path, settings: dict[str, object], said: str) -> None:
    (tmp_path / "net.toml").write_text(NETWORK)

    def run(changes: dict[str, object]) -> tuple[list[str], int]:
        clip, file = "sim:targets?width=160&height=120&count=4&seed=5", str(tmp_path / "net.toml")
        outcome = run_clip(clip, file, frames=(0, 12), settings=changes, out=tmp_path / "out", overlay=False)
        return outcome.summary["hints"], len(outcome.summary["tracks"]["list"])

    (hint,), none = run(settings)
    assert none == 0
    assert re.search(said, hint)
    proposed = {name: float(value) for name, value in re.findall(r"--set (\S+)=([\d.]+)", hint)}
    highest = float(re.findall(r"(?:about|reaches) (\d\.?\d*)[:,]", hint)[-1])
    assert {round(value / highest, 1) for value in proposed.values()} == {0.5}
    assert run(settings | proposed)[1] >= 3
