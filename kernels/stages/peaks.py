"""List of local maxima."""

from __future__ import annotations

from kernels.ir.expr import Expr
from kernels.ir.filters import is_local_maximum, parabola_offset
from kernels.ir.image import F32
from kernels.ir.table import Candidates
from kernels.param import Param
from kernels.stage import Image, stage


@stage(
    category="Features",
    params=(
        Param("threshold", "float", 0.0, "a peak must be above this, in the image's unit"),
        Param("capacity", "int", 1 << 18, "most rows of the table, some 20 bytes each as they come (5 MB a frame; on a "
              "GPU from the start); peaks beyond it are counted", low=1, high=1 << 20, structural=True),
    ),
)  # fmt: skip
def peaks(image: Image, threshold: Expr, capacity: int) -> Candidates:
    """Pixels above a threshold that are the maximum of their 3x3 neighbourhood, in raster order: x, y, value, dx, dy.

    Of equal neighbours the first in raster order is the peak; pixels outside do not count. x, y: i32, px; value: the
    pixel; dx, dy: f32, px, -0.5..0.5: the vertex of the parabola through the peak and its two neighbours in that
    direction, (left - right) / (2 (left - 2 here + right)), so the peak lies at x + dx, y + dy; 0 at the image's edge.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> table = evaluate(peaks, np.array([[0, 4, 10, 8, 0, 1]], np.uint8), threshold=2.0)
    >>> [(int(r["x"]), int(r["y"]), int(r["value"]), float(r["dx"])) for r in table.rows]
    [(2, 0, 10, 0.25)]
    """
    plane = image.mono
    here = plane()
    # Under reflect101 both neighbours at the edge are the same pixel: no offset.
    dx = parabola_offset(plane(-1, 0), here, plane(1, 0))
    dy = parabola_offset(plane(0, -1), here, plane(0, 1))
    condition = is_local_maximum(here) & (here.to(F32) > threshold)
    most = -(-image.type.height // 2) * -(-image.type.width // 2)  # two peaks never lie in one square of 2x2
    return Candidates(condition, (("value", here), ("dx", dx), ("dy", dy)), min(capacity, most))
