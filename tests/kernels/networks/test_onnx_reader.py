"""The reader of ONNX files: what it reads, and that it refuses all else in one sentence."""

from __future__ import annotations

import random
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.ir.image import ImageType, dtype_of
from kernels.ir.volumes import input_volume
from kernels.networks.importing import bound_input, imported
from kernels.networks.onnx_reader import read
from kernels.networks.onnx_writer import declared, field
from tests.kernels.networks.hostile import bytes_changed
from tests.onnx_files import model, node, tensor

NETS = Path(__file__).parents[4] / "shared" / "nets"
ARRAYS = {
    "w": np.arange(24, dtype=np.float32).reshape(2, 3, 2, 2), "i": np.array([-1, 2**40], np.int64),
    "b": np.array(7, np.uint8), "e": np.zeros((0, 3), np.float32), "h": np.array([1.5, -2], np.float16),
}  # fmt: skip


def small() -> bytes:
    nodes = [node("Conv", ["x", "w", "b"], ["y"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
             node("Relu", ["y"], ["z"]), node("MaxPool", ["z"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
             node("Shape", ["p"], ["s"]), node("Gather", ["s", "first"], ["n"]),
             node("Concat", ["n", "rest"], ["shape"], axis=0),
             node("Reshape", ["p", "shape"], ["out"])]  # fmt: skip
    weights = np.random.default_rng(0).standard_normal((4, 3, 3, 3)).astype(np.float32)
    constants = {"w": weights, "b": np.ones(4, np.float32), "first": np.array([0], np.int64),
                 "rest": np.array([4, -1], np.int64)}  # fmt: skip
    return model(nodes, {"x": ("float32", ["batch", 3, "h", "w"])}, ["out"], constants)


@pytest.mark.parametrize("raw", [True, False])
def test_tensors_in_both_spellings(tmp_path, raw):
    arrays = {k: v for k, v in ARRAYS.items() if raw or k != "h"}
    (tmp_path / "m.onnx").write_bytes(model([], {}, [], arrays, raw=raw))
    found = read(tmp_path / "m.onnx")
    for name, array in arrays.items():
        assert found.constants[name].dtype == array.dtype
        assert found.constants[name].shape == array.shape
        assert np.array_equal(found.constants[name], array)
        assert not found.constants[name].flags.writeable


def test_nodes_and_what_goes_in_and_out(tmp_path):
    (tmp_path / "m.onnx").write_bytes(small())
    found = read(tmp_path / "m.onnx")
    assert found.opset == 17
    assert [n.op for n in found.nodes] == ["Conv", "Relu", "MaxPool", "Shape", "Gather", "Concat", "Reshape"]
    assert found.nodes[0].attributes == {"kernel_shape": (3, 3), "pads": (1, 1, 1, 1), "strides": (2, 2)}
    assert found.nodes[0].name == "the_Conv_y"
    assert found.inputs[0].shape == ("batch", 3, "h", "w")
    assert found.inputs[0].dtype == "float32"
    assert [o.name for o in found.outputs] == ["out"]
    (tmp_path / "n.onnx").write_bytes(small() + field(2, "another producer"))
    assert read(tmp_path / "n.onnx").digest != found.digest


def of_graph(graph: bytes) -> bytes:
    return field(7, graph) + field(8, field(2, 17))


def beside(location: str, **more: str) -> bytes:
    entries = {"location": location, **more}
    data = b"".join(field(13, field(1, k) + field(2, v)) for k, v in entries.items())
    return of_graph(field(5, field(1, 4) + field(2, 1) + field(8, "w") + data + field(14, 1)))


def test_data_beside_the_model(tmp_path):
    values = np.arange(6, dtype=np.float32)
    (tmp_path / "weights.bin").write_bytes(values.tobytes())
    (tmp_path / "m.onnx").write_bytes(beside("weights.bin", offset="8", length="16"))
    found = read(tmp_path / "m.onnx")
    assert found.constants["w"].tolist() == [2, 3, 4, 5]
    (tmp_path / "weights.bin").write_bytes((values + 1).tobytes())
    assert read(tmp_path / "m.onnx").digest != found.digest  # the data are a part of the model


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (beside("../weights.bin"), "which is not a file beside the model"),
        (beside("/etc/passwd"), "which is not a file beside the model"),
        (beside(""), "which is not a file beside the model"),
        (beside("none.bin"), "there is no such file beside the model"),
        (beside("weights.bin", offset="16"), "ends before tensor 'w'|should have 4 values"),
        (beside("weights.bin", offset="9999", length="16"), "ends before tensor 'w'"),
        (beside("weights.bin", offset="x"), "no number of bytes"),
        (b"", "it has no graph"),
        (b"hello world, this is no model", "is not an ONNX model"),
        (field(7, b""), "does not say by which version"),
        (field(7, 5), "a number is where a message belongs"),
        (b"\x0b", "wire type 3"),
        (b"\x3a\x7f", "longer than what is left"),
        (b"\xff" * 12, "more than ten bytes"),
        (b"\x38", "ends in the middle of a number"),
        (field(25, field(1, "f") + field(7, field(4, "f"))) + of_graph(field(1, field(4, "f"))), "calls itself"),
        (of_graph(field(15, b"")), "sparse weights"),
        (of_graph(field(5, field(1, 1 << 40) + field(2, 1) + field(9, b"1234"))), "should have 1099511627776 values"),
        (of_graph(field(5, field(1, 1 << 62) + field(2, 1) + field(4, b"1234"))), "should have 4611686018427387904"),
        (of_graph(field(5, field(1, -1) + field(2, 1))), r"has the shape \[-1\]"),
        (of_graph(field(5, field(2, 8))), "element type 8"),
        (of_graph(field(5, field(1, 1) + field(2, 2) + field(5, 300))), "not one of uint8"),
        (of_graph(field(1, field(4, b"\xff\xfe"))), "a name is no text"),
        (of_graph(field(1, b"") * 65537), "more than 65536 nodes"),
        (of_graph(field(5, field(4, b"123"))), "a list of floats has another length"),
        (of_graph(field(5, field(3, b""))), "cut into segments"),
        (of_graph(field(11, declared("x", "float32", [1])[:-1])), "in the middle|longer than what is left"),
    ],
)
def test_what_is_no_model_is_refused_in_a_sentence(tmp_path, data, sentence):
    (tmp_path / "weights.bin").write_bytes(bytes(24))
    file = tmp_path / "m.onnx"
    file.write_bytes(data)
    with pytest.raises(DefinitionError, match=sentence) as found:
        read(file)
    assert "\n" not in str(found.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(DefinitionError, match="there is no model"):
        read(tmp_path / "none.onnx")
    with pytest.raises(DefinitionError, match="is a folder"):
        read(tmp_path)


def whole(file: Path) -> None:
    """Read and import, as a pipeline does."""
    found = read(file)
    inputs = {}
    for one in found.inputs:
        shape = [n if isinstance(n, int) else 32 for n in one.shape or (1, 3, 32, 32)]
        if len(shape) != 4 or any(not 0 < n < 4096 for n in shape) or one.dtype.startswith("type") or not one.dtype:
            raise DefinitionError(f"input {one.name} is no image")
        type_ = ImageType(dtype_of(np.dtype(one.dtype)), shape[2], shape[3], shape[1])
        inputs[one.name] = bound_input(one, type_, input_volume(0, type_))
    imported(found, inputs)


def seeds() -> list[bytes]:
    names = ("sleapnn_single_u8", "b_invres_28x32", "b_dwpw_128x32_64_int8_qdq")
    files = [NETS / f"{name}.onnx" for name in names]
    return [small(), *(file.read_bytes() for file in files if file.exists())]


def test_300_mutated_files_are_read_or_refused(tmp_path):
    rng = random.Random(33)
    files = seeds()
    file = tmp_path / "m.onnx"
    refused = 0
    for i in range(300):
        data = files[i % len(files)]
        file.write_bytes(bytes_changed(data, rng))
        start = time.process_time()
        tracemalloc.start()
        said = ""
        try:
            whole(file)
        except DefinitionError as error:
            said = str(error)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        refused += bool(said)
        assert "\n" not in said
        assert len(said) < 1000
        assert most < (256 << 20), f"case {i} takes {most >> 20} MB"
        assert time.process_time() - start < 20, f"case {i}"
    assert 50 < refused <= 300


def test_tensors_written_by_hand_are_read_back(tmp_path):
    (tmp_path / "m.onnx").write_bytes(field(7, field(5, tensor("a", np.eye(3)))) + field(8, field(2, 9)))
    assert np.array_equal(read(tmp_path / "m.onnx").constants["a"], np.eye(3))
