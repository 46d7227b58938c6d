"""LLVM: from IR text to functions of this process, with compiled objects kept on disk.

The only module that imports llvmlite.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from kernels.errors import DefinitionError

try:
    import llvmlite
    import llvmlite.binding as llvm
except ImportError as error:  # said when the back end is asked for
    llvm = None
    _MISSING = str(error)

ISAS = ("auto", "avx512", "avx2", "baseline")
_LEVELS = {"avx512": "x86-64-v4", "avx2": "x86-64-v3", "baseline": "x86-64-v2"}
_MAGIC = b"fusetrack-object-1\n"
_LOCK = threading.Lock()  # LLVM's own structures are shared


class Machine:
    """A compiler for one instruction set.

    Args:
        isa: "auto" for this processor; the others are x86 levels that a newer processor can run too, for tests.

    Raises:
        DefinitionError: llvmlite is missing, or the level is not of this processor's family.
    """

    def __init__(self, isa: str = "auto") -> None:
        if llvm is None:
            raise DefinitionError(f"the cpu back end needs the package llvmlite, which does not load ({_MISSING}); "
                                  "install it or use the reference back end")  # fmt: skip
        if isa not in ISAS:
            raise DefinitionError(f"there is no instruction set {isa!r}; one of {', '.join(ISAS)}")
        self.triple, self.cpu, self.features = _host()
        if isa != "auto":
            if not self.triple.startswith(("x86_64", "amd64")):
                raise DefinitionError(f"instruction set {isa!r} is of x86-64 processors, not of {self.triple}")
            self.cpu, self.features = _LEVELS[isa], ""
        self.isa = isa

    def _target(self) -> Any:
        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(cpu=self.cpu, features=self.features, opt=2, codemodel="jitdefault",
                                            jit=True)  # fmt: skip

    def key(self, text: str, version: int) -> str:
        """What a compiled object depends on."""
        made_by = (str(version), llvmlite.__version__, str(llvm.llvm_version_info))
        parts = (text, *made_by, self.triple, self.cpu, self.features)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def compile(self, text: str) -> bytes:
        """An object file of IR text."""
        with _LOCK:
            target = self._target()
            module = llvm.parse_assembly(text)
            module.triple = self.triple
            module.data_layout = str(target.target_data)
            module.verify()
            passes = llvm.create_new_module_pass_manager()
            builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options())
            passes.add_sroa_pass()
            passes.add_simplify_cfg_pass()
            passes.add_instruction_combine_pass()
            passes.add_new_gvn_pass()
            passes.add_dead_store_elimination_pass()
            passes.add_instruction_combine_pass()
            passes.run(module, builder)
            made: bytes = target.emit_object(module)
        return made

    def load(self, obj: bytes) -> Library:
        """The functions of an object file."""
        with _LOCK:
            engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self._target())
            engine.add_object_file(llvm.ObjectFileRef.from_data(obj))
            engine.finalize_object()
        return Library(engine)


class Library:
    """Machine code in this process; its functions take one address."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine  # keeps the code alive

    def address(self, name: str) -> int:
        return int(self._engine.get_function_address(name))


@cache
def _host() -> tuple[str, str, str]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten()


def cache_folder() -> Path:
    """Where compiled objects are kept: $FUSETRACK_CACHE, or the platform's folder for such files."""
    given = os.environ.get("FUSETRACK_CACHE")
    if given:
        return Path(given) / "cpu"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "fusetrack" / "cpu"


class ObjectCache:
    """Compiled objects on disk, one a file, each with its own checksum.

    Any number of processes may use the folder: a file appears whole or not at all, and one that does not match its
    checksum is as if it were not there. A folder that cannot be written costs time, nothing else.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()

    def get(self, key: str) -> bytes | None:
        try:
            data = (self.folder / f"{key}.o").read_bytes()
        except OSError:
            return None
        head, body = data[: len(_MAGIC) + 32], data[len(_MAGIC) + 32 :]
        return body if head == _MAGIC + hashlib.sha256(body).digest() else None

    def put(self, key: str, body: bytes) -> None:
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_MAGIC + hashlib.sha256(body).digest() + body)
                os.replace(name, self.folder / f"{key}.o")
            except OSError:
                os.unlink(name)
                raise
