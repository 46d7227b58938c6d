"""A model alone as a body."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import ReferenceProgram
from kernels.networks.bodies import frame_of, model_body, shape_of
from kernels.networks.onnx_reader import Declared, Model, read
from kernels.networks.onnx_writer import model, node

RNG = np.random.default_rng(2)
WEIGHTS = {"a": RNG.normal(size=(4, 3, 3, 3)).astype(np.float32), "d": RNG.normal(size=(4, 1, 2, 2)).astype(np.float32)}


def chain(folder, shape=(1, 3, "h", "w")) -> Model:
    nodes = [node("Conv", ["x", "a"], ["c"]), node("Conv", ["c", "d"], ["e"], group=4, strides=[2, 2]),
             node("Transpose", ["e"], ["t"], perm=[0, 2, 3, 1])]  # fmt: skip
    (folder / "m.onnx").write_bytes(model(nodes, {"x": ("float32", shape)}, ["t", "c"], WEIGHTS))
    return read(folder / "m.onnx")


def test_multiply_adds_are_counted(tmp_path):
    made = model_body(chain(tmp_path), {"x": (1, 3, 8, 10)})
    assert made.macs == 6 * 8 * 4 * 9 * 3 + 3 * 4 * 4 * 4


def test_outputs_are_as_onnx_has_them(tmp_path):
    x = RNG.normal(size=(1, 3, 8, 10)).astype(np.float32)
    made = model_body(chain(tmp_path), {"x": x.shape})
    found = ReferenceProgram(made.body).run([frame_of(x)[np.newaxis]], {})
    turned, first = (made.values(name, np.asarray(found[name][0])) for name in ("t", "c"))
    assert turned.shape == (1, 3, 4, 4)
    assert first.shape == (1, 4, 6, 8)
    assert first[0, 1, 2, 3] == pytest.approx((x[0, :, 2:5, 3:6] * WEIGHTS["a"][1]).sum(), rel=1e-5)


def test_open_lengths_are_those_given_or_one():
    assert shape_of(Declared("x", "float32", ("n", 3, "", -1)), {2: 5, 3: 7}) == (1, 3, 5, 7)
    with pytest.raises(DefinitionError, match="input 'x' has unknown axes"):
        shape_of(Declared("x", "float32", None), {})


@pytest.mark.parametrize(("shape", "given", "said"), [
    ((1, 3), (1, 3), "input 'x' has 2 axes"), ((1, 5, 8, 8), (1, 5, 8, 8), "groups does not go with weights"),
])  # fmt: skip
def test_what_does_not_fit_is_one_sentence(tmp_path, shape, given, said):
    with pytest.raises(DefinitionError, match=said):
        model_body(chain(tmp_path, shape), {"x": given})
