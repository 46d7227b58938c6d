"""A clip or a camera opens though the pipeline does not fit it: its picture is shown without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from kernels.errors import CameraLost, FusetrackError, SourceError
from pipelines.graph import Pipeline

Made = TypeVar("Made")
PLAIN = Pipeline("picture", "", (), ())
"""Fits whatever can be shown, and computes nothing."""


def fitting(
    pipeline: Pipeline, make: Callable[[Pipeline], Made], plain: Callable[[Pipeline], Made]
) -> tuple[Made, str]:
    """Make something of a pipeline, else of `PLAIN`.

    Args:
        pipeline: the user's.
        make: raises where it does not fit.
        plain: the same for `PLAIN`, of which nothing is to be found out.

    Returns:
        What was made; and why it is not of the pipeline, "" if it is.

    Raises:
        FusetrackError: the source is at fault: `PLAIN` does not fit it either.
    """
    try:
        return make(pipeline), ""
    except (SourceError, CameraLost):
        raise
    except FusetrackError as error:
        return plain(PLAIN), str(error)
