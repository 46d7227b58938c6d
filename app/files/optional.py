"""Packages that only some formats need."""

from __future__ import annotations

import importlib
from typing import Any

from kernels.errors import InputError


def need(module: str, what: str, extra: str) -> Any:
    """A module of an optional package.

    Args:
        module: its name.
        what: for what it is needed, as the beginning of the sentence.
        extra: the extra of fusetrack that installs it.

    Raises:
        InputError: it is not installed, or does not load.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == package:
            why = f"the package {package}, which is not installed"
        else:
            why = f"the package {package}, which does not load ({' '.join(str(error).split())[:120]})"
        raise InputError(f'{what} needs {why}; pip install "fusetrack[{extra}]"') from None
