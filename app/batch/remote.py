"""The one function that travels to the workers of a cluster, by value: it finds fusetrack there and hands over.

It may use nothing of this module, which the workers have only once `fusetrack` is imported.
"""

from __future__ import annotations

from typing import Any


def remote_job(given: dict[str, Any], topic: str) -> dict[str, Any]:
    """Run an order on the worker that this is called on.

    Raises:
        RuntimeError: fusetrack is not installed there.
    """
    import contextlib
    import importlib

    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module("fusetrack")  # makes app, pipelines and kernels importable; a checkout has them at once
    try:
        module = importlib.import_module("app.batch.cluster_job")
    except ModuleNotFoundError as error:
        raise RuntimeError(f"fusetrack cannot be imported there ({error})") from None
    row: dict[str, Any] = module.run(given, topic)
    return row
