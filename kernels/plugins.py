"""All stages that there are: the shipped ones, those of installed packages, and those of a user's files."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
import zlib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from kernels.errors import DefinitionError
from kernels.stage import DECLARED, Stage

ENTRY_POINTS = "fusetrack.stages"
_discovered = False


def entry_points(group: str) -> Iterable[Any]:
    """What installed packages offer under this name."""
    from importlib import metadata  # here, as it brings the parts of mail programs, and most runs need none of it

    return metadata.entry_points(group=group)


def registry() -> Mapping[str, Stage]:
    """All stages by name: the shipped ones, those of installed packages (entry points), those of plug-ins.

    Raises:
        DefinitionError: an installed package's stages do not load; names it.
    """
    global _discovered
    if not _discovered:
        package = importlib.import_module("kernels.stages")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"kernels.stages.{module.name}")
        for entry in entry_points(group=ENTRY_POINTS):
            before = dict(DECLARED)
            try:
                entry.load()
            except Exception as error:
                _put_back(before)
                owner = entry.dist.name if entry.dist else entry.value
                raise DefinitionError(f"the stages {entry.name!r} of the installed package {owner} do not load: "
                                      f"{_one_line(error)}; mend or uninstall it") from error  # fmt: skip
        _discovered = True
    return dict(sorted(DECLARED.items()))


def _put_back(stages: Mapping[str, Stage]) -> None:
    DECLARED.clear()
    DECLARED.update(stages)


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def find_stage(name: str) -> Stage:
    """The stage called `name`. A shipped one is found by its file, which bears its name: programs that use a few do not
    wait for all to load.

    Raises:
        DefinitionError: there is none; names the nearest.
    """
    if not _discovered and name not in DECLARED and name.isidentifier():
        for module in (f"kernels.stages.{name}", f"kernels.stages.{name}_"):  # open_: as Python has a function open
            if importlib.util.find_spec(module) is not None:
                importlib.import_module(module)
                break
    if name in DECLARED:
        return DECLARED[name]
    stages = registry()
    if name not in stages:
        near = get_close_matches(name, stages, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else "`fusetrack stages` lists them"
        raise DefinitionError(f"there is no stage {name!r}; {hint}")
    return stages[name]


class _Source(SourceFileLoader):
    """Compiles a file each time: kept bytecode would stand for a text of the same second and the same size, too."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def load_plugin(path: str | Path) -> ModuleType:
    """Run a Python file of the user's, which declares stages (trackers, operators of networks) of its own.

    Raises:
        DefinitionError: the file is missing or fails to load; says why in one sentence.
    """
    file = Path(path)
    if not file.is_file():
        raise DefinitionError(f"there is no plug-in file {str(file)!r}")
    # Two files of one name in two folders are two plug-ins; the same file again replaces itself.
    name = f"fusetrack_plugin_{file.stem}_{zlib.crc32(str(file.resolve()).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise DefinitionError(f"{file} is not a Python file")
    if isinstance(spec.loader, SourceFileLoader):
        spec.loader = _Source(name, str(file))
    module: Any = importlib.util.module_from_spec(spec)
    registry()
    importlib.import_module("kernels.networks.importing").load_operators()  # those of a plug-in come after them
    known = importlib.import_module("kernels.networks.calls").OPERATORS
    before, operators = dict(DECLARED), dict(known)
    old = sys.modules.get(name)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        _put_back(before)  # no half of a plug-in stays
        known.clear()
        known.update(operators)
        if old is None:
            del sys.modules[name]
        else:
            sys.modules[name] = old
        raise DefinitionError(f"plug-in {file} does not load: {_one_line(error)}") from error
    return module  # type: ignore[no-any-return]
