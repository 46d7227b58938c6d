"""Runs the unmodified text of a CUDA kernel on the processor.

    emulator = Emulator()
    kernel = emulator.kernel(text, "blur")
    report = kernel.run((8, 8), (32, 8), (In(image), Out(result), np.int32(width)), seed=3)
    report = kernel.check((8, 8), (32, 8), (In(image), Out(result), np.int32(width)))

`run` is fast; `check` watches every access and counts it. Both raise KernelFaultError with all that was found. A `run`
that goes beyond an array by a page, or otherwise where nothing is, is stopped, and checked to say where.
"""

from __future__ import annotations

import _ctypes
import ctypes
import re
import threading
import weakref
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tests.emulator.binding import ORDERS, Launch, Region
from tests.emulator.compiler import Compiler, default_compiler, kernel_library
from tests.emulator.elf import Library
from tests.emulator.findings import Names, report_of
from tests.emulator.memory import Buffer, DeviceMemory, In, InOut, Out, stacks
from tests.emulator.report import KernelFaultError, Report

Argument = Buffer | np.generic
_SHARED_LIMIT = 232448
_ONE_AT_A_TIME = threading.Lock()
"""A launch takes the process's signals."""
_DYNAMIC = re.compile(r"\bextern\s+__shared__(?P<type>[^;]*?)\b(?P<name>\w+)\s*\[\s*\]\s*;")
_KERNEL = re.compile(r'extern "C"(\s+__global__\s+void\s+(?:__launch_bounds__\([\w\s,]*\)\s+)?(\w+)\s*\()')
_FUNCTION = re.compile(r"^(__device__ __noinline__ [^{};]*?)(\n\{\n.*?^\}$)", re.MULTILINE | re.DOTALL)
_DOT = re.compile(r'\basm(?:\s+volatile)?\("dp4a\.([us])32\.([us])32 %0, %1, %2, %3;" : "=r"\((\w+)\) : '
                  r'"r"\((\w+)\), "r"\((\w+)\), "r"\((\w+)\)\);')
_CONVERTED = re.compile(r'\basm\("cvt\.(\w+)\.(\w+)\.f32 %0, %1;" : "=\w"\((\w+)\) : "f"\((\w+)\)\);')
_MMA = re.compile(r'\basm\s+volatile\("mma\.sync\.aligned\.(\w+)\.row\.col\.\w+\.(\w+)\.(\w+)\.\w+ [^:]*'
                  r':([^:;]*):([^:;]*)\);')
_RELAXED = re.compile(r"\*\(const volatile ([\w ]+?) ?\*\)(\w+|\([^()]*\))")
_OPERAND = re.compile(r'"[+=]?\w"\(([^()]*)\)')
SWITCHING = {"shuffled": 64, "lockstep": 256}
"""How likely, of 256, a thread lets others come first at an atomic."""
_GLUE = """
#line 1 "glue"
#undef memcpy
#undef memset
extern "C" __attribute__((visibility("default"))) void emu_parameters(int *sizes, int *kinds) {{
    emu_signature({name}, sizes, kinds);
}}
extern "C" void emu_entry(void **arguments) {{ emu_call({name}, arguments); }}
"""


class Emulator:
    """Kernels compiled by one C++ compiler.

    Args:
        compiler: default: the first of this machine.

    Raises:
        NoCompilerError: there is none.
    """

    def __init__(self, compiler: Compiler | None = None) -> None:
        self.compiler = compiler or default_compiler()

    def kernel(self, text: str, name: str) -> Kernel:
        """A kernel of a text; `name` may be a template instance, as `blur<5>`."""
        return Kernel(self.compiler, text, name)


def _sources(text: str, name: str) -> tuple[str, str]:
    """The C++ sources: of the functions that are not to be inlined, or nothing if there are none, and of the kernel.

    All is the text as it is, but for the word that makes shared memory dynamic, and for dp4a, mma and conversions in
    PTX. Other kernels of the text are made local, so that the compiler drops them as unused once it has read them. The
    functions before all kernels, the loops of regions above all, are the same in many texts and compiled once for all.
    """
    first = _KERNEL.search(text)
    before = text[: first.start()] if first else ""
    functions = _source(before) if _FUNCTION.search(before) else ""
    if functions:
        text = _declarations(before) + text[len(before) :]
    text = _KERNEL.sub(lambda found: found[0] if found[2] == name else f"static inline{found[1]}", text)
    return functions, f"{_source(text)}\n{_GLUE.format(name=name)}"


@lru_cache(maxsize=8)
def _declarations(text: str) -> str:
    """The text with functions that are not to be inlined as declarations, on the same lines."""
    return _FUNCTION.sub(lambda found: found[1] + ";" + "\n" * found[2].count("\n"), text)


