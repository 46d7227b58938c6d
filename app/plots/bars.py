"""Bars side by side, in groups, each bar in the colour of its name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.plots.look import Look
from app.plots.words import literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP = 1.2
"""Widths of a bar between groups."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar up to (or down to) a value, with a line from `low` to `high` where both are known."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class Group:
    """Bars that are together, and what is written below them."""

    label: str
    bars: Sequence[Bar]


def colours_of(names: Iterable[str], look: Look) -> dict[str, str]:
    """A colour for each name, in their order; those of a look begin again, hatched."""
    return {name: look.colour(number) for number, name in enumerate(dict.fromkeys(names))}


def draw_groups(
    axes: Axes, groups: Sequence[Group], colours: Mapping[str, str], look: Look, base: float = 0.0,
    upright: bool = False,
) -> list[float]:  # fmt: skip
    """Draw groups of bars side by side.

    Args:
        axes: where; its upright scale is that of the values.
        groups: what is drawn.
        colours: by name.
        look: widths of lines.
        base: where bars begin.
        upright: labels read upwards.

    Returns:
        The middle of each group on the axis across.
    """
    places: dict[str, list[tuple[float, Bar]]] = {name: [] for name in colours}
    middles, x = [], 0.0
    for group in groups:
        for k, bar in enumerate(group.bars):
            places[bar.name].append((x + k, bar))
        middles.append(x + 0.5 * (len(group.bars) - 1))
        x += len(group.bars) + GAP
    for number, (name, mine) in enumerate(places.items()):
        if mine:
            at, values = np.array([place for place, _ in mine]), np.array([bar.value for _, bar in mine])
            axes.bar(at, np.abs(values - base), 0.9, np.minimum(values, base), color=colours[name], label=literal(name),
                     hatch=look.hatch(number), ec=look.ink, lw=0.0, zorder=2)  # fmt: skip
            known = [(place, bar) for place, bar in mine if math.isfinite(bar.low + bar.high)]
            axes.vlines([place for place, _ in known], [bar.low for _, bar in known], [bar.high for _, bar in known],
                        color=look.ink, lw=0.6 * look.line, zorder=3)  # fmt: skip
    axes.set_xlim(-0.5 - GAP / 2, x - 0.5 - GAP / 2)
    axes.set_xticks(middles, [literal(group.label) for group in groups], rotation=90 if upright else 0)
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")
    return middles


def key_below(figure: Figure, look: Look) -> None:
    """A key of all panels' names, each once, below them."""
    entries: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if entries:
        letters = max(map(len, entries)) + 4
        columns = max(1, int(72.0 * figure.get_figwidth() / (0.56 * look.font) / letters))
        figure.legend(list(entries.values()), list(entries), loc="outside lower left", ncols=min(columns, len(entries)))
