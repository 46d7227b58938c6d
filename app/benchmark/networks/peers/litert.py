"""LiteRT (TensorFlow Lite) with XNNPACK, where a .tflite lies beside the ONNX file: it has no reader of ONNX."""

from __future__ import annotations

from collections.abc import Mapping

import ai_edge_litert
from ai_edge_litert.interpreter import Interpreter

from app.benchmark.networks.peers.base import Array, Network, Prepared

ENDING = ".tflite"


def prepare(network: Network) -> Prepared:
    """An interpreter of the file beside.

    Raises:
        FileNotFoundError: there is none.
        ValueError: its inputs or outputs are not those of the ONNX file.
    """
    file = network.file.with_suffix(ENDING)
    if not file.is_file():
        raise FileNotFoundError(f"there is no {file.name} beside the file")
    interpreter = Interpreter(str(file), num_threads=network.threads)
    interpreter.allocate_tensors()
    places, arrays = interpreter.get_input_details(), list(network.inputs.values())
    if len(places) != len(arrays):
        raise ValueError(f"{file.name} takes {len(places)} inputs, the ONNX file {len(arrays)}")
    for place, array in zip(places, arrays, strict=True):
        wanted = tuple(place["shape"])
        given = array if array.shape == wanted else array.transpose(0, 2, 3, 1)
        if given.shape != wanted or given.dtype != place["dtype"]:
            raise ValueError(f"{file.name} takes {place['dtype'].__name__} {wanted}, the ONNX file {array.dtype} "
                             f"{array.shape}")  # fmt: skip
        interpreter.set_tensor(place["index"], given)

    def outputs() -> Mapping[str, Array]:
        found = [interpreter.get_tensor(place["index"]) for place in interpreter.get_output_details()]
        return dict(zip(network.outputs, found, strict=True))

    return Prepared(interpreter.invoke, outputs, ai_edge_litert.__version__)
