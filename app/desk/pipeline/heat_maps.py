"""What networks give, as something to look at: heat maps lie over the clip, lists of numbers are no pictures.

Where a map lies is what its network's output `placement` says (`kernels.ir.placement`), as for the stages that find
points in it: of a network that gets a crop which follows something, in another place in each frame.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.desk.pipeline.frame_grid import CUTS_OUT, RESIZES
from kernels.executors.base import executor
from kernels.ir.image import ImageType
from kernels.ir.placement import PARTS, composed, scaled
from kernels.ir.placement import PLACEMENT as PLACEMENT_TYPE
from pipelines.graph import Bound, Node, Pipeline, Ref

ELSEWHERE = (CUTS_OUT, RESIZES, "crop")
"""Stages behind which a picture is no longer all of the frame, or in a place that only a placement tells."""
PLACEMENT = "placement"
"""Of a network: its output that says where its maps lie, and its input that says where its picture does."""


@dataclass(frozen=True)
class HeatMap:
    """A map that lies over a picture.

    Args:
        values: (height, width) f32.
        place: a, b, c, d, e, f: the map's pixel (x, y) lies at (a x + b y + c, d x + e y + f) of the picture, px.
    """

    values: npt.NDArray[np.float32]
    place: tuple[float, ...]


def heat_map(maps: npt.NDArray[np.generic], placement: npt.NDArray[np.float64]) -> HeatMap | None:
    """The highest of the channels of heat maps, where they lie; None in a frame in which the network got no crop.

    Args:
        maps: (height, width) or (height, width, channels).
        placement: the network's, of the same frame.
    """
    outer = np.asarray(placement, np.float64).reshape(PARTS).tolist()
    if not np.isfinite(outer).all():
        return None
    height, width = maps.shape[:2]
    # the sides of a map have one ratio to those of what the network gets
    place = composed(outer, scaled((outer[7], outer[6]), (height, width)))[:6]
    return HeatMap(maps.reshape(height, width, -1).max(axis=2).astype(np.float32), place)


def placement_of(output: str) -> str:
    """The piece of a network (`pipelines.graph`) that says where its outputs lie."""
    return f"{Ref.parse(output).node}/{PLACEMENT}"


def standing_placement(bound: Bound, output: str) -> npt.NDArray[np.float64] | None:
    """The placement of a network that gets the same part of each frame; None where that comes with each frame, and of
    what is no network. Nobody may ask for it, so that no program makes it."""
    node = next((node for node in bound.nodes if node.id == placement_of(output)), None)
    if node is None or PLACEMENT_TYPE in node.body.inputs:
        return None
    # an input only says how many frames there are
    nothing = [np.zeros((1, *kind.shape), kind.dtype.numpy) for kind in node.body.inputs if isinstance(kind, ImageType)]
    made = executor("reference").compile(node.body).run(nothing, {})
    found: npt.NDArray[np.float64] = np.asarray(made[node.body.outputs[0].name])[0]
    return found


def _network(pipeline: Pipeline, output: str) -> Node | None:
    """The network that gives an output."""
    name = Ref.parse(output).node
    return next((n for n in pipeline.nodes if n.id == name and n.stage == RESIZES), None)


def is_picture(pipeline: Pipeline, output: str, words: str) -> bool:
    """Whether an output can be looked at as a picture: no table, and no list of numbers of a network, which is an image
    of one row or one column.

    Args:
        words: of its type.
    """
    size = re.search(r"(\d+)x(\d+)", words)
    if size is None or "table" in words:
        return False
    return _network(pipeline, output) is None or min(map(int, size.groups())) > 1


def lies_over(pipeline: Pipeline, output: str, words: str) -> bool:
    """Whether an output is a heat map that can be laid over the clip: of a network that gets all of the frame, or a
    crop with its placement."""
    node = _network(pipeline, output)
    if node is None or not is_picture(pipeline, output, words):
        return False
    if PLACEMENT in node.inputs:
        return True
    # All that the network's pictures come from.
    nodes, waiting, before = {n.id: n for n in pipeline.nodes}, [*node.inputs.values()], set[str]()
    while waiting:
        one = nodes.get(waiting.pop().node)
        if one is not None and one.id not in before:
            before.add(one.id)
            waiting += one.inputs.values()
    return not any(nodes[name].stage in ELSEWHERE for name in before)
