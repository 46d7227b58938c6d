"""Straighten what the lens bends."""

from __future__ import annotations

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr, floor
from kernels.ir.image import F32, I32
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Geometry",
    params=(
        Param("focal", "vector", (1000.0, 1000.0), "focal lengths fx, fy", unit="px", low=1e-3, high=1e7,
              structural=True, length=2),
        Param("centre", "vector", (), "principal point cx, cy; empty for the middle of the image", unit="px", low=-1e6,
              high=1e6, structural=True),
        Param("distortion", "vector", (0.0, 0.0, 0.0, 0.0, 0.0), "k1, k2, p1, p2, k3 in OpenCV's order", unit="1",
              low=-1e4, high=1e4, structural=True, length=5),
    ),
    per_channel=True,
    border="constant",
)  # fmt: skip
def undistort(image: Plane, focal: tuple[float, ...], centre: tuple[float, ...], distortion: tuple[float, ...]) -> Expr:
    """Undo lens distortion, f32, with bilinear interpolation; the camera matrix stays. As cv2.undistort.

    Output pixel (x, y) is the input at (fx u + cx, fy v + cy) with a = (x - cx)/fx, b = (y - cy)/fy, r2 = a^2 + b^2,
    g = 1 + k1 r2 + k2 r2^2 + k3 r2^3, u = a g + 2 p1 a b + p2 (r2 + 2 a^2), v = b g + p1 (r2 + 2 b^2) + 2 p2 a b
    (Brown, Photogrammetric Eng. 32, 1966). Coordinates are f32: within 3e-7 of the image's size in px of the exact
    ones (OpenCV rounds them to 1/32 px).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> ramp = np.tile(np.arange(0, 90, 10, dtype=np.uint8), (3, 1))
    >>> evaluate(undistort, ramp, focal=(8.0, 8.0), distortion=(-0.2, 0.0, 0.0, 0.0, 0.0))[1, ::2].round(1)
    array([ 2. , 20.2, 40. , 59.8, 78. ], dtype=float32)
    """
    if len(centre) not in (0, 2):
        raise DefinitionError(f"centre takes two members, cx and cy, not {len(centre)}")
    height, width = image.size
    cx, cy = centre or ((width - 1) / 2, (height - 1) / 2)
    fx, fy = focal
    k1, k2, p1, p2, k3 = distortion
    a = (image.x.to(F32) - cx) * (1.0 / fx)
    b = (image.y.to(F32) - cy) * (1.0 / fy)
    aa, bb, ab = a * a, b * b, a * b
    r2 = aa + bb
    # Displacements instead of positions: what the lens does not move stays exact.
    radial = ((k3 * r2 + k2) * r2 + k1) * r2
    du = a * radial + 2.0 * p1 * ab + p2 * (r2 + 2.0 * aa)
    dv = b * radial + p1 * (r2 + 2.0 * bb) + 2.0 * p2 * ab
    x, y = image.x.to(F32) + fx * du, image.y.to(F32) + fy * dv
    return _bilinear(image, y, x)


def _bilinear(image: Plane, y: Expr, x: Expr) -> Expr:
    left, top = floor(x), floor(y)
    fx, fy = x - left, y - top
    column, row = left.to(I32), top.to(I32)

    def across(row: Expr) -> Expr:
        near, far = (image.at(row, at, image.size).to(F32) for at in (column, column + 1))
        return near + (far - near) * fx

    upper, lower = across(row), across(row + 1)
    return upper + (lower - upper) * fy
