"""Where an axis has its ticks, and what is written at them."""

from __future__ import annotations

import math

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Times a power of ten: what lies between two ticks."""
MOST = 9
"""Steps of an axis, at most: more are not read."""


def ticks(low: float, high: float, most: int) -> tuple[list[float], list[str]]:
    """Round values within a range, and their words, all with as many digits.

    Args:
        low, high: the ends, in this order and apart.
        most: steps between ticks there is room for.

    >>> ticks(-0.4, 2.2, 6), ticks(0.0, 648.75, 7)[1]
    (([0.0, 0.5, 1.0, 1.5, 2.0], ['0.0', '0.5', '1.0', '1.5', '2.0']), ['0', '100', '200', '300', '400', '500', '600'])
    >>> ticks(1e6, 1e6 + 1.0, 4)[1], ticks(-3e-7, 0.0, 3)[1]
    (['1000000.00', '1000000.25', '1000000.50', '1000000.75', '1000001.00'], ['−3e-07', '−2e-07', '−1e-07', '0'])
    """
    raw = (high - low) / max(1, min(most, MOST))
    power = math.floor(math.log10(raw))
    step = next(one for one in STEPS if one * 10.0**power >= raw * (1.0 - 1e-9))
    first, last = math.ceil(low / 10.0**power / step - 1e-9), math.floor(high / 10.0**power / step + 1e-9)
    places = [k * step * 10.0**power for k in range(first, last + 1)]
    digits = max(0, -power + (step == 2.5) - (step == 10.0))
    plain = digits <= 5
    return places, [_number(place, f".{digits}f" if plain else ".5g") for place in places]


def _number(value: float, how: str) -> str:
    """With a minus sign that is as wide as a digit; 0 has none."""
    return f"{value or 0.0:{how}}".replace("-", "\N{MINUS SIGN}", value < 0)
