"""Whether the light of a clip is uneven, and how much there is of it."""

from __future__ import annotations

from collections.abc import Sequence

UNEVEN = 0.06
"""Share by which the darkest of some frames is darker than the brightest, from which on their light is made even: a
ripple of less moves no threshold past anything that stands out, and less may come from things that move."""


def reference(lights: Sequence[float]) -> float:
    """The most light of some frames; 0 where they are all about as bright."""
    most = max(lights, default=0.0)
    return most if most > 0 and min(lights) < (1.0 - UNEVEN) * most else 0.0
