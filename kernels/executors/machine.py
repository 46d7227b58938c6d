"""LLVM: from IR text to functions of this process.

The only module that imports llvmlite.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
import sys
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

from kernels.codegen.pool import architecture
from kernels.compiling import compiling
from kernels.errors import DefinitionError

try:
    import llvmlite
    import llvmlite.binding as llvm
except Exception as error:  # said when the back end is asked for; a broken installation raises this and that
    llvm = None
    _MISSING = str(error)

ISAS = ("auto", "avx512", "avx2", "baseline")
_LEVELS = {"avx512": "x86-64-v4", "avx2": "x86-64-v3", "baseline": "x86-64-v2"}
ROOM = 64 << 20
"""Bytes of addresses that compiling and loading need at most."""
_LOCK = threading.Lock()  # LLVM's own structures are shared
_NUMBERS = itertools.count()


class Machine:
    """A compiler for one instruction set.

    Args:
        isa: "auto" for this processor; the others are x86 levels that a newer processor can run too, for tests.

    Raises:
        DefinitionError: llvmlite is missing or does not work, or the level is not of this processor's family.
    """

    def __init__(self, isa: str = "auto") -> None:
        if llvm is None:
            raise DefinitionError(f"the cpu back end needs the package llvmlite, which does not load ({_MISSING}); "
                                  "install it or use the reference back end")  # fmt: skip
        if isa not in ISAS:
            raise DefinitionError(f"there is no instruction set {isa!r}; one of {', '.join(ISAS)}")
        try:
            self.triple, self.cpu, self.features = _host()
        except (RuntimeError, OSError) as error:
            raise DefinitionError(f"the cpu back end cannot compile for this machine ({error}); use the reference "
                                  "back end") from error  # fmt: skip
        if isa != "auto":
            if architecture(self.triple) != "x86_64":
                raise DefinitionError(f"instruction set {isa!r} is of x86-64 processors, not of {self.triple}")
            self.cpu, self.features = _LEVELS[isa], ""
        self.isa = isa
        self.level = 2  # of LLVM's code generation

    @classmethod
    def other(cls, triple: str, cpu: str = "generic", features: str = "") -> Machine:
        """A compiler for another machine, whose objects cannot be loaded here."""
        made = cls()
        _all_targets()
        made.triple, made.cpu, made.features = triple, cpu, features
        return made

    @property
    def identity(self) -> tuple[str, ...]:
        """What compiled objects depend on besides their text."""
        return llvmlite.__version__, str(llvm.llvm_version_info), self.triple, self.cpu, self.features

    def _target(self) -> Any:
        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(cpu=self.cpu, features=self.features, opt=self.level,
                                            codemodel="jitdefault", jit=True)  # fmt: skip

    def compile(self, text: str, only: str = "") -> bytes:
        """An object file of IR text.

        Args:
            only: the one function of the text that others call. The short ones that it calls become part of those that
                call them, and what stays the same leaves loops: for texts of many functions, whose code is 3 to 5 %
                faster so and takes twice as long to make. Empty for kernels, which are written so already.

        Raises:
            MemoryError: there is too little memory for LLVM.
        """
        _check_room()
        with compiling(), _LOCK:
            target = self._target()
            module = llvm.parse_assembly(text)
            module.triple = self.triple
            module.data_layout = str(target.target_data)
            module.verify()
            if only:
                _thoroughly(module, target, only)
            else:
                _quickly(module, target)
            made: bytes = target.emit_object(module)
        return made

    def load(self, obj: bytes, names: Sequence[str]) -> Library:
        """The functions and data `names` of an object file, where each call has data of its own.

        Raises:
            RuntimeError: LLVM refuses it.
            MemoryError: there is too little memory for LLVM.
        """
        _check_room()
        with _LOCK:
            if sys.platform.startswith("linux"):  # ten times as fast as the other, which is proven everywhere
                engine = _orc()
                linked = llvm.JITLibraryBuilder().add_object_img(obj).add_current_process()
                for name in names:
                    linked.export_symbol(name)
                tracker = linked.link(engine, f"fusetrack{next(_NUMBERS)}")
                return Library({name: int(tracker[name]) for name in names}, (tracker, engine))
            _symbols()
            engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self._target())
            engine.add_object_file(llvm.ObjectFileRef.from_data(obj))
            engine.finalize_object()
            return Library({name: int(engine.get_global_value_address(name)) for name in names}, (engine,))


def _quickly(module: Any, target: Any) -> None:
    """What makes good code of what is written as one loop nest."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_new_gvn_pass()
    passes.add_dead_store_elimination_pass()
    passes.add_instruction_combine_pass()
    passes.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))


def _thoroughly(module: Any, target: Any, only: str) -> None:
    """LLVM's second level, without what makes vectors of loops, which hold them already, or repeats their bodies; then
    without functions that are not called and parameters that are no longer read. Were they known to be the
    module's own before, those called once would become part of their callers however long they are, which are slower
    then."""
    options = llvm.create_pipeline_tuning_options()
    options.speed_level = 2
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    for function in module.functions:
        if not function.is_declaration and function.name != only:
            function.linkage = "internal"
    unused = llvm.create_new_module_pass_manager()
    unused.add_dead_arg_elimination_pass()  # of records, whose rooms hardly anybody asks for
    unused.add_global_dead_code_eliminate_pass()
    unused.run(module, builder)


class Library:
    """Machine code in this process: the addresses of its functions and data."""

    def __init__(self, addresses: dict[str, int], alive: tuple[Any, ...]) -> None:
        self._addresses = addresses
        self._alive = alive  # what keeps the code in memory

    def address(self, name: str) -> int:
        return self._addresses[name]


def _check_room() -> None:
    """LLVM ends the process where the system refuses it memory: better see before whether there is some.

    Raises:
        MemoryError: there is not.
    """
    try:
        mmap.mmap(-1, ROOM).close()  # addresses alone, none of which is touched
    except OSError:
        raise MemoryError("LLVM") from None


@cache
def _orc() -> Any:
    """The linker of all libraries of this process."""
    triple, cpu, features = _host()
    target = llvm.Target.from_triple(triple)
    return llvm.create_lljit_compiler(target.create_target_machine(cpu=cpu, features=features, opt=2,
                                                                   codemodel="jitdefault", jit=True))  # fmt: skip


@cache
def _symbols() -> None:
    """What compiled code may call or mention, where no linker finds it by name."""
    move, fill = (ctypes.cast(f, ctypes.c_void_p).value for f in (ctypes.memmove, ctypes.memset))
    llvm.add_symbol("memcpy", move)
    llvm.add_symbol("memmove", move)
    llvm.add_symbol("memset", fill)
    if sys.platform == "win32":
        llvm.add_symbol("_fltused", fill)  # never called: it says that there are floats


@cache
def _host() -> tuple[str, str, str]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # of single instructions in texts
    features = llvm.get_host_cpu_features()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten()


@cache
def _all_targets() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
