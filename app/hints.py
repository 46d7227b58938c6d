"""What to try when a run found nothing."""

from __future__ import annotations

import numpy as np

from kernels.executors.base import executor
from pipelines.frame import FrameBatch, FrameSource
from pipelines.graph import Bound
from pipelines.streaming.engine import Engine


def threshold_hints(source: FrameSource, bound: Bound, frame: int) -> list[str]:
    """A sentence for each threshold of the pipeline: what it asks for, what one frame holds, what to try.

    Args:
        frame: the frame that is looked at, as if it were the first of the clip.
    """
    nodes = [node for node in bound.nodes if node.stage.name == "threshold" and node.inputs[0] is not None]
    refs = tuple(ref for node in nodes for ref in node.inputs if ref is not None)
    if not refs:
        return []
    engine = Engine(bound, executor("reference"), refs)
    pixels = np.empty((1, *source.info.image.shape), source.info.image.dtype.numpy)
    source.read(frame, out=pixels[0])
    seen = engine.step(FrameBatch(np.array([frame]), np.array([source.info.time.time(frame)]), pixels))
    hints = []
    for node, ref in zip(nodes, refs, strict=True):
        values = np.asarray(seen[ref], np.float64)
        low, middle, high = np.quantile(values, (0.0, 0.5, 1.0))
        level, bright = node.body.params["level"], node.body.params["polarity"] == "bright"
        asked = f"keeps what is {'above' if bright else 'at or below'} {level:g}"
        text = f"{node.id} {asked}; in frame {frame} its input runs from {low:.3g} to {high:.3g}, median {middle:.3g}"
        darker = bright and middle - low > 1.5 * (high - middle)
        if darker:
            text += "; dark things stand out more than bright ones: try "
            text += f"--set {node.id}.polarity=dark --set {node.id}.level={(low + middle) / 2:.2g} "
            text += " ".join(f"--set {after}.polarity=dark" for after in _measuring(bound, node.id))
        elif high > middle:
            text += f"; try --set {node.id}.level={(middle + (high if bright else low)) / 2:.2g}"
        hints.append(text.rstrip())
    for node in bound.nodes:
        if node.stage.name == "components":
            least, most = node.body.params["min_area"], node.body.params["max_area"]
            kept = f"regions of {least:g} to {most:g} px" if most else f"regions of {least:g} px and more"
            hints.append(f"{node.id} keeps {kept} ({node.id}.min_area, {node.id}.max_area; 0 for no upper limit)")
    return hints


def _measuring(bound: Bound, mask: str) -> list[str]:
    """The components stages that a mask reaches, directly or through others."""
    reached, found = {mask}, []
    for node in bound.nodes:
        if any(ref is not None and ref.node in reached for ref in node.inputs):
            if node.stage.name == "components":
                found.append(node.id)
            else:
                reached.add(node.id)
    return found
