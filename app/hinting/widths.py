"""Spots that are wider than the windows in which their centres are found."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from app.hinting.look import Look, look_at, nodes_of, number
from pipelines.frame import FrameSource
from pipelines.graph import Bound, BoundNode, Ref

Array = npt.NDArray[Any]

REACH = 12.0
"""Half width of what is looked at around a spot, in widths of the weights."""
WIDE = 2.0
"""Widths of the weights from which on a spot counts as too wide: what is cut at its rim errs by twice what it could."""
ROUNDED = 1.5
"""Of a bell the radius at a fifth of its height is 1.8 times that at exp(-1/2); of things with a flat top, which their
regions tell well, 1 to 1.4 times."""
ASIDE = 0.35
"""How far the bright part may be from where it was found, in its radius."""
SPOTS = 100
"""Spots that are looked at, the brightest ones."""


def too_wide(source: FrameSource, bound: Bound, first: int, processed: int) -> list[str]:
    """A sentence for each components stage whose spots are wider than `refine_sigma` fits."""
    nodes = [node for node in nodes_of(bound, "components") if _refines(node)]
    refs = [ref for node in nodes for ref in (node.inputs[1], Ref(node.id)) if ref is not None]
    look = look_at(source, bound, first, processed, refs, most=1, compiled=True)
    hints = []
    for node in nodes:
        sigma, width = number(node.body.params, "refine_sigma"), _width(node, look)
        if width >= WIDE * sigma:
            times = width / sigma
            changes = [(node.id, "refine_sigma", sigma), (node.id, "split", number(node.body.params, "split"))]
            changes += [(one.id, "sigma", number(one.body.params, "sigma")) for one in _before(bound, node)]
            tries = " ".join(f"--set {name}.{key}={times * value:.2g}" for name, key, value in changes if value > 0)
            hints.append(f"the spots are some {width:.2g} px wide (standard deviation), more than "
                         f"{node.id}.refine_sigma = {sigma:g} px fits: they are cut, and err by more than sigma says: "
                         f"try {tries}")  # fmt: skip
    return hints


def _refines(node: BoundNode) -> bool:
    params = node.body.params
    return (node.inputs[1] is not None and params["centre"] == "light" and number(params, "refine_sigma") > 0
            and params["refine"] != "moments")  # fmt: skip


def _before(bound: Bound, node: BoundNode) -> list[BoundNode]:
    """The band passes that a components stage's mask comes from."""
    nodes, found, refs = {one.id: one for one in bound.nodes}, [], [node.inputs[0]]
    while refs:
        ref = refs.pop()
        one = nodes.get(ref.node) if ref is not None else None
        if one is not None:
            refs += one.inputs
            if one.stage.name == "dog" and one not in found:
                found.append(one)
    return found


def _width(node: BoundNode, look: Look) -> float:
    """Standard deviation of the usual spot, px; 0 where it is no bell, or cannot be seen."""
    weights, sigma = node.inputs[1], number(node.body.params, "refine_sigma")
    assert weights is not None
    half, sign = int(REACH * sigma), -1.0 if node.body.params["polarity"] == "dark" else 1.0
    stamps: list[Array] = []
    for image, rows in zip(look.values[weights], look.values[Ref(node.id)], strict=True):
        stamps += _stamps(np.asarray(image, np.float64) * sign, rows, half)
    if not stamps:
        return 0.0
    usual = np.median(stamps[:SPOTS], axis=0)
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    ring = np.rint(np.hypot(rows, columns)).astype(int)
    inside = ring <= half
    profile = np.bincount(ring[inside], usual[inside]) / np.bincount(ring[inside])
    profile = profile - profile[-max(2, half // 4) :].mean()
    near, far = (_radius(profile, level) for level in (np.exp(-0.5), 0.2))
    return float(near) if far >= ROUNDED * near else 0.0


def _stamps(image: Array, rows: Array, half: int) -> list[Array]:
    """The light around the brightest spots that have no brighter one near them, above what is around them, by their
    height."""
    found: list[Array] = []
    taken = np.zeros((0, 2))
    for row in rows[np.argsort(-rows["mass"])][: 2 * SPOTS]:
        x, y = round(float(row["x"])), round(float(row["y"]))
        if np.any(np.abs(taken - (x, y)).max(axis=1, initial=0.0) <= half):
            continue
        taken = np.concatenate((taken, [(x, y)]))
        if half <= x < image.shape[1] - half and half <= y < image.shape[0] - half:
            stamp = image[y - half : y + half + 1, x - half : x + half + 1]
            stamp = stamp - np.median(np.concatenate((stamp[0], stamp[-1], stamp[:, 0], stamp[:, -1])))
            height = stamp[half - 1 : half + 2, half - 1 : half + 2].mean()
            if height > 0 and np.isfinite(stamp).all() and _amid(stamp):
                found.append(stamp / height)
    return found


def _amid(stamp: Array) -> bool:
    """Whether the bright part is in the middle: rims and corners of larger things are no spots."""
    half = len(stamp) // 2
    y, x = np.nonzero(stamp > 0.5 * np.quantile(stamp, 0.995))
    away = np.hypot(x.mean() - half, y.mean() - half) if len(x) else np.inf
    return bool(away <= max(1.5, ASIDE * np.sqrt(len(x) / np.pi)))


def _radius(profile: Array, level: float) -> float:
    """Where a profile first falls to a share of its height, px; 0 if it never does."""
    height = profile[0]
    below = np.flatnonzero(profile <= level * height)
    if not height > 0 or not len(below) or below[0] == 0:
        return 0.0
    k = int(below[0])
    return float(k - 1 + (profile[k - 1] - level * height) / (profile[k - 1] - profile[k]))
