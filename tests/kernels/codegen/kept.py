"""CUDA programs that were made before in this process: tests on emulated devices ask for the same ones again and again,
and to make one takes longer than to run it on a few small frames."""

from __future__ import annotations

from typing import Any

from kernels.codegen import cuda as made
from kernels.codegen.cuda_launch import CudaProgram
from kernels.executors.manifest import key_of
from kernels.ir.body import Body

MOST = 64
_KEPT: dict[tuple[Any, ...], CudaProgram] = {}


def cuda(body: Body, **options: Any) -> CudaProgram:
    """As `kernels.codegen.cuda.cuda`; that it gives the same text every time is tested in `test_cuda.py`."""
    names = tuple((output.name, output.words) for output in body.outputs)
    key = key_of(body, ()), names, repr(sorted(body.params.items())), repr(sorted(options.items()))
    if key not in _KEPT or not key[0]:
        _KEPT[key] = made.cuda(body, **options)
        if len(_KEPT) > MOST:
            del _KEPT[next(iter(_KEPT))]
    return _KEPT[key]
