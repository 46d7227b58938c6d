"""The front end: nodes that turn delivered frames (packed, shifted, Bayer ...) into plain pictures, and crop them.

They are ordinary stages, so they fuse with what follows and the bus carries the sensor's own bytes.
"""

from __future__ import annotations

from kernels.errors import InputError
from pipelines.frame import SourceInfo
from pipelines.graph import SOURCE, Node, Ref

Roi = tuple[int, int, int, int]
"""x, y, width, height in pixels of the picture."""


def front_nodes(info: SourceInfo) -> list[Node]:
    """What stands between the delivered frames of `info` and the pipeline, in order; nothing for plain pictures."""
    form = info.format
    nodes: list[Node] = []
    here = {"image": Ref(SOURCE)}
    if form.packing != "none" or form.shift:
        nodes.append(Node("@unpack", "unpack", here, {"packing": form.packing, "width": info.width,
                                                      "shift": form.shift}))  # fmt: skip
    if form.lut:
        nodes.append(Node("@linear", "lut", here, {"values": tuple(float(v) for v in form.lut), "bits": form.bits}))
    if form.color in ("bgr", "bgra"):
        nodes.append(Node("@rgb", "swap_red_blue", here))
    elif form.color not in ("mono", "rgb", "rgba"):
        nodes.append(Node("@color", "bayer", here, {"pattern": form.color}))
    return nodes


def crop_nodes(info: SourceInfo, roi: Roi | None) -> list[Node]:
    """The crop to a region of interest.

    Raises:
        InputError: the region is empty or reaches outside the picture.
    """
    if roi is None:
        return []
    x, y, width, height = roi
    if width < 1 or height < 1:
        raise InputError(f"the region of interest {x},{y},{width},{height} is empty; it is written x,y,width,height")
    if x < 0 or y < 0 or x + width > info.width or y + height > info.height:
        raise InputError(f"the region of interest {x},{y},{width},{height} reaches outside the picture of "
                         f"{info.width}x{info.height} px")  # fmt: skip
    return [Node("@crop", "crop", {"image": Ref(SOURCE)}, {"x": x, "y": y, "width": width, "height": height})]
