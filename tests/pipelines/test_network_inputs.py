"""Models with several inputs: images of the pipeline by name, constants by value; lengths that the file leaves open."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from pipelines.definition import loads
from pipelines.frame import FrameBatch
from pipelines.graph import Ref, bind
from pipelines.streaming.engine.engine import Engine
from tests.networks import judge
from tests.onnx_files import model, node

W = np.random.default_rng(0).standard_normal((3, 2, 3, 3)).astype(np.float32)
NODES = [node("Concat", ["a", "b"], ["j"], axis=1), node("Conv", ["j", "w"], ["c"], pads=[1, 1, 1, 1]),
         node("Mul", ["c", "scale"], ["d"]), node("Add", ["d", "shift"], ["y"])]  # fmt: skip
KINDS = {"a": ("float32", (1, 1, "h", "w")), "b": ("float32", (1, 1, "h", "w")), "scale": ("float32", ()),
         "shift": ("float32", (3, 1, 1))}  # fmt: skip
SOURCE = ImageType(U8, 10, 12)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "two.onnx").write_bytes(model(NODES, KINDS, ["y"], {"w": W}))
    return tmp_path / "two.onnx"


def bound_of(file, feed, wires='inputs = { image = "source", second = "neg" }'):
    text = f"""
name = "n"
taps = ["net"]
[stages.neg]
use = "invert"
[stages.net]
use = "network"
{wires}
model = "{file}"
feed = "{feed}"
"""
    return bind(loads(text), SOURCE)


def test_two_images_and_constants(file):
    bound = bound_of(file, "a = image; b = second; scale = 0.5; shift = 1 -2 3")
    frames = np.random.default_rng(1).integers(0, 255, (2, *SOURCE.shape), np.uint8)
    engine = Engine(bound, executor("cpu"))
    found = engine.step(FrameBatch(np.arange(2), np.arange(2) / 100, frames))[Ref("net")]
    session = judge(file)
    if session is None:
        pytest.skip("onnxruntime is not installed")
    for frame, made in zip(frames, found, strict=True):
        given = {"a": frame[None, None].astype("f4") / 255, "b": (255 - frame)[None, None].astype("f4") / 255,
                 "scale": np.array(0.5, np.float32),
                 "shift": np.array([1, -2, 3], np.float32).reshape(3, 1, 1)}  # fmt: skip
        (wanted,) = session.run(None, given)
        assert np.allclose(np.asarray(made).transpose(2, 0, 1), wanted[0], atol=1e-5)


def test_one_image_may_go_into_both(file):
    bound = bound_of(file, "a = image; b = image; scale = 2; shift = 0", 'inputs = "source"')
    assert bound.types[Ref("net")].channels == 3


@pytest.mark.parametrize(
    ("feed", "sentence"),
    [
        ("", r"takes 4 inputs \('a', 'b', 'scale', 'shift'\); say by `feed`"),
        ("a = image", "nothing goes into 'b', 'scale', 'shift'"),
        ("a = image; b = third; scale = 1; shift = 0", "'third', which is no connected image"),
        ("a = image; b = image; scale = 1 2; shift = 0", "'scale' takes 1 numbers, not 2"),
        ("a = image; b = image; scale = x+; shift = 0", "takes numbers or the name of an image"),
        ("a = image; a = image", "is no input of the model"),
        ("nothing", "is no input of the model"),
        ("a = 1; b = 1; scale = 1; shift = 0", "no image goes into the model"),
    ],
)
def test_what_does_not_fit_is_said(file, feed, sentence):
    with pytest.raises(DefinitionError, match=sentence):
        bound_of(file, feed)


@pytest.mark.parametrize("size", [(10, 12), (7, 33), (1, 1)])
def test_open_lengths_are_those_of_the_frame(tmp_path, size):
    nodes = [node("Cast", ["x"], ["f"], to=1),
             node("MaxPool", ["f"], ["p"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
             node("Shape", ["p"], ["s"]), node("Resize", ["p", "", "", "s"], ["y"])]  # fmt: skip
    (tmp_path / "u8.onnx").write_bytes(model(nodes, {"x": ("uint8", ("n", 1, "height", "width"))}, ["y"]))
    text = f'name = "n"\ntaps = ["net"]\n[stages.net]\nuse = "network"\nmodel = "{tmp_path / "u8.onnx"}"\n'
    bound = bind(loads(text), ImageType(U8, *size))
    frames = np.random.default_rng(1).integers(0, 255, (1, *size), np.uint8)
    made = Engine(bound, executor("reference")).step(FrameBatch(np.arange(1), np.zeros(1), frames))[Ref("net")][0]
    padded = np.pad(frames[0].astype("f4"), 1, constant_values=-1)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    assert np.array_equal(made, windows.max((2, 3)))
