"""Whether two things that a merger holds went on as they were.

What never turned is expected where its path says, and so sure of it is the filter in a merger (`mergers._foretold`)
that a turn there would not be seen until they part. But the merger's centre, which is where their masses are, goes
along with whoever turns. With c the way there from where the paths say it is, p_a and p_b the variances of these, w_a
and w_b the shares of the mass, and R what the merger's place errs by, the squared distance in standard deviations is

    d^2 = |c|^2 / S,    S = w_a^2 p_a + w_b^2 p_b + R,

of Student's density with four degrees of freedom, (1 + d^2 / 4)^-3 / S (as in `merger_sigma.py`). One that may have
turned any way is off by its squared speed on either axis, so that S is greater by w_a^2 v_a^2 + w_b^2 v_b^2. Once in
so many frames (`TURN`) that happens. By the share of the sum of both that it has, the rows are less sure of where
they are, and of their velocity by as much. With Student's, what d^2 remains says how much more than usual the variance
of this frame's row is: (4 + d^2) / 6 times, if that is more than 1.
"""

from __future__ import annotations

from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns

TURN = 0.01  # how often a thing turns while it is seen as one with another, by frames


def bend(
    t: Columns, found: Features, noise: Array, j: int, a: int, b: int, told: Array, off: tuple[float, float],
    astray: float,
) -> float:  # fmt: skip
    """Make tracks a and b, and what is `told` of them, as much less sure as detection j wants them, in place.

    Args:
        t, found, noise, j, a, b: as for `mergers._distance`.
        told: the variances of where their paths say that they are, px^2.
        off: how far (x, y; px) the detection is centred off their common centre of mass, and
        astray: the variance of that, px^2.

    Returns:
        How many times its usual variance this frame's row has.
    """
    ma, mb = float(t["mass"][a]), float(t["mass"][b])
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    ex = float(found["x"][j]) - wa * float(t["x"][a]) - wb * float(t["x"][b]) - off[0]
    ey = float(found["y"][j]) - wa * float(t["y"][a]) - wb * float(t["y"][b]) - off[1]
    squares = ex * ex + ey * ey
    pa, pb = min(float(t["p00"][a]), float(told[a])), min(float(t["p00"][b]), float(told[b]))
    va, vb = (float(t["vx"][i]) * float(t["vx"][i]) + float(t["vy"][i]) * float(t["vy"][i]) for i in (a, b))
    total = wa * wa * pa + wb * wb * pb + float(noise[j]) + astray
    more = wa * wa * va + wb * wb * vb
    straight, turned = 1.0 + 0.25 * squares / total, 1.0 + 0.25 * squares / (total + more)
    straight, turned = straight * straight * straight * total, turned * turned * turned * (total + more)
    likely = TURN * straight / (TURN * straight + turned)
    for i, square in ((a, va), (b, vb)):
        told[i] += likely * square
        for name in ("p00", "p01", "p11"):
            t[name][i] += likely * square
    return max((4.0 + squares / (total + likely * more)) / 6.0, 1.0)
