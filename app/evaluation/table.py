"""An evaluation on a terminal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.evaluation.measures import groups, number
from pipelines.evaluation.complete import Evaluation

SHOWN = 20
HEADS = ("thing", "frames", "recall", "track", "tracks", "switches", "gaps", "RMSE", "bias x", "bias y", "noise x",
         "noise y", "sigma", "var z")  # fmt: skip


def print_evaluation(console: Console, found: Evaluation) -> None:
    """Everything, group by group, then the things."""
    for title, measures in groups(found):
        console.print(f"[bold]{escape(title)}[/]")
        width = max(len(measure.name) for measure in measures)
        wide = max(len(measure.value) for measure in measures)
        for measure in measures:
            console.print(f"  {measure.name:<{width}}  {measure.value:<{wide}}  [dim]{escape(measure.means)}[/]")
        console.print()
    console.print(_things(found))
    if len(found.things) > SHOWN:
        console.print(f"[dim]the {SHOWN} worst of {len(found.things)} things; --csv FILE writes all[/]")
    if len(found.false_tracks):
        names = ", ".join(map(str, found.false_tracks[:10].tolist())) + (" ..." if len(found.false_tracks) > 10 else "")
        many = f"{len(found.false_tracks)} tracks were" if len(found.false_tracks) > 1 else "1 track was"
        console.print(f"{many} never near anything true: {names}")


def worst_first(things: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """By switches and gaps, then by recall, then by error."""
    error = np.nan_to_num(things["rmse"], nan=np.inf)
    return things[np.lexsort((-error, things["recall"], -(things["switches"] + things["fragments"])))]


def _things(found: Evaluation) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in HEADS:
        table.add_column(head, justify="right", no_wrap=True)
    shown = found.things if len(found.things) <= SHOWN else worst_first(found.things)[:SHOWN]
    for row in shown:
        table.add_row(*cells_of(row))
    return table


def cells_of(row: np.void) -> list[str]:
    """A row of THING_DTYPE below HEADS."""
    errors = [number(row[name]) for name in ("rmse", "bias_x", "bias_y", "noise_x", "noise_y", "sigma")]
    track = str(row["track"]) if row["track"] >= 0 else "-"
    return [str(row["thing"]), str(row["visible"]), number(row["recall"], 3), track, str(row["tracks"]),
            str(row["switches"]), str(row["fragments"]), *errors, number(row["z_variance"], 2)]  # fmt: skip
