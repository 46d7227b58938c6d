"""Point-wise bodies as cupy.ElementwiseKernel. Knows CuPy only as what it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.codegen.cuda import ElementwiseText, elementwise
from kernels.codegen.cuda_exact import exact
from kernels.codegen.cuda_launch import CudaKernel
from kernels.executors.cuda_results import memory_type
from kernels.fusion.normal import Unsupported, normalise
from kernels.ir.body import Body
from kernels.ir.expr import postorder
from kernels.ir.image import BOOL, DType, ImageType
from kernels.param import Value


def exact_elements(body: Body) -> ElementwiseText | None:
    """The parts of an ElementwiseKernel that gives the reference's bits; None where there is none.

    CuPy compiles such kernels with -ftz=true, so floats are computed by instructions that keep subnormal numbers.
    """
    if body.host is not None or any(output.table is not None for output in body.outputs):
        return None
    try:
        text = elementwise(body)
    except Unsupported:
        return None
    if not text.planes:
        return None
    roots = [root for planes in normalise(body).outputs for root in planes]
    return exact(text) if any(node.dtype.is_float for node in postorder(roots)) else text


class ElementwiseLauncher:
    """Launches a cupy.ElementwiseKernel with the arguments of a program's only kernel.

    Args:
        cupy: the module.
        body: what it computes.
        kernel: whose arguments come.
        text: the parts.
    """

    def __init__(self, cupy: Any, body: Body, kernel: CudaKernel, text: ElementwiseText) -> None:
        self._cupy, self._body, self._arguments, self._text = cupy, body, kernel.arguments, text
        self._kernel = cupy.ElementwiseKernel(
            text.in_params, text.out_params, text.operation, "fused_elements", preamble=text.preamble,
            options=("--fmad=false",),
        )  # fmt: skip
        self._live = {str(a.key): memory_type(a.dtype) for a in kernel.live if a.kind == "param"}
        self._numbers: dict[str, np.generic] = {}

    def take(self, values: Mapping[str, Value]) -> None:
        """The launches that come have these values of the parameters in them."""
        self._numbers = {name: type_.type(values[name]) for name, type_ in self._live.items()}

    def __call__(
        self, grid: Any, block: Any, arguments: Sequence[np.generic], shared_mem: int, stream: Any  # noqa: ARG002
    ) -> None:
        given = {(a.kind, a.key): value for a, value in zip(self._arguments, arguments, strict=True)}
        frames = next(int(value) for (kind, _), value in given.items() if kind == "frames")
        images: dict[tuple[str, int], Any] = {}
        for number, type_ in enumerate(self._body.inputs):
            if isinstance(type_, ImageType) and ("input", number) in given:
                images["input", number] = self._image(given["input", number], frames, type_)
        for number, output in enumerate(self._body.outputs):
            assert isinstance(output.type, ImageType)
            images["output", number] = self._image(given["output", output.name], frames, output.type)
        listed = [_channel(images["input", i], c) for i, c in self._text.planes]
        listed += [self._numbers[name] for name in self._text.params]
        listed += [_channel(images["output", i], c) for i, c in self._text.outputs]
        with stream:
            self._kernel(*listed)

    def _image(self, address: np.generic, frames: int, type_: ImageType) -> Any:
        shape, dtype = (frames, *type_.shape), _memory(type_.dtype)
        memory = self._cupy.cuda.UnownedMemory(int(address), int(np.prod(shape)) * dtype.itemsize, None)
        return self._cupy.ndarray(shape, dtype, self._cupy.cuda.MemoryPointer(memory, 0))


def _channel(image: Any, channel: int) -> Any:
    return image if image.ndim == 3 else image[..., channel]


def _memory(dtype: DType) -> np.dtype[Any]:
    return np.dtype(np.bool_) if dtype == BOOL else dtype.numpy
