"""Peers that need other packages: their modules are in a checkout (`tests/benchmark_peers/`), not in the wheel."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

PEERS = "tests.benchmark_peers"


def why_absent(package: str, module: str, extra: str) -> str:
    """Why the peer made of `package` by our `module` does not take part, as a sentence; "" where it does.

    Args:
        extra: what pip is to install for it.
    """
    if importlib.util.find_spec(package) is None:
        return f'{package} is not installed (pip install "fusetrack[{extra}]")'
    if module.startswith(PEERS) and not reached():
        return f"{package} is compared with in the folder of a checkout only (tests/benchmark_peers)"
    return ""


def reached() -> bool:
    """Whether the peers can be imported. An installed command does not look into the folder in which it is called, so
    that folder is named to it where it is a checkout."""
    here = str(Path.cwd())
    if Path(here, *PEERS.split("."), "__init__.py").is_file() and not {"", here} & set(sys.path):
        sys.path.append(here)
    try:
        return importlib.util.find_spec(PEERS) is not None
    except ModuleNotFoundError:  # nothing is called tests
        return False
