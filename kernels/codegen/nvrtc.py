"""NVRTC by its C interface: CUDA text to cubin for any architecture, with no GPU, no driver and no CuPy.

The library comes with the wheel `nvidia-cuda-nvrtc` (CUDA 13; `nvidia-cuda-nvrtc-cu12` for 12) or lies where the
system's loader finds it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kernels.codegen.cuda_launch import OPTIONS
from kernels.compiling import compiling

FAST = "--Ofast-compile=min"
"""The option of newer NVRTCs that leaves out what takes compilers long. Of a text with functions that call each other,
ptxas distributes the registers of all of them together: of the 90 loops of regions that took 40 s of a core, made 1.8
MB of code and spilt 476 bytes a thread. With this option it takes 6 s, makes 1.2 MB and spills 12 bytes. Operations are
the same."""
ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")


class NvrtcError(RuntimeError):
    """NVRTC is not there, or refuses a text."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one kernel takes of a multiprocessor, as ptxas reports it.

    Args:
        registers: of a thread.
        spills: bytes that a thread stores because registers do not suffice.
        stack: bytes of a thread's local memory.
        shared: bytes of static shared memory.
    """

    registers: int
    spills: int
    stack: int
    shared: int


@dataclass(frozen=True, slots=True)
class Compiled:
    """Machine code for one architecture, what each kernel uses, the compiler's log."""

    cubin: bytes
    usage: dict[str, Usage]
    log: str


@cache
def _library() -> ctypes.CDLL:
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    raise NvrtcError("NVRTC is not installed; install the wheel nvidia-cuda-nvrtc")


def _candidates() -> list[str]:
    found: list[str] = []
    try:
        spec = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        spec = None
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        for pattern in ("*/lib/libnvrtc.so.*", "*/bin/nvrtc64_*.dll", "*/bin/*/nvrtc64_*.dll"):
            found += [str(p) for p in sorted(Path(folder).glob(pattern)) if "alt" not in p.name]
    system = ctypes.util.find_library("nvrtc")
    return found + ([system] if system is not None else [])


def available() -> bool:
    """Whether texts can be compiled here."""
    try:
        _library()
    except NvrtcError:
        return False
    return True


def version() -> tuple[int, int]:
    """Of NVRTC, major and minor."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def options_of(text: str) -> tuple[str, ...]:
    """The options under which a text is compiled.

    >>> options_of("__device__ __noinline__ double f(double a) { return a; }")[-1]
    '--Ofast-compile=min'
    """
    return (*OPTIONS, FAST) if "__noinline__" in text else OPTIONS


def compile_text(text: str, architecture: str = "sm_90", options: Sequence[str] | None = None) -> Compiled:
    """Machine code of a CUDA text.

    Args:
        text: all of it; NVRTC has no system headers.
        architecture: such as sm_90 (machine code), or compute_90 (PTX in place of the cubin).
        options: of NVRTC besides the architecture; None for `options_of` the text.

    Raises:
        NvrtcError: there is no NVRTC, or the text has an error; holds the log.
    """
    lib = _library()
    program = ctypes.c_void_p()
    _check(lib, lib.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"fused.cu", 0, None, None))
    try:
        asked = options_of(text) if options is None else tuple(options)
        # -v has ptxas say registers and spills, which `usage` reads.
        listed = [f"--gpu-architecture={architecture}", *asked, "--ptxas-options=-v"]
        code, log = _compiled(lib, program, listed)
        if code and FAST in asked and "unrecognized option" in log:  # an older NVRTC
            code, log = _compiled(lib, program, [o for o in listed if o != FAST])
        if code:
            raise NvrtcError(f"NVRTC refuses the text for {architecture}:\n{log}")
        made = _bytes(lib, program, "CUBIN" if architecture.startswith("sm_") else "PTX")
    finally:
        lib.nvrtcDestroyProgram(ctypes.byref(program))
    return Compiled(made, usage(log), log)


def _compiled(lib: ctypes.CDLL, program: ctypes.c_void_p, options: Sequence[str]) -> tuple[int, str]:
    """What NVRTC answers, and its log."""
    array = (ctypes.c_char_p * len(options))(*(o.encode() for o in options))
    with compiling():
        code = int(lib.nvrtcCompileProgram(program, len(options), array))
    return code, _bytes(lib, program, "ProgramLog").rstrip(b"\0").decode(errors="replace")


def _check(lib: ctypes.CDLL, code: int) -> None:
    if code:
        lib.nvrtcGetErrorString.restype = ctypes.c_char_p
        raise NvrtcError(f"NVRTC: {lib.nvrtcGetErrorString(code).decode()}")


def _bytes(lib: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _check(lib, getattr(lib, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    _check(lib, getattr(lib, f"nvrtcGet{what}")(program, buffer))
    return buffer.raw


def usage(log: str) -> dict[str, Usage]:
    """What ptxas says of each kernel in a log.

    >>> log = '''ptxas info    : Compiling entry function 'blur' for 'sm_90'
    ... ptxas info    : Function properties for blur
    ...     8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
    ... ptxas info    : Used 32 registers, used 1 barriers, 8 bytes cumulative stack size, 64 bytes smem'''
    >>> usage(log)
    {'blur': Usage(registers=32, spills=4, stack=8, shared=64)}
    """
    found: dict[str, Usage] = {}
    name, stack, spills = "", 0, 0
    # Lines of one kernel follow one another; device functions have frames of their own, but no "Used" line.
    for line in log.splitlines():
        if entry := re.search(r"entry function '(\w+)'", line):
            name, stack, spills = entry[1], 0, 0
        if frame := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", line):
            stack, spills = int(frame[1]), int(frame[2])
        if (used := re.search(r"Used (\d+) registers", line)) and name:
            shared = re.search(r"(\d+) bytes smem", line)
            found[name] = Usage(int(used[1]), spills, stack, int(shared[1]) if shared else 0)
            name = ""
    return found
