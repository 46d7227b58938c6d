"""The compiled units of every shipped pipeline, fused into the largest groups."""

from __future__ import annotations

from collections.abc import Iterator

from kernels.ir.image import ImageType
from pipelines.definition import library, load
from pipelines.fusing import Unit, fuse, largest_groups
from pipelines.graph import bind


def units(name: str, frame: ImageType) -> Iterator[Unit]:
    """The units of one pipeline that are expressions."""
    bound = bind(load(name), frame)
    for unit in fuse(bound, largest_groups(bound, bound.taps), bound.taps):
        if unit.body.host is None:
            yield unit


NAMES = sorted(library())
