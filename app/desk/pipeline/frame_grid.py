"""Whether what a stage makes lies on the grid of the frame, so that tracks can be drawn over it."""

from __future__ import annotations

from pipelines.graph import Node, Pipeline, Ref

CUTS_OUT, RESIZES = "warp", "network"
"""The stage that moves pixels to other places, other ones in each frame, and that whose outputs of another size say
where they lie by a placement alone."""


def on_frame_grid(pipeline: Pipeline, output: str, size: tuple[int, int], frame: tuple[int, int]) -> bool:
    """Whether tracks, which are in pixels of the frame, are at the same pixels of an output.

    Args:
        output: "node", "node.output", or "" for the frame.
        size, frame: (width, height) of the output and of the frame, px. A smaller picture of another stage, such as
            `pyramid_down`, is one that trackers may work in, so that it is not told from the frame.
    """
    nodes = {member.id: member for member in pipeline.members if isinstance(member, Node)}
    waiting, seen = [Ref.parse(output).node] if output else [], set()
    while waiting:
        node = nodes.get(waiting.pop())
        if node is None or node.id in seen:
            continue
        if node.stage == CUTS_OUT or (node.stage == RESIZES and size != frame):
            return False
        seen.add(node.id)
        waiting += [ref.node for ref in node.inputs.values()]
    return True
