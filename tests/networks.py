"""Networks in tests: a model run by the importer and the reference, and onnxruntime as the judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body, Output
from kernels.ir.image import ImageType, dtype_of
from kernels.ir.verify import verify
from kernels.ir.volumes import input_volume
from kernels.networks.importing import bound_input, imported
from kernels.networks.onnx_reader import Model, read
from kernels.networks.tensors import Tensor, arranged, laid, natural_roles

Array = np.ndarray


def run(file: Path, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs of a model, by the importer and the reference."""
    found = read(file)
    types = {}
    for one in found.inputs:
        array = inputs[one.name]
        types[one.name] = ImageType(dtype_of(array.dtype), array.shape[2], array.shape[3], array.shape[1])
    body, made = _body(found, types)
    frames = [image(inputs[one.name])[np.newaxis] for one in found.inputs]
    results = ReferenceProgram(body).run(frames, {})
    return {k: t.values(np.asarray(results[k][0])) for k, t in made.items()}


def body_of_model(file: Path, lengths: Mapping[str, int]) -> Body:
    """A model as a body; `lengths` are those of axes that it leaves open."""
    found = read(file)
    types = {}
    for one in found.inputs:
        _, channels, height, width = (n if isinstance(n, int) else lengths[n] for n in one.shape or ())
        types[one.name] = ImageType(dtype_of(np.dtype(one.dtype)), height, width, channels)
    return _body(found, types)[0]


def _body(found: Model, types: Mapping[str, ImageType]) -> tuple[Body, dict[str, Tensor]]:
    tensors = {one.name: bound_input(one, types[one.name], input_volume(i, types[one.name]))
               for i, one in enumerate(found.inputs)}  # fmt: skip
    made = {k: settled(t) for k, t in imported(found, tensors).outputs.items()}
    outputs = tuple(
        Output(k, ImageType(t.volume.dtype, *t.size, t.volume.channels), (t.volume,)) for k, t in made.items()
    )
    body = Body(tuple(types[one.name] for one in found.inputs), outputs, {}, {})
    verify(body)
    return body, made


def image(array: Array) -> Array:
    turned = np.ascontiguousarray(array[0].transpose(1, 2, 0))
    return turned if turned.shape[2] > 1 else turned[..., 0]


def settled(tensor: Tensor) -> Tensor:
    roles = natural_roles(tensor)
    return laid(arranged(tensor, roles), roles)


def judge(file: Path) -> Any:
    """onnxruntime's session for a model; None where it is not installed."""
    try:
        import onnxruntime
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
