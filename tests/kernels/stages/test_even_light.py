"""Frames brought to the light of one, and broken pixels."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.base import compiled, executor
from kernels.executors.reference import evaluate, evaluate_clip
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.table import TableType
from kernels.stages.background import background
from kernels.stages.light import SIDE, light
from kernels.stages.relight import MOST, relight
from kernels.stages.repair import repair
from pipelines.definition import loads
from pipelines.graph import bind

RNG = np.random.default_rng(0)


def test_light_is_the_mean_of_pixels_that_are_always_the_same() -> None:
    frame = RNG.integers(0, 4096, (300, 500)).astype(np.uint16)
    found = evaluate(light, frame, bits=12)
    assert found.shape == (1, 1)
    assert found[0, 0] == pytest.approx(np.sort(frame, axis=None)[: int(0.95 * frame.size)].mean() / 4095, rel=0.03)
    rows, columns = -(-300 // SIDE), -(-500 // SIDE)
    other = frame.copy()
    other[rows // 2 :: rows, columns // 2 :: columns] = 4095
    assert evaluate(light, other, bits=12)[0, 0] == pytest.approx(1.0)


def test_light_of_colours_and_of_what_is_no_number() -> None:
    assert evaluate(light, np.full((4, 4, 3), (0, 51, 102), np.uint8))[0, 0] == pytest.approx(0.2, rel=0.05)
    spots = np.full((40, 50), 10, np.uint8)
    dark = evaluate(light, spots)[0, 0]
    spots[:2] = 255  # a twenty-fifth of the picture
    assert evaluate(light, spots)[0, 0] == dark
    frame = np.full((4, 4), 0.25, np.float32)
    frame[0] = np.nan, np.inf, -np.inf, 0.25
    assert evaluate(light, frame)[0, 0] == 0.25
    assert evaluate(light, np.full((2, 2), np.nan, np.float32))[0, 0] == 0.0
    mask = np.zeros((4, 5), bool)
    mask[0, :3] = True
    assert evaluate(light, mask)[0, 0] == np.float32(2 / 19)  # one of twenty pixels is the brightest twentieth
    with pytest.raises(DefinitionError, match="an image"):
        light.build([TableType((("x", F32),), 4)])


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int32, np.float32])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (4, 5), (7, 3), (64, 64), (3, 4, 3)])
def test_light_is_the_exact_mean_of_the_darker_pixels(kind: type[np.generic], shape: tuple[int, ...]) -> None:
    """By whole sums, of each frame of a batch, ties and all values alike included."""
    for most in (0, 1, 255):
        frames = RNG.integers(0, most + 1, (3, *shape)).astype(kind)
        white = 1.0 if kind is np.float32 else float(np.iinfo(kind).max)
        count = math.ceil(0.95 * frames[0].size)
        right = [np.float32(int(np.sort(frame, axis=None)[:count].sum(dtype=np.float64)) / (count * white))
                 for frame in frames]  # fmt: skip
        assert [one.item() for one in evaluate_clip(light, frames)] == [one.item() for one in right]


def test_frames_of_one_scene_become_the_same() -> None:
    scene, lamp = RNG.uniform(0, 1, (5, 24, 40)), np.array([1.0, 0.3, 0.7, 0.0001, 0.0])
    scene[:] = scene[0]
    clip = (scene * lamp[:, None, None]).astype(np.float32)
    lights = lamp.astype(np.float32).reshape(5, 1, 1) * np.float32(0.5)
    out = evaluate_clip(relight, clip, lights, reference=0.5)
    assert np.allclose(out[:3], scene[:3], rtol=1e-6)
    assert np.allclose(out[3], clip[3] * MOST)  # and no brighter than that
    assert np.array_equal(out[4], np.zeros((24, 40)))
    body = relight.build([ImageType(F32, 24, 40), ImageType(F32, 1, 1)], {"reference": 0.5})
    program = compiled(executor("cpu"), body)
    assert np.array_equal(program.run([clip, lights], {})["out"], out)


def test_without_a_reference_nobody_looks_at_the_light() -> None:
    """The stage that measures it is left out, and the frames are the same array."""
    pipeline = loads('taps = ["even"]\n[stages.lamp]\nuse = "light"\n[stages.even]\nuse = "relight"\n'
                     'inputs = { image = "source", light = "lamp" }\nreference = 0.0\n')  # fmt: skip
    bound = bind(pipeline, ImageType(U8, 20, 30))
    (even,) = (node for node in bound.nodes if node.id == "even")
    assert even.inputs[1] is None
    other = bind(pipeline.with_settings({"even.reference": 0.5}), ImageType(U8, 20, 30))
    assert other.nodes[-1].inputs[1] is not None


def test_broken_pixels_are_what_stands_beside() -> None:
    frame = RNG.integers(0, 200, (12, 16, 3)).astype(np.uint8)
    points = ((3, 4), (0, 0), (15, 11), (40, 2))
    out = evaluate(repair, frame, points=points)
    changed = np.argwhere((out != frame).any(axis=2))
    assert set(map(tuple, changed.tolist())) <= {(4, 3), (0, 0), (11, 15)}
    a, b, c, d = (frame[y, x].astype(int) for y, x in ((4, 2), (4, 4), (3, 3), (5, 3)))
    assert np.array_equal(out[4, 3], np.minimum(np.maximum(a, b), np.maximum(c, d)))
    assert out.dtype == frame.dtype
    with pytest.raises(DefinitionError, match="at most 64"):
        repair.build([ImageType(U8, 9, 9)], {"points": tuple((k, 0) for k in range(65))})


def test_a_mean_that_begins_with_all_that_was_seen() -> None:
    """With burn_in the n-th frame weighs 1/n: what was there in the first alone is a tenth in the tenth."""
    clip = np.full((30, 4, 6), 100.0, np.float32)
    clip[0] = 200.0
    soon, late = (evaluate_clip(background, clip, alpha=0.05, min_sigma=50.0, burn_in=burn) for burn in (True, False))
    assert soon["mean"][9, 0, 0] == pytest.approx(110.0, rel=1e-5)
    assert soon["mean"][19, 0, 0] == pytest.approx(105.0, rel=1e-5)
    assert soon["mean"][29, 0, 0] == pytest.approx(100 + 5.0 * 0.95**10, rel=1e-5)  # by alpha from then on
    assert late["mean"][9, 0, 0] == pytest.approx(100 + 100 * 0.95**9, rel=1e-5)
    assert soon["change"][1, 0, 0] == -100.0
    assert np.array_equal(soon["change"][1:], clip[1:] - soon["mean"][:-1])


@pytest.mark.parametrize("change", ["both", "darker", "brighter"])
def test_a_shadow_has_the_same_contrast_before_any_ground(change: str) -> None:
    """Of what is brighter the contrast is the change: it adds light of its own."""
    ground, shadow = RNG.uniform(20, 200, (6, 8)).astype(np.float32), RNG.uniform(0, 0.9, (6, 8)).astype(np.float32)
    clip = np.stack((ground, ground * (1 - shadow), np.zeros_like(ground)))
    out = evaluate_clip(background, clip, alpha=0.05, min_sigma=0.0, change=change)
    if change == "brighter":
        assert np.array_equal(out["contrast"], out["change"])
        assert np.array_equal(out["weight"], clip.astype(np.float32))  # what centres are weighed by
    else:
        np.testing.assert_allclose(out["contrast"][1], -shadow, rtol=1e-5, atol=1e-6)
        back = evaluate_clip(background, clip[1::-1], alpha=0.05, min_sigma=0.0, change=change)  # what it leaves behind
        np.testing.assert_allclose(back["contrast"][1], shadow, rtol=1e-5, atol=1e-6)
    assert np.isfinite(evaluate_clip(background, np.zeros_like(clip), min_sigma=0.0, change=change)["contrast"]).all()
