"""A C++ compiler of this machine, and what it has compiled, kept in the temporary folder."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
_KEPT_S = 2 * 86400.0  # without use
_HEADERS = ("interface.hpp", "shim.hpp", "vectors.hpp", "intrinsics.hpp", "tensor.hpp")
_MACHINE = ("interface.hpp", "machine.hpp", "fiber.hpp", "signals.hpp", "atomics.hpp", "checker.hpp",
            "counts.hpp", "runtime.cpp")  # fmt: skip
_COMMON = ("-std=c++17", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-w",
           "-fno-threadsafe-statics", "-fno-strict-aliasing", "-fno-stack-protector", "-fwrapv",
           "-fsigned-char")  # fmt: skip
_EXACT = ("-ffp-contract=off", "-fno-math-errno")
# To make a kernel fast takes longer than it runs, on the few small frames of tests. (From -O2 on g++ 12 makes wrong
# vectors of bools that a loop of four looks at: select of equal values, one byte stored of four.)
_PLAIN = ("-O0",)
# A checked kernel does the loads and stores of the text: nothing joins, splits or replaces them. elf.py reads DWARF 4,
# of it the lines alone: to write where variables are, too (-g), takes a third of the compilation.
_CHECKED = ("-O1", "-gdwarf-4", "-g1", "-DEMU_CHECK", "-fsanitize=thread",
            "-fsanitize=float-cast-overflow,shift-exponent,integer-divide-by-zero")  # fmt: skip
_CHECKED_CLANG = ("-fsanitize=array-bounds", "-fno-sanitize-trap=all", "-fno-vectorize", "-fno-slp-vectorize",
                  "-mllvm", "-tsan-instrument-read-before-write=1",
                  "-mllvm", "-disable-block-placement", "-fsanitize-coverage=bb,no-prune,trace-pc")  # fmt: skip
_CHECKED_GCC = ("-fsanitize=bounds", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-store-merging",
                "-fno-tree-loop-distribute-patterns", "-fno-toplevel-reorder", "-fsanitize-coverage=trace-pc",
                "-fno-reorder-blocks", "-finline-functions", "-finline-small-functions")  # fmt: skip


class NoCompilerError(Exception):
    """There is nothing on this machine that could compile a kernel text."""


class CompileError(Exception):
    """The compiler refused the kernel text; the message is the compiler's own."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """One C++ compiler: how it is called and what it calls itself."""

    command: tuple[str, ...]
    version: str

    @property
    def is_gcc(self) -> bool:
        return "clang" not in self.version

    def kernel_flags(self, checked: bool) -> tuple[str, ...]:
        """Flags for a kernel text: exact floats in both; with callbacks at every access in a checked one."""
        machine = ("-msse4.1",) if platform.machine() in ("x86_64", "AMD64") else ()
        flags = (*_COMMON, *_EXACT, *machine)
        if not checked:
            return (*flags, *_PLAIN)
        return (*flags, *_CHECKED, *(_CHECKED_GCC if self.is_gcc else _CHECKED_CLANG))

    @property
    def link_flags(self) -> tuple[str, ...]:
        """Flags for a library: g++'s linker reads no others, which takes as long as to compile a small kernel;
        what is needed of them is found as the kernel is loaded (see `load_runtime`)."""
        return ("-nodefaultlibs",) if self.is_gcc else ("-lm",)

    def load_runtime(self) -> None:
        """Make the libraries of C and C++ known to those that are loaded from now on."""
        if self.is_gcc:
            for name in ("libm.so.6", "libstdc++.so.6"):
                ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)

    def run(self, *arguments: str) -> None:
        """Call the compiler.

        Raises:
            CompileError: it failed.
        """
        done = subprocess.run([*self.command, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise CompileError(done.stderr.strip() or f"{self.command[0]} failed with code {done.returncode}")


@cache
def compilers() -> tuple[Compiler, ...]:
    """All compilers of this machine.

    These are g++, clang++, and the one in the Python package ziglang, if installed; first of
    all the one that the environment variable CXX names.
    """
    if not sys.platform.startswith("linux"):
        return ()
    wish = os.environ.get("CXX")
    commands: list[tuple[str, ...]] = [tuple(shlex.split(wish))] if wish else []
    commands += [(path,) for name in ("g++", "clang++") if (path := shutil.which(name))]
    if importlib.util.find_spec("ziglang"):
        commands.append((sys.executable, "-m", "ziglang", "c++"))
    found = []
    for command in commands:
        with suppress(OSError):  # CXX may name what is not there
            done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
            if done.returncode == 0 and done.stdout:
                found.append(Compiler(command, done.stdout.splitlines()[0]))
    return tuple(found)


def default_compiler() -> Compiler:
    """The first of them.

    Raises:
        NoCompilerError: there is none.
    """
    if not compilers():
        raise NoCompilerError("no C++ compiler: install g++ or clang++, or the Python package ziglang (Linux)")
    return compilers()[0]


@cache
def _source(names: tuple[str, ...]) -> bytes:
    return b"\0".join(name.encode() + (HERE / name).read_bytes() for name in names if (HERE / name).exists())


@cache
def folder() -> Path:
    """Where compiled kernels are kept: a folder of this user alone."""
    path = Path(tempfile.gettempdir()) / f"fusetrack-emulator-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    if path.stat().st_uid != os.getuid():
        return Path(tempfile.mkdtemp(prefix="fusetrack-emulator-"))
    for each in (*path.glob("*.so"), *path.glob("*.functions")):
        with suppress(FileNotFoundError):  # another process clears it too
            if each.stat().st_mtime < time.time() - _KEPT_S:
                each.unlink()
    return path


def _kept(key: tuple[object, ...], sources: bytes, suffix: str) -> Path:
    digest = hashlib.sha256(repr(key).encode() + sources).hexdigest()[:32]
    return folder() / f"{digest}{suffix}"


def machine_object(compiler: Compiler, checked: bool) -> Path:
    """The machine's side, compiled once for each compiler and mode."""
    flags = (*_COMMON, "-O2", *(("-DEMU_CHECK",) if checked else ()))
    path = _kept((compiler, flags), _source(_MACHINE), ".o")
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=folder()) as work:
            made = Path(work) / "machine.o"
            compiler.run(*flags, *_plain_zig(compiler), "-c", str(HERE / "runtime.cpp"), "-o", str(made))
            made.replace(path)
    return path


def _plain_zig(compiler: Compiler) -> tuple[str, ...]:
    return ("-fno-sanitize=undefined",) if "ziglang" in compiler.command else ()


def _compiled_headers(compiler: Compiler, flags: tuple[str, ...], checked: bool) -> tuple[Path, ...]:
    """The folder in which g++ finds the headers as it has read them once: a quarter of a small kernel's compilation.

    Not of checked kernels, whose lines are looked up in what the compiler writes about the text.
    """
    if checked or not compiler.is_gcc:
        return ()
    path = _kept((compiler, flags), _source(_HEADERS), ".headers")
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=folder()) as work:
            made = Path(work) / "headers"
            made.mkdir()
            compiler.run(*flags, "-x", "c++-header", str(HERE / "shim.hpp"), "-o", str(made / "shim.hpp.gch"))
            with suppress(OSError):  # another process was faster
                made.replace(path)
    return (path,)


