"""What the writer writes, the reader reads back, and onnxruntime runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.networks.onnx_reader import TYPES, Declared, read
from kernels.networks.onnx_writer import declared, model, node, varint
from tests.networks import judge

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
FLOATS = st.floats(width=32, allow_nan=False)
WHOLES = st.integers(-(2**63), 2**63 - 1)
ATTRIBUTES = st.one_of(
    WHOLES, FLOATS, TEXTS, *(st.lists(one, min_size=1, max_size=4).map(tuple) for one in (WHOLES, FLOATS, TEXTS))
)


@given(attributes=st.dictionaries(st.sampled_from("abcdef"), ATTRIBUTES), names=st.lists(TEXTS, min_size=1, max_size=3))
@settings(max_examples=100, deadline=None)
def test_nodes_are_read_back(tmp_path_factory, attributes, names):
    file = tmp_path_factory.mktemp("nodes") / "m.onnx"
    nodes = [node("Op", names, names[::-1], "of.mine", "n", **attributes)]
    file.write_bytes(model(nodes, {}, [], domains={"of.mine": 3}))
    (found,) = read(file).nodes
    assert (found.op, found.inputs, found.outputs) == ("Op", tuple(names), tuple(names[::-1]))
    assert (found.domain, found.name) == ("of.mine", "n")
    assert found.attributes == attributes


@pytest.mark.parametrize("dtype", TYPES.values())
def test_tensors_are_read_back(tmp_path, dtype):
    values = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    nodes = [node("Constant", [], ["c"], value=values.T)]
    (tmp_path / "m.onnx").write_bytes(model(nodes, {}, [], {"w": values, "none": values[:0], "one": values[0, 1]}))
    found = read(tmp_path / "m.onnx")
    for name, array in (("w", values), ("none", values[:0]), ("one", values[0, 1])):
        assert found.constants[name].dtype == array.dtype
        assert np.array_equal(found.constants[name], array)
    assert np.array_equal(found.nodes[0].attributes["value"], values.T)  # a view that is not contiguous


def test_what_goes_in_and_out_is_read_back(tmp_path):
    outputs = ["y", declared("z", "uint8", ["n", 4])]
    (tmp_path / "m.onnx").write_bytes(model([], {"x": ("float32", ["n", 3, 5]), "s": ("int64", [])}, outputs, opset=13))
    found = read(tmp_path / "m.onnx")
    assert found.opset == 13
    assert found.inputs == (Declared("x", "float32", ("n", 3, 5)), Declared("s", "int64", ()))
    assert found.outputs == (Declared("y", "", None), Declared("z", "uint8", ("n", 4)))


def test_numbers_of_seven_bits():
    assert varint(300) == b"\xac\x02"  # the example of protobuf's documentation
    assert varint(-1) == b"\xff" * 9 + b"\x01"


def test_onnxruntime_runs_what_is_written(tmp_path):
    file = tmp_path / "m.onnx"
    nodes = [node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), node("LeakyRelu", ["c"], ["y"], alpha=0.5)]
    file.write_bytes(model(nodes, {"x": ("float32", [1, 1, 3, 3])}, ["y"], {"w": -np.ones((1, 1, 3, 3), np.float32)}))
    session = judge(file)
    if session is None:
        pytest.skip("onnxruntime is not installed")
    (found,) = session.run(None, {"x": np.ones((1, 1, 3, 3), np.float32)})
    assert found.tolist() == [[[[-2, -3, -2], [-3, -4.5, -3], [-2, -3, -2]]]]
