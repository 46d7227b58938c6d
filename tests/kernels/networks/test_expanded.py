"""Graphs within graphs: functions, and If on constants, as exporters write them; weights of bfloat16."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.networks.onnx_reader import read
from kernels.networks.onnx_writer import attribute, field
from tests.networks import judge, run
from tests.onnx_files import model, node, tensor

X = np.random.default_rng(2).standard_normal((1, 2, 4, 5)).astype(np.float32)
W = np.random.default_rng(3).standard_normal((3, 2, 1, 1)).astype(np.float32)


def function(name: str, inputs: list[str], outputs: list[str], nodes: list[bytes], *more: bytes) -> bytes:
    lists = [field(4, one) for one in inputs] + [field(5, one) for one in outputs] + [field(7, one) for one in nodes]
    opsets = field(9, field(2, 18)) + field(9, field(1, "pkg") + field(2, 1))
    return field(25, field(1, name) + b"".join(lists) + b"".join(more) + opsets + field(10, "pkg"))


def refers(name: str, other: str) -> bytes:
    """An attribute of a node in a function that is the caller's."""
    return field(5, field(1, name) + field(20, 1) + field(21, other))


def checked(file: Path, data: bytes) -> np.ndarray:
    file.write_bytes(data)
    made = run(file, {"x": X})["y"]
    session = judge(file)
    if session is not None:
        assert np.allclose(made, session.run(None, {"x": X})[0], rtol=1e-5, atol=1e-6)
    return made


def test_functions(tmp_path):
    """Called twice, from one another, with attributes of the caller and without; a value has the same name in both."""
    inner = function("leaky", ["a"], ["b"], [node("LeakyRelu", ["a"], ["b"]) + refers("alpha", "slope")],
                     field(11, attribute("slope", 0.5)))  # fmt: skip
    outer = function("block", ["a", "w"], ["b"], [
        node("Conv", ["a", "w"], ["t"]), node("leaky", ["t"], ["u"], "pkg"),
        node("leaky", ["u"], ["b"], "pkg", slope=0.25),
    ])  # fmt: skip
    calls = [node("block", ["x", "w"], ["t"], "pkg"), node("leaky", ["t"], ["y"], "pkg", slope=0.125)]
    whole = model(calls, {"x": ("float32", X.shape)}, ["y"], {"w": W}, 18) + field(8, field(1, "pkg") + field(2, 1))
    made = checked(tmp_path / "m.onnx", whole + inner + outer)
    sums = np.einsum("nchw,fc->nfhw", X, W[..., 0, 0])
    assert np.allclose(made, np.where(sums < 0, sums * 0.5 * 0.25 * 0.125, sums), rtol=1e-5, atol=1e-6)


def test_functions_that_grow_without_end_are_refused(tmp_path):
    names = [f"f{k}" for k in range(12)]
    chain = [function(a, ["a"], ["b"], [node(b, ["a"], [f"t{k}"], "pkg") for k in range(99)])
             for a, b in pairwise(names)]  # fmt: skip
    chain.append(function(names[-1], ["a"], ["b"], []))
    calls = model([node("f0", ["x"], ["y"], "pkg")], {"x": ("float32", X.shape)}, ["y"], {}, 18)
    (tmp_path / "m.onnx").write_bytes(calls + b"".join(chain))
    with pytest.raises(DefinitionError, match="functions more than 8192 times"):
        read(tmp_path / "m.onnx")


def branch(name: str, nodes: list[bytes], output: str, constants: dict[str, np.ndarray] | None = None) -> bytes:
    tensors = b"".join(field(5, tensor(k, v)) for k, v in (constants or {}).items())
    graph = b"".join(field(1, one) for one in nodes) + field(2, name) + tensors + field(12, field(1, output))
    return field(5, field(1, name) + field(6, graph) + field(20, 5))


@pytest.mark.parametrize("holds", [True, False])
def test_if_on_a_constant(tmp_path, holds):
    """Branches look at values around them, one has a constant, and an If of its own."""
    deep = node("If", ["f"], ["d"]) + branch("then_branch", [node("Neg", ["c"], ["q"])], "q") \
        + branch("else_branch", [node("Mul", ["c", "k"], ["q"])], "q")  # fmt: skip
    then = branch("then_branch", [node("Relu", ["c"], ["q"])], "q")
    other = branch("else_branch", [deep], "d", {"k": np.float32([3])})
    nodes = [node("Conv", ["x", "w"], ["c"]), node("If", ["e"], ["i"]) + then + other, node("Add", ["i", "c"], ["y"])]
    constants = {"w": W, "e": np.array(holds), "f": np.array(False)}
    made = checked(tmp_path / "m.onnx", model(nodes, {"x": ("float32", X.shape)}, ["y"], constants))
    sums = np.einsum("nchw,fc->nfhw", X, W[..., 0, 0])
    assert np.allclose(made, sums + (np.maximum(sums, 0) if holds else 3 * sums), rtol=1e-5, atol=1e-6)


def test_if_on_what_is_computed_is_named(tmp_path):
    same = branch("then_branch", [node("Relu", ["x"], ["q"])], "q") + branch("else_branch", [], "x")
    nodes = [node("ReduceMax", ["x"], ["m"]), node("Greater", ["m", "z"], ["e"]), node("If", ["e"], ["y"]) + same]
    (tmp_path / "m.onnx").write_bytes(model(nodes, {"x": ("float32", X.shape)}, ["y"], {"z": np.float32(0)}))
    with pytest.raises(DefinitionError, match=r"\(If\) is an operator that is not understood"):
        run(tmp_path / "m.onnx", {"x": X})


def test_bfloat16_weights_are_floats(tmp_path):
    bits = (W.view(np.uint32) >> 16).astype(np.uint16)
    dims = b"".join(field(1, n) for n in W.shape)
    raw = dims + field(2, 16) + field(8, "w") + field(9, bits.tobytes())
    listed = dims + field(2, 16) + field(8, "v") + b"".join(field(5, int(n)) for n in bits.ravel())
    for name, data in (("w", raw), ("v", listed)):
        (tmp_path / "m.onnx").write_bytes(model([], {}, []) + field(7, field(5, data)))
        found = read(tmp_path / "m.onnx").constants[name]
        assert found.dtype == np.float32
        assert np.array_equal(found.view(np.uint32) >> 16, W.view(np.uint32) >> 16)
        assert not (found.view(np.uint32) & 0xFFFF).any()