@lru_cache(maxsize=8)
def _source(text: str) -> str:
    """C++ of a text or a part of it."""
    dynamic = sorted({match["name"] for match in _DYNAMIC.finditer(text)})
    head = "".join(f'asm(".hidden {each}\\n.set {each}, emu_dynamic_shared");\n' for each in dynamic)
    body = re.sub(r"\bextern(\s+)__shared__", r"extern\1EMU_DYNAMIC", text)
    body = _DOT.sub(r"\3 = emu_dp4a_\1\2(\4, \5, \6);", body)
    body = _CONVERTED.sub(r"\3 = emu_cvt_\1_\2_f32(\4);", body)
    body = _MMA.sub(lambda f: f"emu_mma_{f[1]}_{f[2]}_{f[3]}({', '.join(_OPERAND.findall(f[4] + f[5]))});", body)
    body = _RELAXED.sub(r"emu_relaxed_load((const volatile \1 *)\2)", body)
    return f'#include "shim.hpp"\n{head}#line 1 "kernel.cu"\n{body}'


class Kernel:
    """One kernel: `run` it fast, or `check` it."""

    def __init__(self, compiler: Compiler, text: str, name: str) -> None:
        self.compiler, self.text, self.name = compiler, text, name
        self._loaded: dict[bool, _Loaded] = {}

    def run(self, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Argument], shared_bytes: int = 0, *,
            seed: int = 0, order: str = "shuffled", ftz: bool = False, faults: str = "raise",
            limit_s: int = 60, blocks: int = 2) -> Report:  # fmt: skip
        """Run a launch; outputs and states are written into the arrays given.

        Args:
            grid: blocks along x, y, z; trailing ones may be left out.
            block: threads along x, y, z.
            arguments: `In`, `Out`, `InOut` for pointers, NumPy scalars of the parameter's exact type for numbers (CuPy
                too would pass a Python float as a double).
            shared_bytes: of dynamic shared memory.
            seed: of the order of blocks, warps and threads, and of the poison in shared memory and outputs.
            order: "shuffled": threads also change at atomics and relaxed loads (`*(const volatile int *)place`), with a
                probability of 1/4; "lockstep": all threads come to one of these before any goes on; "forward" or
                "reverse": at barriers alone.
            ftz: denormal floats are flushed to zero, as by `-ftz=true`.
            faults: "raise", or "report" to have them in the report alone.
            limit_s: seconds of the processor after which the launch is stopped.
            blocks: that are alive at once, where threads change at atomics.

        Raises:
            CompileError: the compiler refuses the text.
            KernelFaultError: the kernel did something wrong; outputs are written all the same.
            TypeError: an argument does not fit its parameter.
            ValueError: a size that no device has.
        """
        return self._launch(False, grid, block, arguments, shared_bytes, seed, order, ftz, faults, limit_s, blocks)

    def check(self, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Argument], shared_bytes: int = 0, *,
              seed: int = 0, order: str = "shuffled", ftz: bool = False, faults: str = "raise",
              limit_s: int = 60) -> Report:  # fmt: skip
        """As `run`, with every access watched and counted (some twenty times slower), a block after the other."""
        return self._launch(True, grid, block, arguments, shared_bytes, seed, order, ftz, faults, limit_s, 1)

    def load(self, checked: bool) -> _Loaded:
        """The compiled kernel (compiles it at the first call)."""
        if checked not in self._loaded:
            self._loaded[checked] = _Loaded(self.compiler, self.text, self.name, checked)
        return self._loaded[checked]

    def _launch(self, checked: bool, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Argument],
                shared_bytes: int, seed: int, order: str, ftz: bool, faults: str,
                limit_s: int, blocks: int) -> Report:  # fmt: skip
        if faults not in ("raise", "report"):
            raise ValueError(f'faults is "raise" or "report", not {faults!r}')
        sizes = [(*given, 1, 1)[:3] for given in (grid, block)]
        _check_sizes(sizes[0], sizes[1], shared_bytes)
        loaded = self.load(checked)
        memories, values = loaded.prepare(arguments, seed, not checked)
        packed = _packed(values)
        regions = [Region(memory.address, memory.size, memory.mode, 0) for memory in memories.values()]
        shared = [Region(loaded.dynamic, shared_bytes, 2, 1)] if shared_bytes else []
        shared += [Region(loaded.base + each.address, each.size, 2, 1) for each in loaded.shared]
        regions += shared
        if len(regions) > 64:
            raise ValueError(f"{len(regions)} arrays and shared variables; the emulator follows 64 at most")
        array = (Region * max(len(regions), 1))(*regions)
        launch = Launch(tuple(sizes[0]), tuple(sizes[1]), shared_bytes, seed, ORDERS[order], ftz,
                        limit_s, 0, SWITCHING.get(order, 0), blocks, packed.ctypes.data, packed.nbytes, array,
                        len(regions), 0,
                        loaded.base, loaded.base + loaded.library.end)  # fmt: skip
        with _ONE_AT_A_TIME:
            launch.stacks = stacks(blocks * int(np.prod(sizes[1])))
            loaded.run(ctypes.byref(launch))
        shared_names = ["dynamic shared memory"] * bool(shared_bytes) + [each.name for each in loaded.shared]
        names = Names(self.text, self.name, list(memories), shared_names, loaded.base, loaded.library,
                      _places(launch, loaded.base))  # fmt: skip
        report = report_of(launch, names, () if checked else tuple(memories.values()))
        if not checked and any(found.kind == "crash" for found in report.findings):
            again = self._launch(True, grid, block, [_copied(a) for a in arguments], shared_bytes, seed, order, ftz,
                                 "report", limit_s, 1)  # fmt: skip
            report = replace(report, findings=(*again.findings, *report.findings))
        for memory in memories.values():
            memory.give_back()
            memory.leave()
        if report.findings and faults == "raise":
            raise KernelFaultError(f"{self.name} (order {order}, seed {seed})", report)
        return report


