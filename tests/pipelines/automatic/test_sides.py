"""On which side of their ground regions are whose mask does not tell."""

from __future__ import annotations

import numpy as np
import pytest

from app.benchmark.trackers.ours import run_of
from app.benchmark.trackers.scenes import Clip, Scene
from pipelines.automatic import sides
from pipelines.automatic.settling import settle_on
from pipelines.automatic.sides import brighter_inside
from pipelines.definition import load, loads
from pipelines.evaluation.complete import evaluate_all


def rings(*values: float) -> tuple[np.ndarray, np.ndarray]:
    """A thing of 5 x 5 px and its mask; around it frames of 1 px with these values, the last one goes on."""
    y, x = np.mgrid[:41, :41]
    far = np.maximum(np.maximum(abs(x - 20), abs(y - 20)) - 2, 0)
    return far == 0, np.array([*values])[np.minimum(far, len(values) - 1)].astype(np.float32)


@pytest.mark.parametrize("value", [0.0, 200.0])
def test_a_thing_is_compared_with_what_is_near(value: float) -> None:
    mask, picture = rings(100.0, 100.0, 50.0, 50.0, value)
    assert brighter_inside([mask], [picture], 1, 100)
    assert not brighter_inside([mask], [-picture], 1, 100)


@pytest.mark.parametrize(("around", "bright"), [(1, False), (3, True), (6, False)])
def test_so_near(around: int, bright: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rim is brighter than the thing, and so is what is far off: neither is its ground."""
    assert sides.AROUND == 3
    monkeypatch.setattr(sides, "AROUND", around)
    mask, picture = rings(100.0, 150.0, 50.0, 50.0, 200.0)
    assert brighter_inside([mask], [picture], 1, 100) == bright


@pytest.mark.parametrize(("regions", "bright"), [(16, False), (32, True), (64, False)])
def test_the_largest_count(regions: int, bright: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 64 the 20 largest are a little darker than the ground, the next ones brighter, small ones far darker."""
    assert sides.REGIONS == 32
    monkeypatch.setattr(sides, "REGIONS", regions)
    picture = np.full((160, 160), 100.0, np.float32)
    for k in range(64):
        y, x = 20 * (k // 8), 20 * (k % 8)
        side, value = (8, 90.0) if k < 20 else (7, 180.0) if k < 32 else (6, 0.0)
        picture[y + 5 : y + 5 + side, x + 5 : x + 5 + side] = value
    assert brighter_inside([picture != 100.0], [picture], 1, 100) == bright


def test_sizes_that_do_not_count_and_numbers_that_are_none() -> None:
    mask, picture = rings(100.0, 50.0)
    picture[0, 0], mask[0, 0] = 0.0, True
    picture[20, 20] = np.nan
    assert brighter_inside([mask], [picture], 4, 100)
    assert brighter_inside([mask], [-picture], 26, 100)  # none is left: bright, as without "auto"
    assert brighter_inside([np.zeros_like(mask)], [picture], 1, 100)


@pytest.mark.parametrize(("name", "node", "spec", "frames"), [
    ("facial-markers", "markers", "face?flicker=0", 60), ("background-motion", "bodies", "ball?flicker=0", 250),
])  # fmt: skip
def test_dark_things_are_centred_as_well_as_bright_ones(name: str, node: str, spec: str, frames: int) -> None:
    errors = []
    for side in ("bright", "dark"):
        clip = Clip(Scene(f"{spec}&seed=44", "things", frames))
        if side == "dark":
            clip.pixels = 255 - clip.pixels
        settled = settle_on(load(name), clip)
        assert settled.found[f"{node}.polarity"] == side
        assert any(f"{node}.polarity = dark" in text for text in settled.words) == (side == "dark")
        errors.append(evaluate_all(run_of(load(name), clip)(), clip.truth).clear.rmse)
    assert errors[1] < 1.2 * errors[0]


@pytest.mark.parametrize(("weights", "side"), [("source", "dark"), ("edges", "bright"), ("edges.magnitude", "bright")])
def test_the_light_is_that_of_the_region_by_any_name_of_it(weights: str, side: str) -> None:
    """A dark thing in a region of the picture, and edges, which are called after their stage or by their name."""
    pipeline = loads(f"""
[stages.edges]
use = "gradient"
inputs = "source"
[stages.rim]
use = "threshold"
inputs = "edges.magnitude"
level = 0.2
[stages.things]
use = "components"
inputs = {{ mask = "rim", weights = "{weights}" }}
polarity = "auto"
[trackers.follow]
use = "blob"
inputs = "things"
""")
    clip = Clip(Scene("ball?seed=1", "things", 3))
    clip.pixels = np.full_like(clip.pixels, 200)
    clip.pixels[:, 30:42, 60:72], clip.pixels[:, 10:22, 20:32] = 40, 250
    assert settle_on(pipeline, clip, (40, 20, 40, 40)).found["things.polarity"] == side


def test_of_a_clip_that_is_recorded_too() -> None:
    """Its ground begins with what most of the first frames have, which takes more of them than are looked at."""
    clip = Clip(Scene("ball?seed=1", "things", 60))
    height, width = clip.pixels.shape[1:3]
    y, x = np.mgrid[:height, :width]
    noise = np.random.default_rng(0)
    for k, picture in enumerate(clip.pixels):
        dark = np.hypot(x - 20 - 0.4 * k, y - 20) < 5
        picture[...] = np.where(dark, 50, 180 + noise.normal(0, 2, dark.shape)).reshape(picture.shape)
    assert settle_on(load("background-motion"), clip, whole=False).found["bodies.polarity"] == "dark"
