"""The end of a network that is not understood, in onnxruntime: a host function of what the layers before it make.

The nodes are written as a model of their own, as they are in the file. What they compute is onnxruntime's: its order
of sums, its roundings, on one thread and without optimisations that depend on the processor, so that a run gives the
same bits as the next on the same machine and version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host
from kernels.ir.image import DTYPES, ImageType
from kernels.networks.onnx_reader import Model, Operation
from kernels.networks.onnx_writer import graph_model, tensor
from kernels.networks.tensors import Tensor, arranged, internal, laid, natural_roles, usual_roles
from kernels.param import Value

Array = npt.NDArray[Any]
EXTRA = "pip install 'fusetrack[onnx-host]'"
THERE = find_spec("onnxruntime") is not None
"""Whether the extra is installed."""
MOST_PIXELS = 1 << 26
"""Of an output."""


@dataclass(frozen=True, slots=True)
class Tail:
    """Nodes that are not understood, with all that depends on them.

    Args:
        nodes: in an order in which they can run.
        inputs: what they take of the layers before them.
        constants: what else they take.
        outputs: those of the model that they make.
        reason: which node is not understood, in a sentence.
    """

    nodes: tuple[Operation, ...]
    inputs: Mapping[str, Tensor]
    constants: Mapping[str, Array]
    outputs: tuple[str, ...]
    reason: str


def host_of(model: Model, tail: Tail, names: Sequence[str]) -> Host:
    """The tail as a host function.

    Args:
        names: what its outputs are called in the pipeline.

    Raises:
        DefinitionError: onnxruntime does not take it, or gives what is no image.
    """
    assert THERE
    session, kinds = _opened(model, tail)
    ready = [_laid_out(t) for t in tail.inputs.values()]

    def computed(images: Sequence[Array]) -> list[Array]:
        given = {name: tensor_.values(image).astype(kind)
                 for (name, kind), tensor_, image in zip(kinds.items(), ready, images, strict=True)}  # fmt: skip
        return _run(session, tail, given)

    first = computed([np.zeros((*t.size, t.volume.channels), t.volume.dtype.numpy) for t in ready])
    roles = [_roles(model, name, array) for name, array in zip(tail.outputs, first, strict=True)]
    shapes = [array.shape for array in first]
    types = {name: _type(_image(array, role)) for name, array, role in zip(names, first, roles, strict=True)}

    def run(inputs: Sequence[Datum | None], _params: Mapping[str, Value]) -> Mapping[str, Datum]:
        found = computed([np.asarray(image) for image in inputs])
        if [array.shape for array in found] != shapes:
            raise DefinitionError(f"{model.file}: the shapes of what onnxruntime makes differ from frame to frame")
        return {name: _image(array, role) for name, array, role in zip(names, found, roles, strict=True)}

    macs = sum(np.size(c) for c in tail.constants.values())
    return Host(types, run, seconds=50e-6 + macs / 20e9)


def _laid_out(given: Tensor) -> Tensor:
    roles = natural_roles(given)
    return laid(arranged(given, roles), roles)


def host_inputs(tail: Tail) -> list[Tensor]:
    """The tensors that the host function takes, laid out as images."""
    return [_laid_out(t) for t in tail.inputs.values()]


def _opened(model: Model, tail: Tail) -> tuple[Any, dict[str, str]]:
    """A session, and the types of its inputs: whole numbers of 32 bits may be 64 in the file."""
    options = []
    for given in tail.inputs.values():
        name = given.volume.dtype.numpy.name
        options.append({"int32": ("int64", "int32"), "float32": ("float32", "float16", "float64")}.get(name, (name,)))
    error = ""
    for kinds in product(*options):
        chosen = dict(zip(tail.inputs, kinds, strict=True))
        shapes = {name: (chosen[name], t.shape) for name, t in tail.inputs.items()}
        tensors = [tensor(name, array) for name, array in tail.constants.items()]
        data = graph_model([bytes(n.data) for n in tail.nodes], tensors, shapes, tail.outputs, model.opset,
                           model.domains)  # fmt: skip
        try:
            return _session(data), chosen
        except Exception as problem:  # onnxruntime has no class of errors of its own
            error = error or _first_line(problem)
    raise DefinitionError(f"{tail.reason}, and onnxruntime does not take it either: {error}")


@lru_cache(maxsize=4)
def _session(data: bytes) -> Any:
    import onnxruntime  # here: every process that lists the stages would take a twentieth of a second for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.use_deterministic_compute = True
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def _run(session: Any, tail: Tail, given: Mapping[str, Array]) -> list[Array]:
    try:
        return [np.asarray(array) for array in session.run(list(tail.outputs), dict(given))]
    except Exception as problem:
        raise DefinitionError(f"{tail.reason}; in onnxruntime it fails: {_first_line(problem)}") from None


def _first_line(problem: Exception) -> str:
    text = str(problem).strip().partition("\n")[0]
    return (text if text.isprintable() else ascii(text))[:300]


def _roles(model: Model, name: str, array: Array) -> str:
    """Where the axes of an output lie in an image (`kernels.networks.tensors.laid`)."""
    if array.dtype.kind not in "fiub" or not array.size or array.size > MOST_PIXELS:
        raise DefinitionError(f"{model.file}: onnxruntime makes {array.dtype} of the shape {list(array.shape)} as "
                              f"{name!r}, which is no image; name other outputs, or values inside the model, in "
                              "`output`")  # fmt: skip
    return usual_roles(array.shape)


def _image(array: Array, roles: str) -> Array:
    """An ONNX tensor as an image (height, width[, channels])."""
    order = [roles.index(r) for r in "yxc" if r in roles]
    moved = array.transpose([i for i in range(array.ndim) if i not in order] + order)
    lengths = [array.shape[roles.index(r)] if r in roles else 1 for r in "yxc"]
    made = np.ascontiguousarray(internal(moved.reshape(lengths)))
    return made[..., 0] if made.shape[2] == 1 else made


def _type(image: Array) -> ImageType:
    dtype = next(t for t in DTYPES.values() if t.numpy == image.dtype)
    return ImageType(dtype, image.shape[0], image.shape[1], image.shape[2] if image.ndim == 3 else 1)