def _copied(argument: Argument) -> Argument:
    return argument if isinstance(argument, np.generic) else type(argument)(argument.array.copy())


def _check_sizes(grid: Sequence[int], block: Sequence[int], shared_bytes: int) -> None:
    if min(*grid, *block) < 1:
        raise ValueError(f"a launch of {tuple(grid)} blocks of {tuple(block)} threads is empty")
    if block[0] * block[1] * block[2] > 1024 or block[2] > 64:
        raise ValueError(f"a block has at most 1024 threads (64 along z), not {tuple(block)}")
    if grid[1] > 65535 or grid[2] > 65535:
        raise ValueError(f"a grid has at most 65535 blocks along y and z, not {tuple(grid)}")
    if not 0 <= shared_bytes <= _SHARED_LIMIT:
        raise ValueError(f"{shared_bytes} bytes of shared memory; no device has more than {_SHARED_LIMIT}")


def _places(launch: Launch, base: int) -> list[int]:
    """Relative addresses of the calls that brought what a launch reports."""
    found = [place for each in launch.findings[: launch.n_findings] for place in (each.where, each.other)]
    found += [launch.sites[i].where for i in range(launch.n_sites)]
    return [place - base - 1 for place in found if place >= 2**32]


def _packed(values: Sequence[bytes]) -> NDArray[np.uint8]:
    """The addresses of the values, then the values, each aligned to 16 bytes."""
    offsets = np.cumsum([8 * len(values) + 16] + [-(-len(value) // 16) * 16 for value in values])
    packed = np.zeros(int(offsets[-1]) + 16, np.uint8)
    first = -packed.ctypes.data % 16
    packed = packed[first:]
    for index, value in enumerate(values):
        at = int(offsets[index]) // 16 * 16
        packed[at : at + len(value)] = np.frombuffer(value, np.uint8)
        packed[8 * index : 8 * index + 8] = np.frombuffer(np.uint64(packed.ctypes.data + at).tobytes(), np.uint8)
    return packed


class _Loaded:
    """A compiled kernel in this process."""

    def __init__(self, compiler: Compiler, text: str, name: str, checked: bool) -> None:
        path = kernel_library(compiler, *_sources(text, name), checked)
        self.library = Library(path)
        compiler.load_runtime()
        self._handle = ctypes.CDLL(str(path))
        weakref.finalize(self, _ctypes.dlclose, self._handle._handle)
        self._handle.emu_base.restype = self._handle.emu_dynamic.restype = ctypes.c_void_p
        self.base = int(self._handle.emu_base())
        self.dynamic = int(self._handle.emu_dynamic())
        self.run = self._handle.emu_run
        self.run.restype = None
        self.shared = [each for each in self.library.variables
                       if each.section == "emu_shared" and "emu_gap_" not in each.name and each.size]  # fmt: skip
        sizes, kinds = (ctypes.c_int * 256)(), (ctypes.c_int * 256)()
        self._handle.emu_parameters(sizes, kinds)
        count = list(sizes).index(0)
        self.parameters = [(sizes[i], chr(kinds[i])) for i in range(count)]
        self.name = name

    def prepare(
        self, arguments: Sequence[Argument], seed: int, fenced: bool
    ) -> tuple[dict[int, DeviceMemory], list[bytes]]:
        """Device memory by argument, and the bytes of all values."""
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.name} takes {len(self.parameters)} arguments, not {len(arguments)}")
        memories: dict[int, DeviceMemory] = {}
        values: list[bytes] = []
        for index, (argument, (size, kind)) in enumerate(zip(arguments, self.parameters, strict=True)):
            if isinstance(argument, In | Out | InOut):
                if kind not in "pc":
                    raise TypeError(f"argument {index} of {self.name} is an array, its parameter is none")
                memories[index] = DeviceMemory(argument, seed + index, fenced)
                values.append(np.uint64(memories[index].address).tobytes())
                continue
            if not isinstance(argument, np.generic):
                raise TypeError(f"argument {index} of {self.name} is {argument!r}; wrap arrays in In, Out or InOut and "
                                "numbers in a NumPy scalar type")  # fmt: skip
            fits = {"V": "s"}.get(argument.dtype.kind, argument.dtype.kind) == kind and argument.nbytes == size
            if not fits:
                raise TypeError(f"argument {index} of {self.name} is a {argument.dtype}, its parameter "
                                f"a {kind}{size}")  # fmt: skip
            values.append(argument.tobytes())
        return memories, values
