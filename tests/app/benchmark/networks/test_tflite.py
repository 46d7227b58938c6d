"""Networks that are converted for LiteRT give what onnxruntime gives."""

from __future__ import annotations

import numpy as np
import pytest

from app.benchmark.networks.comparison import difference
from app.benchmark.networks.made import MADE
from app.benchmark.networks.peers.base import Network
from app.benchmark.networks.subject import subject
from kernels.networks.onnx_writer import declared, model, node
from tests.benchmark_peers.networks import litert
from tests.networks import judge

pytest.importorskip("ai_edge_litert")

RNG = np.random.default_rng(5)


def weights(*shape: int) -> np.ndarray:
    return RNG.normal(0, 0.3, shape).astype(np.float32)


def onnx_of(file, nodes, outputs, constants, shape=(1, 4, 9, 7)):
    given = [declared(name, "float32", [f"{name}{k}" for k in range(axes)]) for name, axes in outputs.items()]
    file.write_bytes(model(nodes, {"x": ("float32", shape)}, given, constants))
    return subject(file, "net", 16)


def check(one, folder):
    session = judge(one.file)
    if session is None:
        pytest.skip("onnxruntime is not installed")
    made = litert.prepare(Network(one.file, 1, one.inputs, one.outputs, folder))
    made.run()
    found = made.outputs()
    assert difference([found[name] for name in one.outputs], session.run(list(one.outputs), dict(one.inputs))) < 1e-5


CONV = {"w": weights(6, 4, 3, 3), "b": weights(6)}
ONE = {
    "same": ([node("Conv", ["x", "w", "b"], ["y"], pads=[1, 1, 1, 1])], CONV),
    "pads": ([node("Conv", ["x", "w", "b"], ["y"], pads=[2, 0, 1, 1], strides=[2, 1], dilations=[1, 2])], CONV),
    "auto": ([node("Conv", ["x", "w"], ["y"], auto_pad="SAME_UPPER", strides=[2, 2])], CONV),
    "depthwise": ([node("Conv", ["x", "d"], ["y"], group=4, pads=[1, 1, 1, 1], strides=[2, 2])],
                  {"d": weights(8, 1, 3, 3)}),
    "relu6": ([node("Conv", ["x", "w"], ["c"]), node("Clip", ["c", "low", "high"], ["y"])],
              CONV | {"low": np.float32(0), "high": np.float32(6)}),
    "used twice": ([node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["r"]), node("Add", ["c", "r"], ["y"])], CONV),
    "prelu": ([node("PRelu", ["x", "s"], ["y"])], {"s": weights(4, 1, 1)}),
    "pools": ([node("MaxPool", ["x"], ["m"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
               node("AveragePool", ["m"], ["y"], kernel_shape=[2, 2])], {}),
    "pad": ([node("Pad", ["x", "p"], ["y"])], {"p": np.array([0, 0, 1, 0, 0, 3, 0, 2])}),
    "concat": ([node("Sigmoid", ["x"], ["s"]), node("Tanh", ["x"], ["t"]), node("Concat", ["s", "t"], ["y"], axis=1)],
               {}),
    "linear": ([node("Resize", ["x", "", "s"], ["y"], mode="linear", coordinate_transformation_mode="half_pixel")],
               {"s": np.array([1, 1, 2, 2], np.float32)}),
    "nearest": ([node("Resize", ["x", "", "s"], ["y"], mode="nearest", nearest_mode="floor",
                      coordinate_transformation_mode="asymmetric")], {"s": np.array([1, 1, 2, 2], np.float32)}),
    "transposed": ([node("ConvTranspose", ["x", "u", "b"], ["y"], strides=[2, 2], pads=[0, 0, 0, 0])],
                   {"u": weights(4, 6, 2, 2), "b": weights(6)}),
    "transposed, cut": ([node("ConvTranspose", ["x", "u"], ["y"], strides=[2, 2], pads=[1, 1, 1, 1],
                              output_padding=[1, 1])], {"u": weights(4, 6, 3, 3)}),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE)
def test_operators_compute_what_onnx_says(name, tmp_path):
    nodes, constants = ONE[name]
    check(onnx_of(tmp_path / "net.onnx", nodes, {"y": 4}, constants), tmp_path)


def test_vectors_and_lists_have_their_order(tmp_path):
    constants = {"s": np.array([1, -1, 2]), "w": weights(5, 4), "b": weights(5)}
    nodes = [node("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]), node("Reshape", ["t", "s"], ["list"]),
             node("AveragePool", ["x"], ["a"], kernel_shape=[9, 7]), node("Flatten", ["a"], ["f"]),
             node("Gemm", ["f", "w", "b"], ["vector"], transB=1)]  # fmt: skip
    check(onnx_of(tmp_path / "net.onnx", nodes, {"list": 3, "vector": 2}, constants), tmp_path)


@pytest.mark.parametrize("name", sorted(name for name in MADE if "int8" not in name))
def test_our_networks_are_converted(name, tmp_path):
    (tmp_path / "net.onnx").write_bytes(MADE[name]())
    check(subject(tmp_path / "net.onnx", name, 16), tmp_path)


@pytest.mark.parametrize(("nodes", "said"), [
    ([node("Erf", ["x"], ["y"])], "Erf is not converted"),
    ([node("Clip", ["x", "low", "high"], ["y"])], "Clip of other limits"),
    ([node("Conv", ["x", "g"], ["y"], group=2)], "Conv in groups"),
    ([node("Add", ["x", "low"], ["y"])], "arithmetic with constants"),
    ([node("Reshape", ["x", "s"], ["y"])], "Reshape of an image"),
])  # fmt: skip
def test_what_has_no_counterpart_is_named(nodes, said, tmp_path):
    constants = {"low": np.float32(-1), "high": np.float32(1), "g": weights(4, 2, 1, 1), "s": np.array([1, -1])}
    one = onnx_of(tmp_path / "net.onnx", nodes, {"y": 4}, constants)
    with pytest.raises(FileNotFoundError, match=f"there is no net.tflite beside the file, and a?.?{said}"):
        litert.prepare(Network(one.file, 1, one.inputs, one.outputs, tmp_path))


def test_a_file_beside_is_taken(tmp_path):
    one = onnx_of(tmp_path / "net.onnx", [node("Relu", ["x"], ["y"])], {"y": 4}, {})
    litert.prepare(Network(one.file, 1, one.inputs, one.outputs, tmp_path))
    (tmp_path / "network.tflite").rename(tmp_path / "net.tflite")
    made = litert.prepare(Network(one.file, 1, one.inputs, one.outputs, tmp_path / "nowhere"))
    made.run()
    assert made.note == "its own file"
    assert np.array_equal(made.outputs()["y"], np.maximum(one.inputs["x"], 0))
