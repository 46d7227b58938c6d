"""MNN on the processor, f32; the file is converted by its own converter first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from app.benchmark.networks.peers.base import Array, Network, Prepared

try:
    # Not MNN.tools.mnnconvert: that one installs a package and reports what was converted to MNN's makers.
    import _tools
    import MNN
except ImportError:  # the bench looks before it loads; others, such as doctest, may still read this module
    MNN = _tools = None

TYPES = {"float32": "Halide_Type_Float", "uint8": "Halide_Type_Uint8", "int32": "Halide_Type_Int",
         "int64": "Halide_Type_Int64"}  # fmt: skip


def prepare(network: Network) -> Prepared:
    """A session."""
    made = network.folder / "network.mnn"
    _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", str(network.file), "--MNNModel", str(made),
                       "--bizCode", "bench"])  # fmt: skip
    if not made.is_file():
        raise ValueError("its converter does not take the file")
    net = MNN.Interpreter(str(made))
    session = net.createSession({"backend": "CPU", "numThread": network.threads, "precision": "high"})
    for name, array in network.inputs.items():
        tensor = net.getSessionInput(session, name)
        if tuple(tensor.getShape()) != array.shape:
            net.resizeTensor(tensor, array.shape)
    net.resizeSession(session)
    for name, array in network.inputs.items():
        given = MNN.Tensor(array.shape, getattr(MNN, TYPES[array.dtype.name]), array, MNN.Tensor_DimensionType_Caffe)
        net.getSessionInput(session, name).copyFrom(given)

    def outputs() -> Mapping[str, Array]:
        return {name: _copied(net.getSessionOutput(session, name)) for name in network.outputs}

    return Prepared(lambda: net.runSession(session), outputs, MNN.version())


def _copied(tensor: Any) -> Array:
    shape, kind = tensor.getShape(), tensor.getDataType()
    dtype = next(np.dtype(name) for name, known in TYPES.items() if getattr(MNN, known) == kind)
    host = MNN.Tensor(shape, kind, np.zeros(shape, dtype), MNN.Tensor_DimensionType_Caffe)
    tensor.copyToHostTensor(host)
    return np.array(host.getNumpyData(), dtype).reshape(shape)
