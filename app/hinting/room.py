"""Whether the pictures of a run have room in memory, said before it begins."""

from __future__ import annotations

from app.sessions.shared import free_memory
from kernels.ir.image import ImageType
from pipelines.streaming.engine.engine import Engine


def room_hints(engine: Engine, batch: int) -> list[str]:
    """A sentence where the pictures that programs hand on take more memory than there is.

    Args:
        engine: that will run.
        batch: frames a batch.
    """
    images = [engine.bound.source, *(o.type for unit in engine.units for o in unit.body.outputs)]
    needed = batch * sum(image.nbytes for image in images if isinstance(image, ImageType))
    free = free_memory()
    if needed <= free:
        return []
    size = f"{engine.bound.source.width}x{engine.bound.source.height}"
    return [f"the pictures of a batch of {batch} of {size} take {needed / 1e9:.2g} GB, and {free / 1e9:.2g} GB of "
            "memory are free: where they do not suffice the system ends the run; take a part of the picture (--roi)"]
