"""Tables of an answer as lines of text, to be read in a font of one width."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
BEGIN, WIDE = 9, 70
"""Letters before a sentence of a command, and of a line at most."""


def peak_lines(rows: Sequence[Row]) -> list[str]:
    """A peak: amplitude and phase of each point and axis, each with its sigma."""
    if not rows:
        return []
    unit = next(name.removeprefix("amplitude_") for name in rows[0] if name.startswith("amplitude_")
                and not name.startswith("amplitude_sigma_"))  # fmt: skip
    head = ("track", "axis", f"amplitude [{unit}]", "sigma", "phase [deg]", "sigma")
    cells = [(str(row["track"]), row["axis"], _number(row[f"amplitude_{unit}"], ".4g"),
              _number(row[f"amplitude_sigma_{unit}"], ".2g"), _number(row["phase_deg"], ".1f"),
              _number(row["phase_sigma_deg"], ".2g")) for row in rows]  # fmt: skip
    return [f"{rows[0]['frequency_hz']:.5g} Hz", *lined_up([head, *cells])]


def mode_lines(found: Row) -> list[str]:
    """Resonances: natural frequency and damping ratio with their sigma, and what answers most there."""
    if not found["modes"]:
        return []
    unit = f"|H| [{found['unit']}]" if found["unit"] else "|H|"
    head = ("mode", "frequency [Hz]", "sigma", "damping", "sigma", "most at", unit, "coherence")
    cells = [(str(row["mode"]), _number(row["frequency_hz"], ".6g"), _number(row["frequency_sigma_hz"], ".2g"),
              _number(row["damping_ratio"], ".4g"), _number(row["damping_ratio_sigma"], ".2g"),
              f"{row['track']} {row['axis']}", _number(row["magnitude"], ".4g"), _number(row["coherence"], ".3f"))
             for row in found["modes"]]  # fmt: skip
    return lined_up([head, *cells])


def folded(lines: Sequence[str]) -> list[str]:
    """Sentences of a command in as many lines as they need, below where their first one begins."""
    indent = " " * BEGIN
    return [part for line in lines for part in textwrap.wrap(line, WIDE, subsequent_indent=indent)]


def lined_up(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns to the right, each as wide as the widest in it, two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:>{width}s}" for cell, width in zip(row, widths, strict=True)) for row in rows]


def _number(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)
