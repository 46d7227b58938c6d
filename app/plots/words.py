"""Units and numbers as they are printed: µm², px/√Hz, 20.13 ± 0.31."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from app.plots.look import Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIMES = "\N{MULTIPLICATION SIGN}"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def symbol(unit: str) -> str:
    """A unit as it is printed, of a unit as it is typed.

    >>> symbol("um"), symbol("um^2/s"), symbol("px/sqrt(Hz)"), symbol("px")
    ('µm', 'µm²/s', 'px/√Hz', 'px')
    """
    for typed, printed in (("um", "µm"), ("^2", "²"), ("^3", "³"), ("sqrt(Hz)", "√Hz")):
        unit = unit.replace(typed, printed)
    return unit


def axis(name: str, unit: str = "") -> str:
    """What is beside an axis.

    >>> axis("lag", "s"), axis("coherence"), axis("x", "um")
    ('lag (s)', 'coherence', 'x (µm)')
    """
    return f"{name} ({symbol(unit)})" if unit else name


def measured(value: float, error: float = math.nan, unit: str = "") -> str:
    """A number with as many digits as its standard error has two of.

    >>> measured(20.134, 0.312, "um^2/s"), measured(1.23456e-7, 2.1e-9, "m"), measured(0.98765), measured(3.0, 0.0)
    ('20.13 ± 0.31 µm²/s', '(1.235 ± 0.021)×10⁻⁷ m', '0.9877', '3')
    """
    behind = f" {symbol(unit)}" if unit else ""
    if not (math.isfinite(error) and error > 0 and math.isfinite(value)):
        return (f"{value:.4g}" if math.isfinite(value) else "?") + behind
    power = math.floor(math.log10(max(abs(value), error)))
    power = power if not -4 <= power <= 5 else 0
    digits = 1 - math.floor(math.log10(float(f"{error / 10.0**power:.1e}")))
    if digits < 0:  # an error of tens: whole numbers, rounded there
        value, error, digits = round(value, digits), round(error, digits), 0
    numbers = f"{value / 10.0**power:.{digits}f} ± {error / 10.0**power:.{digits}f}"
    return f"({numbers}){TIMES}10{str(power).translate(RAISED)}{behind}" if power else numbers + behind


def entitle(axes: Axes, words: str, look: Look, always: bool = False) -> None:
    """Write a title above axes, to the left: where figures have titles, or `always`, of one panel among others."""
    if words and (always or not look.paper):
        axes.set_title(literal(words), loc="left")


def remark(axes: Axes, words: str, look: Look, down: bool = False) -> None:
    """Write something about a panel into its upper left corner, or the lower one, behind its curves' colours."""
    axes.text(0.015, 0.03 if down else 0.97, literal(words), transform=axes.transAxes, ha="left",
              va="bottom" if down else "top", fontsize=look.font - 2.0, color=look.dim)  # fmt: skip


def key_above(axes: Axes, look: Look, columns: int = 6, larger: float = 1.0) -> None:
    """The key above axes, in one or more rows, and their title above it; none where nothing has a name.

    Args:
        axes, look: of what.
        columns: at most, in a row.
        larger: how much larger than in the axes its dots are.
    """
    handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    across = min(len(labels), columns, 3 if look.narrow else columns)
    axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2, borderpad=0.1,
                frameon=False, ncols=across, columnspacing=1.2, markerscale=larger)  # fmt: skip
    if title := axes.get_title(loc="left"):
        axes.set_title(title, loc="left", pad=6.0 + 1.5 * look.font * -(-len(labels) // across))


def literal(words: str) -> str:
    """Words of the user's, in which matplotlib sees no formula, no curve that is to stay out of a key, and no bytes of
    a file's name that are no text.

    >>> literal("cost $5"), literal("_left"), literal("f\\udcfc.npy")
    ('cost \\\\$5', ' _left', 'f\\\\udcfc.npy')
    """
    plain = words.encode("utf-8", "backslashreplace").decode().replace("$", r"\$")
    return f" {plain}" if plain.startswith("_") else plain
