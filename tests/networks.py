"""Networks in tests: a model run by the importer and the reference, and onnxruntime as the judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body
from kernels.networks.bodies import frame_of, model_body
from kernels.networks.onnx_reader import read

Array = np.ndarray


def run(file: Path, inputs: Mapping[str, Array], last: bool = False) -> dict[str, Array]:
    """The outputs of a model, by the importer and the reference; `last`: its inputs have channels as the last axis."""
    found = read(file)
    inputs = {name: array.transpose(0, 3, 1, 2) if last else array for name, array in inputs.items()}
    made = model_body(found, {name: array.shape for name, array in inputs.items()})
    results = ReferenceProgram(made.body).run([frame_of(inputs[one.name])[np.newaxis] for one in found.inputs], {})
    return {name: made.values(name, np.asarray(results[name][0])) for name in made.outputs}


def body_of_model(file: Path, lengths: Mapping[str, int]) -> Body:
    """A model as a body; `lengths` are those of axes that it leaves open."""
    found = read(file)
    shapes = {one.name: tuple(n if isinstance(n, int) else lengths[n] for n in one.shape or ()) for one in found.inputs}
    return model_body(found, shapes).body


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
