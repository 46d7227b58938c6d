"""What networks give, as something to look at: heat maps lie over the clip, lists of numbers are no pictures."""

from __future__ import annotations

import re

from app.desk.pipeline.frame_grid import CUTS_OUT, RESIZES
from pipelines.graph import Node, Pipeline, Ref

Size = tuple[float, float]
ELSEWHERE = (CUTS_OUT, RESIZES, "crop")
"""Stages behind which a picture is no longer all of the frame, or in a place that only a placement tells."""


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
    """Whether an output is a heat map that can be laid over the clip: of a network that gets all of the frame."""
    node = _network(pipeline, output)
    if node is None or not is_picture(pipeline, output, words):
        return False
    nodes, waiting, before = {n.id: n for n in pipeline.nodes}, [*node.inputs.values()], set[str]()
    while waiting:
        one = nodes.get(waiting.pop().node)
        if one is not None and one.id not in before:
            before.add(one.id)
            waiting += one.inputs.values()
    return not any(nodes[name].stage in ELSEWHERE for name in before)


def heat_place(pipeline: Pipeline, output: str, size: Size, frame: Size) -> tuple[float, float, float, float]:
    """Where a heat map lies in what is processed: x, y of its corner from the picture's, width, height, px. The sides
    of a map have one ratio to those of what the network gets, so that the stage's rule (`kernels.networks.fitting`)
    holds for it, too.

    Args:
        size, frame: (width, height) of the map and of what is processed.
    """
    node = _network(pipeline, output)
    resize = "stretch" if node is None else node.params.get("resize", "stretch")
    across, down = frame[0] / size[0], frame[1] / size[1]
    if resize in ("letterbox", "crop"):
        across = down = max(across, down) if resize == "letterbox" else min(across, down)
    wide, high = across * size[0], down * size[1]
    return 0.5 * (frame[0] - wide), 0.5 * (frame[1] - high), wide, high
