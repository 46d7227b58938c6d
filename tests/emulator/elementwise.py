"""Bodies of `cupy.ElementwiseKernel`, wrapped into a kernel as CuPy wraps them.

In the body `i` is the index of the element (ptrdiff_t), `_ind` the indexer; parameters are named elements, `raw` ones
are arrays with `[]` and `size()`. Types are NumPy's names, as in CuPy ("float" is float64!), or one capital letter,
which stands for the type of the argument.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.emulator.emulator import Argument, Emulator, Kernel
from tests.emulator.memory import In, InOut, Out
from tests.emulator.report import Report

_C_NAMES = {
    "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short",
    "int32": "int", "uint32": "unsigned int", "int64": "long long", "uint64": "unsigned long long",
    "float32": "float", "float64": "double",
}  # fmt: skip
_TEMPLATE = """\
template <class T> struct _Raw {{
    T* const _data;
    const ptrdiff_t _size;
    __device__ T& operator[](ptrdiff_t at) const {{ return _data[at]; }}
    __device__ ptrdiff_t size() const {{ return _size; }}
}};
struct _Indexer {{
    const ptrdiff_t _size;
    ptrdiff_t _at[1];
    __device__ ptrdiff_t size() const {{ return _size; }}
    __device__ void set(ptrdiff_t at) {{ _at[0] = at; }}
    __device__ const ptrdiff_t* get() const {{ return _at; }}
}};
{typedefs}
{preamble}
extern "C" __global__ void {name}({parameters}) {{
    _Indexer _ind = {{_n, {{0}}}};
    {raws}
    {loop_prep};
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < _ind.size();
         i += (ptrdiff_t)blockDim.x * gridDim.x) {{
        _ind.set(i);
        {elements}
        {operation};
    }}
    {after_loop};
}}
"""


@dataclass(frozen=True, slots=True)
class _Parameter:
    kind: str  # NumPy's name of the type, or a capital letter
    name: str
    raw: bool
    out: bool


def _parameters(text: str, out: bool) -> list[_Parameter]:
    parts = [part.split() for part in text.split(",") if part.strip()]
    for part in parts:
        if len(part) != 2 + (part[0] == "raw") or part[-1] in ("i", "n") or part[-1].startswith("_"):
            raise ValueError(f"{' '.join(part)!r} is no parameter of an ElementwiseKernel")
    return [_Parameter(part[-2], part[-1], part[0] == "raw", out) for part in parts]


class Elementwise:
    """An ElementwiseKernel for the emulator.

    Args:
        emulator: what compiles it.
        in_params: as CuPy's, for instance "float32 x, raw uint8 y".
        out_params: as CuPy's.
        operation: the body.
        name: of the kernel.
        preamble: text before the kernel.
        loop_prep: text before the loop.
        after_loop: text after it.
    """

    def __init__(self, emulator: Emulator, in_params: str, out_params: str, operation: str, name: str = "kernel",
                 preamble: str = "", loop_prep: str = "", after_loop: str = "") -> None:  # fmt: skip
        self.emulator, self.operation, self.name, self.preamble = emulator, operation, name, preamble
        self.loop_prep, self.after_loop = loop_prep, after_loop
        self.parameters = _parameters(in_params, False) + _parameters(out_params, True)
        self._kernels: dict[str, Kernel] = {}

    def text(self, dtypes: Sequence[np.dtype[Any]], scalars: Sequence[bool]) -> str:
        """The kernel for arguments of these types; scalars are passed by value."""
        letters: dict[str, str] = {}
        places, raws, elements = [], [], []
        for parameter, dtype, scalar in zip(self.parameters, dtypes, scalars, strict=True):
            c_name = _C_NAMES[dtype.name]
            if re.fullmatch("[A-Z]", parameter.kind):
                if letters.setdefault(parameter.kind, c_name) != c_name:
                    raise TypeError(f"{parameter.kind} is {letters[parameter.kind]} and {c_name}")
            elif np.dtype(parameter.kind) != dtype:
                raise TypeError(f"argument {parameter.name!r} is {dtype}, its parameter {np.dtype(parameter.kind)}")
            const = "" if parameter.out else "const "
            if scalar:
                places.append(f"{const}{c_name} {parameter.name}")
            else:
                places.append(f"{const}{c_name}* __restrict__ _raw_{parameter.name}")
                if parameter.raw:
                    places.append(f"const ptrdiff_t _size_{parameter.name}")
                    raws.append(f"const _Raw<{const}{c_name}> {parameter.name} = "
                                f"{{_raw_{parameter.name}, _size_{parameter.name}}};")  # fmt: skip
                else:
                    elements.append(f"{const}{c_name}& {parameter.name} = _raw_{parameter.name}[_ind.get()[0]];")
        return _TEMPLATE.format(
            name=self.name, preamble=self.preamble, operation=self.operation, loop_prep=self.loop_prep,
            after_loop=self.after_loop, typedefs=" ".join(f"typedef {c} {letter};" for letter, c in letters.items()),
            parameters=", ".join([*places, "const ptrdiff_t _n"]), raws=" ".join(raws), elements=" ".join(elements),
        )  # fmt: skip

    def __call__(self, *arguments: NDArray[Any] | np.generic, size: int | None = None, block_size: int = 128,
                 seed: int = 0, order: str = "shuffled", ftz: bool = False, check: bool = False,
                 faults: str = "raise") -> Report:  # fmt: skip
        """Run it over all elements, once for each; outputs are given as the last arguments.

        Args:
            arguments: arrays or NumPy scalars; those that are not raw are broadcast to one shape.
            size: number of elements where all arrays are raw.
            block_size: threads of a block.
            seed: see Kernel.run.
            order: see Kernel.run.
            ftz: see Kernel.run.
            check: watch and count every access.
            faults: see Kernel.run.

        Raises:
            TypeError: an argument does not fit its parameter.
            ValueError: shapes that do not go together, or no size.
        """
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.name} takes {len(self.parameters)} arguments, not {len(arguments)}")
        pairs = list(zip(self.parameters, arguments, strict=True))
        walked = [value.shape for parameter, value in pairs if isinstance(value, np.ndarray) and not parameter.raw]
        if size is None and not walked:
            raise ValueError(f"all arrays of {self.name} are raw: give size")
        shape = np.broadcast_shapes(*walked) if size is None else (size,)
        given: list[Argument] = []
        for parameter, value in pairs:
            if not isinstance(value, np.ndarray):
                given.append(value)
                continue
            if parameter.out and not parameter.raw and value.shape != shape:
                raise ValueError(f"output {parameter.name!r} has shape {value.shape}, not {shape}")
            whole = value if parameter.raw or parameter.out else np.ascontiguousarray(np.broadcast_to(value, shape))
            writes = InOut(whole) if parameter.raw else Out(whole)
            given.append(writes if parameter.out else In(whole))
            if parameter.raw:
                given.append(np.int64(value.size))
        count = int(np.prod(shape, dtype=np.int64))
        if count == 0:
            raise ValueError(f"{self.name} has no elements to work on")
        scalars = [not isinstance(value, np.ndarray) for _, value in pairs]
        text = self.text([value.dtype for _, value in pairs], scalars)
        if text not in self._kernels:
            self._kernels[text] = self.emulator.kernel(text, self.name)
        kernel = self._kernels[text]
        launch = kernel.check if check else kernel.run
        blocks = -(-count // block_size)
        given.append(np.int64(count))
        return launch((blocks,), (block_size,), given, seed=seed, order=order, ftz=ftz, faults=faults)