def _functions_object(compiler: Compiler, source: str, checked: bool) -> Path:
    """The functions that several kernels call."""
    flags = compiler.kernel_flags(checked)
    path = _kept((compiler, flags), _source(_HEADERS) + source.encode(), ".functions")
    if path.exists():
        path.touch()
    else:
        with tempfile.TemporaryDirectory(dir=folder()) as work:
            _compiled(compiler, source, checked, Path(work)).replace(path)
    return path


def _compiled(compiler: Compiler, source: str, checked: bool, work: Path) -> Path:
    flags = compiler.kernel_flags(checked)
    text, made = work / "kernel.cpp", work / "kernel.o"
    text.write_text(source, encoding="utf-8")
    places = [f"-I{place}" for place in (*_compiled_headers(compiler, flags, checked), HERE)]
    compiler.run(*_plain_zig(compiler), *flags, *places, "-c", str(text), "-o", str(made))
    return made


def kernel_library(compiler: Compiler, functions: str, source: str, checked: bool) -> Path:
    """A shared library of one kernel's sources and the machine.

    Args:
        functions: source of functions that other kernels call, too, or nothing.
        source: the kernel's text with its glue.

    Raises:
        CompileError: the compiler refused it.
    """
    flags = compiler.kernel_flags(checked)
    machine = machine_object(compiler, checked)
    sources = _source(_HEADERS) + functions.encode() + b"\0" + source.encode()
    path = _kept((compiler, flags, compiler.link_flags, machine.name), sources, ".so")
    if path.exists():
        path.touch()
    else:
        called = [str(_functions_object(compiler, functions, checked))] if functions else []
        with tempfile.TemporaryDirectory(dir=folder()) as work:
            made, library = _compiled(compiler, source, checked, Path(work)), Path(work) / "kernel.so"
            compiler.run("-shared", *_plain_zig(compiler), str(made), *called, str(machine), *compiler.link_flags, "-o",
                         str(library))  # fmt: skip
            library.replace(path)
    return path
