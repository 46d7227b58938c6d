"""Peers that need other packages: their modules are in a checkout (`benchmark_peers/`), not in the wheel."""

from __future__ import annotations

import importlib.util


def why_absent(package: str, module: str, extra: str) -> str:
    """Why the peer made of `package` by our `module` does not take part, as a sentence; "" where it does.

    Args:
        extra: what pip is to install for it.
    """
    if importlib.util.find_spec(package) is None:
        return f'{package} is not installed (pip install "fusetrack[{extra}]")'
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        return f"{package} is compared with in a checkout of fusetrack only (folder benchmark_peers)"
    return ""
