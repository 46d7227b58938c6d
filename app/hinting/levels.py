"""Thresholds beyond all that their input can be: known from the plan, before a frame is read."""

from __future__ import annotations

import math

from app.hinting.look import number
from kernels.fusion.extent import Extent, of_outputs, of_source
from pipelines.graph import SOURCE, Bound, Ref


def level_hints(bound: Bound) -> list[str]:
    """A sentence for each threshold that everything passes, or nothing, whatever the pictures show."""
    known: dict[Ref | None, Extent] = {Ref(SOURCE): of_source(bound.source)}
    hints = []
    for node in bound.nodes:
        given = [known.get(ref) for ref in node.inputs]
        made = of_outputs(node.body, given)
        known |= {Ref(node.id, name if len(node.body.outputs) > 1 else ""): made[name] for name in made}
        if node.stage.name == "threshold" and given[0] is not None:
            level, bright = number(node.body.params, "level"), node.body.params["polarity"] == "bright"
            hints += _sentence(node.id, level, bright, given[0])
    return hints


def _sentence(name: str, level: float, bright: bool, extent: Extent) -> list[str]:
    low, high = extent
    slack = 1e-3 * (high - low) if math.isfinite(high - low) else 0.0  # of rounding
    if low - slack <= level < high + slack:
        return []
    where, passes = ("above", not bright) if level >= high else ("below", bright)
    then = "all of the picture passes" if passes else "nothing passes"
    most = f"to {high:.4g}" if high < math.inf else "or more"
    least = f"{low:.4g} " if low > -math.inf else "up "
    return [f"{name}.level = {level:g} lies {where} all that its input can be ({least}{most}): {then}"]
