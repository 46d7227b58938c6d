"""fusetrack: high-speed video through fused image kernels, to tracked features.

This file becomes `fusetrack/__init__.py` of the installed package. It makes the folders app/, pipelines/ and
kernels/ importable under those names and loads nothing else until it is asked for.

>>> import fusetrack                                                    # doctest: +SKIP
>>> source = fusetrack.open_source("clip.cine")                         # doctest: +SKIP
>>> outcome = fusetrack.run_clip("clip.cine", pipeline="blobs")         # doctest: +SKIP
>>> outcome.tracks["x"]                                                 # doctest: +SKIP
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

_PUBLIC = {
    "__version__": "app.version",
    "open_source": "app.sources.opening",
    "open_scene": "app.sources.simulated.source",
    "run_clip": "app.controller",
    "read_tracks": "app.exports.tables",
    "export_results": "app.exports.export",
    "evaluate": "pipelines.evaluation",
    "load_pipeline": "pipelines.definition:load",
    "stage": "kernels.stage",
    "Param": "kernels.param",
    "find_stage": "kernels.plugins",
    "load_plugin": "kernels.plugins",
    "FusetrackError": "kernels.errors",
}


def _home() -> Path:
    """The folder that holds app/, pipelines/ and kernels/: that of our app where it was imported already (a checkout
    may lie beside an installed wheel), else this package's own, or the checkout's."""
    here = Path(__file__).resolve().parent
    loaded = getattr(sys.modules.get("app"), "__file__", None)
    first = [Path(loaded).resolve().parents[1]] if loaded else []
    for folder in (*first, here, here.parent, *(Path(entry or ".").resolve() for entry in sys.path)):
        if (folder / "app" / "cli.py").is_file() and (folder / "kernels" / "stage.py").is_file():
            return folder
    raise ImportError("fusetrack is not whole: its folders app, pipelines and kernels are missing; install it again")


def _prepare() -> None:
    home = str(_home())
    # First on the path: PyPI has packages called kernels, pipelines and app, and ours must win in this program.
    if sys.path[:1] != [home]:
        sys.path.insert(0, home)
    for name in ("app", "kernels", "pipelines"):
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None and not file.startswith(home):
            raise ImportError(f"another package called {name!r} ({file}) was imported before fusetrack; "
                              "import fusetrack first")  # fmt: skip


_prepare()


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'fusetrack' has no attribute {name!r}")
    module, _, attribute = _PUBLIC[name].partition(":")
    return getattr(importlib.import_module(module), attribute or name)


def __dir__() -> list[str]:
    return [*_PUBLIC, "main"]


def main() -> int:
    """The command line; returns the exit code."""
    return int(importlib.import_module("app.cli").program())
