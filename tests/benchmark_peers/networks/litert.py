"""LiteRT (TensorFlow Lite) with XNNPACK: the .tflite of the same name beside the ONNX file, else the file converted."""

from __future__ import annotations

from collections.abc import Mapping

from app.benchmark.networks.peers.base import Array, Network, Prepared
from kernels.networks.onnx_reader import read
from tests.benchmark_peers.networks.tflite import Unconvertible, converted

try:
    import ai_edge_litert
    from ai_edge_litert.interpreter import Interpreter
except ImportError:  # the bench looks before it loads; others, such as doctest, may still read this module
    ai_edge_litert = None

ENDING = ".tflite"


def prepare(network: Network) -> Prepared:
    """An interpreter.

    Raises:
        FileNotFoundError: there is no file beside, and the ONNX file cannot be converted.
        ValueError: its inputs are not those of the ONNX file.
    """
    file, note = network.file.with_suffix(ENDING), "its own file"
    if not file.is_file():
        note = ""
        shapes = {name: array.shape for name, array in network.inputs.items()}
        try:
            made = converted(read(network.file), shapes)
        except Unconvertible as reason:
            raise FileNotFoundError(f"there is no {file.name} beside the file, and {reason}") from None
        file = network.folder / f"network{ENDING}"
        file.write_bytes(made)
    interpreter = Interpreter(str(file), num_threads=network.threads)
    interpreter.allocate_tensors()
    places, arrays = interpreter.get_input_details(), list(network.inputs.values())
    if len(places) != len(arrays):
        raise ValueError(f"{file.name} takes {len(places)} inputs, the ONNX file {len(arrays)}")
    for place, array in zip(places, arrays, strict=True):
        wanted = tuple(place["shape"])
        given = array.transpose(0, 2, 3, 1) if array.ndim == 4 else array  # TensorFlow's images, in every file
        if given.shape != wanted or given.dtype != place["dtype"]:
            raise ValueError(f"{file.name} takes {place['dtype'].__name__} {wanted}, the ONNX file {array.dtype} "
                             f"{array.shape}")  # fmt: skip
        interpreter.set_tensor(place["index"], given)

    def outputs() -> Mapping[str, Array]:
        found = [interpreter.get_tensor(place["index"]) for place in interpreter.get_output_details()]
        turned = [array.transpose(0, 3, 1, 2) if array.ndim == 4 else array for array in found]
        return dict(zip(network.outputs, turned, strict=True))

    return Prepared(interpreter.invoke, outputs, ai_edge_litert.__version__, note)
