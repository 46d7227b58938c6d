"""Thresholds that let through nothing, noise, or hardly anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from app.hinting.look import Look, look_at, looked_at, middle, nodes_of, number
from app.response import STANDS_OUT, Response
from kernels.components.blobs import most_area, region_areas
from pipelines.frame import FrameSource
from pipelines.graph import Bound, BoundNode

Array = npt.NDArray[Any]
SPECK = 3
"""Pixels from which on a region counts as a thing."""


def thresholds(bound: Bound, look: Look, doubted: bool = False) -> list[str]:
    """A sentence for each threshold; where something else is `doubted`, only for those that cannot be right."""
    hints, noise_only = [], True
    for node, _, response, level, bright in _levels(bound, look):
        asked = f"keeps what is {'above' if bright else 'at or below'} {level:g}"
        frame = look.frames[len(look.frames) // 2]
        text = (f"{node.id} {asked}; in frame {frame} its input runs from {response.low:.3g} to {response.high:.3g}, "
                f"median {response.middle:.3g}")  # fmt: skip
        better = response.peak(not bright) > 1.5 * response.peak(bright)
        if doubted and not response.mere_noise() and not better:
            continue
        noise_only &= response.mere_noise()
        if response.mere_noise():
            noise = f", as noise of {response.noise:.2g} does: nothing stands out from the noise"
            text += (noise if response.noise else ": there is nothing in it") + ", so no level helps; try another part"
            text += " of the clip, another pipeline, or more light"
        elif better:
            those, these = ("dark", "bright") if bright else ("bright", "dark")
            text += f"; {those} things stand out more than {these} ones: try "
            text += f"--set {node.id}.polarity={those} --set {node.id}.level={response.level(not bright):.3g} "
            text += " ".join(f"--set {after}.polarity={those}" for after in measuring(bound, node.id))
        elif response.peak(bright) > 0:
            text += f"; try --set {node.id}.level={response.level(bright):.3g}"
        hints.append(text.rstrip())
    for node in nodes_of(bound, "components") if not doubted and not noise_only else ():
        least, most = number(node.body.params, "min_area"), number(node.body.params, "max_area")
        kept = f"regions of {least:g} to {most:g} px" if most else f"regions of {least:g} px and more"
        hints.append(f"{node.id} keeps {kept} ({node.id}.min_area, {node.id}.max_area; 0 for no upper limit)")
    return hints


def within_noise(source: FrameSource, bound: Bound, frame: int) -> list[str]:
    """A sentence for each threshold that noise passes: half as far from the median as what stands out."""
    hints = []
    for node, _, response, level, bright in _levels(bound, look_at(source, bound, frame, 1, looked_at(bound))):
        off = level - response.middle if bright else response.middle - level
        if off >= 0.5 * STANDS_OUT * response.noise:
            continue
        text = f"{node.id}.level = {level:g} lies within the noise ({response.noise:.2g} about {response.middle:.2g})"
        if response.mere_noise():
            hints.append(f"{text}, and nothing stands out from it")
        elif response.peak(bright) > STANDS_OUT * response.noise:
            hints.append(f"{text}: try --set {node.id}.level={response.level(bright):.3g}")
    return hints


def too_faint(source: FrameSource, bound: Bound, frame: int) -> list[str]:
    """A sentence for each threshold that lets through less than a third of the regions that stand out of the noise and
    have a size that counts; where one ellipse is wanted, others are none of its kind."""
    look = look_at(source, bound, frame, 1, looked_at(bound))
    hints = []
    for node, values, response, level, bright in _levels(bound, look):
        lower = response.level(bright)
        # A level that is lower already lets more through, not less.
        if response.mere_noise() or (level <= lower if bright else level >= lower):
            continue
        takers = [one for one in nodes_of(bound, "components") if one.id in measuring(bound, node.id)]
        if any(one.body.params["centre"] == "ellipse" for one in takers):
            continue
        least = max(SPECK, *(number(one.body.params, "min_area") for one in takers), 0.0)
        most = max((most_area(one.body.params, values.size) for one in takers), default=np.inf)
        areas = (region_areas(values > at if bright else values <= at, 8) for at in (lower, level))
        there, passing = (int(np.sum((least <= area) & (area <= most))) for area in areas)
        if there >= 3 and 3 * passing < there:
            hints.append(f"hardly anything was followed: in frame {look.frames[-1]} {there} regions stand out from the "
                         f"noise, and {passing} pass {node.id}.level = {level:g}: "
                         f"try --set {node.id}.level={lower:.3g}")  # fmt: skip
    return hints


def _levels(bound: Bound, look: Look) -> Iterator[tuple[BoundNode, Array, Response, float, bool]]:
    """Each threshold with its input in the middle one of the frames, what that holds, its level, whether it keeps what
    is brighter."""
    for node in nodes_of(bound, "threshold"):
        values, params = middle(look, node), node.body.params
        yield node, values, Response.of(values), number(params, "level"), params["polarity"] == "bright"


def measuring(bound: Bound, mask: str) -> list[str]:
    """The components stages that a mask reaches, directly or through others."""
    reached, found = {mask}, []
    # Nodes are in order: whoever reads a reached one is reached.
    for node in bound.nodes:
        if any(ref is not None and ref.node in reached for ref in node.inputs):
            if node.stage.name == "components":
                found.append(node.id)
            else:
                reached.add(node.id)
    return found
