"""Random pipelines of networks and shipped stages: in any groups, batches and threads, the reference's bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.base import executor
from pipelines.fusing import largest_groups
from pipelines.planning.devices import this_cpu
from pipelines.planning.planner import planner_of
from pipelines.streaming.engine.engine import Engine
from tests.onnx_files import model, node
from tests.pipelines.drawn import bounds, frames, groupings
from tests.pipelines.test_random_pipelines import equal, run, source_of

FRAMES = 3
RNG = np.random.default_rng(6)


def weights(*shape: int) -> np.ndarray:
    return (RNG.standard_normal(shape) / 3).astype(np.float32)


CONSTANTS = {"one": weights(5, 1, 3, 3), "three": weights(6, 3, 3, 3), "each": weights(6, 1, 3, 3),
             "point": weights(3, 6, 1, 1), "wide": weights(1, 5, 5, 3), "slope": weights(3, 1, 1),
             "low": np.float32(0.4), "none": np.float32(np.nan), "lines": np.array([0, 5, -1]), "two": np.array([2]),
             "up": weights(6, 1, 2, 2), "s": np.array([1, 1, 2, 2], np.float32)}  # fmt: skip
NETWORKS = {
    "a heat map of gray": (1, ("y",), [
        node("Conv", ["x", "one"], ["a"], pads=[1, 1, 1, 1]), node("Sigmoid", ["a"], ["b"]),
        node("Conv", ["b", "wide"], ["y"], pads=[2, 1, 2, 1])]),
    "a depthwise and a pointwise one with a sum": (3, ("y",), [
        node("Conv", ["x", "three"], ["a"], pads=[1, 1, 1, 1]), node("Relu", ["a"], ["b"]),
        node("Conv", ["b", "each"], ["c"], pads=[1, 1, 1, 1], group=6), node("Conv", ["c", "point"], ["d"]),
        node("Add", ["d", "x"], ["e"]), node("PRelu", ["e", "slope"], ["y"])]),
    "siblings, one of half the size": (1, ("y", "z"), [
        node("Conv", ["x", "one"], ["a"], pads=[0, 0, 2, 2]), node("Conv", ["a", "wide"], ["y"], pads=[2, 1, 2, 1]),
        node("Conv", ["x", "one"], ["c"], pads=[1, 1, 1, 1], strides=[2, 2]), node("Relu", ["c"], ["z"])]),
    "down and up again": (3, ("y",), [
        node("Conv", ["x", "three"], ["a"], pads=[1, 1, 1, 1], strides=[2, 2]),
        node("ConvTranspose", ["a", "up"], ["b"], strides=[2, 2], group=6), node("Conv", ["b", "point"], ["y"])]),
    "peaks that the graph finds": (1, ("y", "i"), [
        node("Conv", ["x", "one"], ["a"], pads=[1, 1, 1, 1]), node("ReduceMax", ["a"], ["m"], axes=[2, 3], keepdims=0),
        node("Less", ["m", "low"], ["few"]), node("Where", ["few", "none", "m"], ["y"]),
        node("Reshape", ["a", "lines"], ["r"]), node("TopK", ["r", "two"], ["v", "i"], axis=2)]),
    "no sums": (1, ("y",), [
        node("Resize", ["x", "", "s"], ["a"], mode="nearest"), node("Concat", ["a", "a"], ["b"], axis=1),
        node("MaxPool", ["b"], ["y"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])]),
}  # fmt: skip
"""What pictures they take (channels), their outputs, their nodes."""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The networks' files, for pictures of any size."""
    folder: Path = tmp_path_factory.mktemp("nets")
    for number, (channels, outputs, nodes) in enumerate(NETWORKS.values()):
        inputs = {"x": ("float32", (1, channels, "h", "w"))}
        folder.joinpath(f"{number}.onnx").write_bytes(model(nodes, inputs, outputs, CONSTANTS))
    return tuple(str(folder / f"{number}.onnx") for number in range(len(NETWORKS)))


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_networks_among_other_stages_have_the_references_bits(models: tuple[str, ...], data: st.DataObject) -> None:
    bound = data.draw(bounds(4, models))
    clip = data.draw(frames(source_of(bound), FRAMES))
    expected = run(Engine(bound, executor("reference")), clip, list(range(FRAMES)))
    match data.draw(st.sampled_from(("drawn", "largest", "planned"))) if bound.taps else "drawn":
        case "planned":
            groups = [list(group.nodes) for group in planner_of(bound, this_cpu(2)).plan().groups]
        case "largest":
            groups = largest_groups(bound, bound.taps)
        case _:
            groups = data.draw(groupings(bound))
    cuts = data.draw(st.lists(st.integers(1, FRAMES - 1), max_size=2))
    found = run(Engine(bound, executor("cpu", data.draw(st.integers(1, 3))), groups=groups), clip, cuts)
    for i in range(FRAMES):
        assert equal(found[i], expected[i]), (i, groups)
