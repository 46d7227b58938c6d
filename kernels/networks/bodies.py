"""A model alone as a body: its inputs are the images of the body, its outputs those of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError, ExprError
from kernels.ir.body import Body, Output
from kernels.ir.expr import postorder
from kernels.ir.image import ImageType, dtype_of
from kernels.ir.verify import verify
from kernels.ir.volumes import input_volume
from kernels.networks.importing import bound_input, imported
from kernels.networks.onnx_reader import Declared, Model
from kernels.networks.pooled_skips import with_pooled_skips
from kernels.networks.siblings import joined
from kernels.networks.tensors import Tensor, settled

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ModelBody:
    """A model as a body.

    Args:
        body: an input for each of the model's, an output for each of the model's, by its name.
        outputs: how ONNX's axes lie in the images of the outputs.
    """

    body: Body
    outputs: Mapping[str, Tensor]

    @property
    def macs(self) -> int:
        """Multiply-adds of one frame."""
        return sum(node.arg.macs for node in postorder(self.body.roots) if node.op == "contract")

    def values(self, name: str, image: Array) -> Array:
        """An output as ONNX has it, of the image (height, width[, channels]) that the body makes."""
        return self.outputs[name].values(image)


def shape_of(declared: Declared, lengths: Mapping[int, int]) -> tuple[int, ...]:
    """The shape of an input whose open lengths are filled in.

    Args:
        lengths: of axes that the file leaves open, by their number; axes that are not there are 1.

    Raises:
        DefinitionError: the file does not say how many axes there are.
    """
    if declared.shape is None:
        raise DefinitionError(f"input {declared.name!r} has unknown axes")
    return tuple(n if isinstance(n, int) and n > 0 else lengths.get(axis, 1) for axis, n in enumerate(declared.shape))


def model_body(model: Model, shapes: Mapping[str, tuple[int, ...]]) -> ModelBody:
    """The body of a model, siblings joined and pooled skips moved as the stage `network` does.

    Args:
        shapes: of the inputs by name, (1, channels, height, width).

    Raises:
        DefinitionError: something in the model is not understood; one sentence.
    """
    try:
        types = {one.name: _image(one, shapes[one.name]) for one in model.inputs}
        tensors = {one.name: bound_input(one, types[one.name], input_volume(number, types[one.name]))
                   for number, one in enumerate(model.inputs)}  # fmt: skip
        made = {name: settled(tensor) for name, tensor in imported(model, tensors).outputs.items()}
    except ExprError as error:
        raise DefinitionError(f"{model.file}: {error}") from None
    for rewritten in (joined, with_pooled_skips):
        new = rewritten([tensor.volume for tensor in made.values()]).new
        made = {name: tensor.over(new[tensor.volume]) for name, tensor in made.items()}
    outputs = tuple(Output(name, ImageType(t.volume.dtype, *t.size, t.volume.channels), (t.volume,))
                    for name, t in made.items())  # fmt: skip
    body = Body(tuple(types[one.name] for one in model.inputs), outputs, {}, {})
    verify(body)
    return ModelBody(body, made)


def _image(declared: Declared, shape: tuple[int, ...]) -> ImageType:
    if len(shape) != 4:
        raise ExprError(f"input {declared.name!r} has {len(shape)} axes, not (1, channels, height, width)")
    return ImageType(dtype_of(np.dtype(declared.dtype)), shape[2], shape[3], shape[1])


def frame_of(array: Array) -> Array:
    """What a body gets of an input (1, channels, height, width): an image (height, width[, channels])."""
    turned = np.ascontiguousarray(array[0].transpose(1, 2, 0))
    return turned if turned.shape[2] > 1 else turned[..., 0]
