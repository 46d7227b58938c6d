"""A network that is slower than the frames come: by how much, and what would help."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from app.desk.engine.throughput import Cost
from app.desk.group_names import owner


def network_advice(
    costs: Sequence[Cost], networks: Collection[str], period: float, predicted: Mapping[str, float]
) -> str:
    """A sentence about the network that takes more of a frame's time than all other programs; "" where none does.

    Args:
        costs: of the programs, which follow one another.
        networks: ids of the pipeline's networks.
        period: seconds from frame to frame; NaN where no rate is wanted.
        predicted: seconds a frame that the plan says, by program.
    """
    total = sum(cost.seconds for cost in costs)
    for network in networks:
        own = [cost for cost in costs if network in map(owner, cost.name.split("+"))]
        spent = sum(cost.seconds for cost in own)
        if spent <= 0.5 * total:
            continue
        said = sum(predicted.get(cost.name, math.nan) for cost in own)
        plan = f" ({1e3 * said:.3g} ms by the plan)" if said > 0 else ""
        words = f"most of it is the network {network}, {1e3 * spent:.3g} ms{plan}"
        left = period - (total - spent)
        if spent > left > 0:
            over = spent / left
            return (f"{words}, {over:.2g} times the {1e3 * left:.3g} ms that are left for it: it would keep up with an "
                    f"input whose sides are about {math.sqrt(1 / over):.2g} times as long, or at every {_nth(over)} "
                    "frame alone; what also helps: an int8 model, if it is none yet")  # fmt: skip
        return f"{words}; a smaller input, the network at every 2nd frame, an int8 model, if it is none yet"
    return ""


def _nth(over: float) -> str:
    """Which frames alone there is time for.

    >>> _nth(1.3), _nth(4.0000001), _nth(20.2), _nth(10.5)
    ('2nd', '4th', '21st', '11th')
    """
    n = max(2, math.ceil(round(over, 2)))
    return f"{n}{'th' if n % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
