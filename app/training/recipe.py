"""How a network is to be trained; loads nothing of what trains it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kernels.errors import InputError

BATCH = 8
"""Pictures of a step."""
FEWEST = 4
"""Labelled frames without which nothing can be learnt."""
BOUNDS = (("size", 64, 1024), ("steps", 1, 1_000_000), ("turn", 0, 360), ("zoom", 0, 1), ("seed", 0, 1 << 31))
"""What a recipe may say: name, least, most."""


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    Args:
        size: longest side of the network's picture, px; frames are not made larger.
        steps: of BATCH pictures each.
        seed: chooses first weights, what is held out, and how pictures are changed.
        turn: standard deviation of the angle by which pictures are turned, degrees.
        zoom: standard deviation of the logarithm of the factor by which they are scaled.
    """

    size: int = 256
    steps: int = 1500
    seed: int = 1
    turn: float = 15.0
    zoom: float = 0.15


def state_of(out: Path) -> Path:
    """Where the state of a training that was stopped lies."""
    return out.with_suffix(".training.npz")


def check(recipe: Recipe, out: Path, named: str = "--") -> None:
    """See that a training can be ordered so.

    Args:
        recipe: how.
        out: the network's file.
        named: what is before the name of a setting.

    Raises:
        InputError: it cannot.
    """
    if out.suffix.lower() != ".onnx":
        raise InputError(f"{named}out names the network, so it ends in .onnx: {out.name}")
    for name, low, high in BOUNDS:
        if not low <= getattr(recipe, name) <= high:
            raise InputError(f"{named}{name} must be {low} to {high}, not {getattr(recipe, name):g}")
