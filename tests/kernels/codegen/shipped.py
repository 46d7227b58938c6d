"""The compiled units of every shipped pipeline, fused into the largest groups."""

from __future__ import annotations

from collections.abc import Iterator

from app.benchmark.chains import CHAINS
from kernels.ir.image import ImageType
from pipelines.definition import loads
from pipelines.fusing import Unit, fuse, largest_groups
from pipelines.graph import Bound, bind
from tests.shipped import WITHOUT_LAYERS, fixed


def units(name: str, frame: ImageType) -> Iterator[Unit]:
    """The units of one pipeline that are expressions."""
    yield from _compiled(bind(fixed(name), frame))


def chain(name: str, frame: ImageType) -> Iterator[Unit]:
    """The units of a measured chain."""
    yield from _compiled(bind(loads(CHAINS[name].text), frame))


def _compiled(bound: Bound) -> Iterator[Unit]:
    for unit in fuse(bound, largest_groups(bound, bound.taps), bound.taps):
        if unit.body.host is None:
            yield unit


NAMES = WITHOUT_LAYERS
