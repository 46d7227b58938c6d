"""Linear maps of the plane (`plane_maps`), and how windows are deformed, as loops. A map is four numbers, by rows."""

from __future__ import annotations

from kernels.loops.language import F64, at, loop, sqrt


@loop
def times(a: F64, b: F64, out: F64) -> int:
    """a b (`plane_maps.product`); `out` is another."""
    out[0], out[2] = a[0] * b[0] + a[1] * b[2], a[2] * b[0] + a[3] * b[2]
    out[1], out[3] = a[0] * b[1] + a[1] * b[3], a[2] * b[1] + a[3] * b[3]
    return 0


@loop
def back(a: F64, out: F64) -> int:
    """The way back (`plane_maps.inverse`); `out` is another."""
    area = a[0] * a[3] - a[1] * a[2]
    out[0], out[3] = a[3] / area, a[0] / area
    out[1], out[2] = (a[1] * (0.0 - 1.0)) / area, (a[2] * (0.0 - 1.0)) / area
    return 0


@loop
def stand(a: F64) -> int:
    """The nearest rotation (`plane_maps.upright`), in place."""
    c, s = a[0] + a[3], a[2] - a[1]
    size = sqrt(c * c + s * s)
    a[0], a[3] = c / size, c / size
    a[2], a[1] = s / size, (s * (0.0 - 1.0)) / size
    return 0


@loop
def slack(bend: F64, drawn: F64, half: float, work: F64) -> float:
    """How far deformations differ at a window's edge, px (`Corners._slack`)."""
    back(drawn, work)
    times(bend, work, at(work, 4))
    one, two = abs(work[4] - 1.0) + abs(work[5] - 0.0), abs(work[6] - 0.0) + abs(work[7] - 1.0)
    return float(half * max(one, two))


@loop
def possible(bend: F64, least: float, most: float, largest: float) -> int:
    """Whether a reference can be drawn with a deformation: its change of area is within `least` and `most`, its
    largest entry below `largest` (`corners._possible`)."""
    area = bend[0] * bend[3] - bend[1] * bend[2]
    entry = max(max(abs(bend[0]), abs(bend[1])), max(abs(bend[2]), abs(bend[3])))
    return 1 if area > least and area < most and entry < largest else 0


@loop
def bent(found: F64, drawn: F64, half: float, p: int, out: F64, work: F64) -> int:
    """The deformation that a fit found (`Corners._bent`)."""
    for k in range(4):
        work[k] = min(max(found[k] / max(half, 1.0), 0.0 - 0.4), 0.4)
    work[0], work[3] = 1.0 + work[0], 1.0 + work[3]
    work[1], work[2] = 0.0 + work[1], 0.0 + work[2]
    back(work, at(work, 4))
    times(at(work, 4), drawn, out)
    if p == 3:
        stand(out)
    return 0
