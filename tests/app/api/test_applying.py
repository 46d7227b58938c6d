"""`fusetrack.apply` and `fusetrack.stages`: arrays through stages and pipelines, the reference's bits."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from app import launcher as fusetrack
from kernels.errors import InputError
from kernels.executors.reference import evaluate_clip
from kernels.plugins import find_stage, registry
from tests.app.api.moving import spots


@pytest.fixture(scope="module")
def frames() -> np.ndarray:
    return spots(6)


@pytest.mark.parametrize(
    ("stage", "parameters"),
    [("gaussian", {"sigma": 1.5}), ("box", {}), ("background", {"alpha": 0.1}), ("difference", {}), ("gradient", {}),
     ("threshold", {"level": 60}), ("peaks", {"threshold": 60}), ("moments", {}), ("crop", {"width": 20})],
)  # fmt: skip
def test_a_stage_gives_the_bits_of_the_reference(frames: np.ndarray, stage: str, parameters: dict[str, Any]) -> None:
    ours, theirs = fusetrack.apply(frames, stage, **parameters), evaluate_clip(find_stage(stage), frames, **parameters)
    if not isinstance(theirs, dict):
        ours, theirs = {"out": ours}, {"out": theirs}
    assert [*ours] == [*theirs]
    for name, values in theirs.items():
        if isinstance(values, list):
            assert [one.tobytes() for one in ours[name]] == [one.rows.tobytes() for one in values]
        else:
            assert ours[name].dtype == values.dtype
            np.testing.assert_array_equal(ours[name], values)


def test_stages_are_functions_of_pictures(frames: np.ndarray) -> None:
    whole = fusetrack.apply(frames, "gaussian", sigma=2)
    np.testing.assert_array_equal(fusetrack.stages.gaussian(frames, sigma=2), whole)
    np.testing.assert_array_equal(fusetrack.stages["gaussian"](frames[3], sigma=2), whole[3])
    assert {*fusetrack.stages} == {*registry()}
    assert len(fusetrack.stages) == len(registry())
    assert "gaussian" in fusetrack.stages
    assert "gaussian" in repr(fusetrack.stages)
    assert "gaussian" in dir(fusetrack.stages)
    function = fusetrack.stages.gaussian
    assert [*inspect.signature(function).parameters] == ["image", "sigma", "size", "border", "border_value"]
    assert "sigma = 1.0 px (0.1..50): standard deviation" in function.__doc__


def test_colours_come_and_go_with_red_first(frames: np.ndarray) -> None:
    rgb = np.stack([frames, frames // 2, frames // 3], axis=-1)
    made = fusetrack.apply(rgb, "box")
    assert made.shape == rgb.shape
    np.testing.assert_array_equal(fusetrack.apply(rgb[..., ::-1], "box", color="bgr"), made)
    np.testing.assert_array_equal(fusetrack.apply(rgb, "gray"), evaluate_clip(find_stage("gray"), rgb))
    one = fusetrack.apply(rgb[0], "gray")
    assert one.shape == (64, 80)


def test_other_inputs_of_a_stage_are_keywords(frames: np.ndarray) -> None:
    mask, weights = frames > 60, frames.astype(np.float32)
    theirs = evaluate_clip(find_stage("components"), mask, weights, min_area=5)
    ours = fusetrack.apply(mask, "components", weights=weights, min_area=5)
    assert [one.tobytes() for one in ours] == [one.rows.tobytes() for one in theirs]
    assert len(ours[0]) == 3
    slow = fusetrack.apply(mask, "components", weights=weights, min_area=5, device="reference")
    assert [one.tobytes() for one in slow] == [one.tobytes() for one in ours]
    alone = fusetrack.stages.components(mask[0], weights=weights[0], min_area=5)
    assert alone.tobytes() == ours[0].tobytes()


def test_taps_of_a_pipeline(frames: np.ndarray) -> None:
    pipeline = fusetrack.Pipeline().gray().gaussian(sigma=1).threshold(level=60).components()
    last = fusetrack.apply(frames, pipeline)
    assert [len(one) for one in last] == [3] * 6
    both = fusetrack.apply(frames, pipeline, taps=["gaussian", "threshold"])
    assert {name: (one.shape, one.dtype) for name, one in both.items()} == {
        "gaussian": (frames.shape, np.float32), "threshold": (frames.shape, np.bool_)}  # fmt: skip
    np.testing.assert_array_equal(both["threshold"], both["gaussian"] > 60)
    np.testing.assert_array_equal(fusetrack.apply(frames, pipeline, taps="gaussian"), both["gaussian"])
    assert [*fusetrack.apply(frames, pipeline, taps=["gaussian"])] == ["gaussian"]
    kept = pipeline.with_taps("gaussian", "threshold")
    np.testing.assert_array_equal(fusetrack.apply(frames, kept)["threshold"], both["threshold"])
    parts = fusetrack.apply(frames, fusetrack.Pipeline().gradient(), taps=["gradient.y"])
    np.testing.assert_array_equal(parts["gradient.y"], fusetrack.apply(frames, "gradient")["y"])
    found = fusetrack.apply(frames, "blobs", taps="bright", settings={"band.sigma": 1.0}, ratio=2.0)
    assert found.dtype == np.bool_


def test_parts_of_a_clip_are_taken(frames: np.ndarray) -> None:
    clip = fusetrack.open(frames)
    np.testing.assert_array_equal(fusetrack.apply(clip[1:5:2], "box"), fusetrack.apply(frames[1:5:2], "box"))


@pytest.mark.parametrize(
    ("stage", "parameters", "words"),
    [
        ("gausian", {}, "there is no stage, pipeline or file 'gausian'; did you mean 'gaussian'?"),
        ("blob", {}, "blob is a tracker; fusetrack.track"),
        ("gaussian", {"sgima": 2}, "gaussian has no parameter 'sgima'; did you mean 'sigma'?"),
        ("gaussian", {"sigma": -2}, "gaussian.sigma = -2 is outside its range 0.1..50 px"),
        ("gaussian", {"taps": ["x"]}, "gaussian is a stage, whose parameters are keywords"),
        ("refine", {}, "refine needs an input 'image'"),
        ("components", {"weights": np.zeros((2, 64, 80))}, "as many frames as weights as before it: 6, not 2"),
        ("components", {"weights": "x.npy"}, "x.npy does not exist"),
        ("components", {"mask": np.zeros((6, 64, 80))}, "components takes mask as the first argument"),
        ("blobs", {"taps": "bnad"}, "there is no node 'bnad'; did you mean 'band'?"),
        ("blobs", {"levels": 3}, "did you mean level=?"),
        ("network", {"model": "nix.onnx"}, "there is no model nix.onnx"),
    ],
)
def test_mistakes_are_said_in_a_sentence(
    frames: np.ndarray, stage: str, parameters: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        fusetrack.apply(frames, stage, **parameters)
    assert words in str(caught.value)


def test_a_stage_that_there_is_not_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="did you mean 'gaussian'"):
        fusetrack.stages.gausian  # noqa: B018
    with pytest.raises(InputError, match="2147483647 is the largest"):
        fusetrack.apply(np.full((2, 8, 8), 2**32 - 1, np.uint32), "box")
