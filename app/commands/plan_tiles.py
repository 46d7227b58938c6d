"""Which convolutions are made of tiles on this machine's processor, for `fusetrack plan --fast`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.markup import escape
from rich.table import Table

from app.commands.schedules import weighted_nodes
from app.commands.source import tiles_chosen
from kernels.codegen.layers_tiles import NEAR
from pipelines.fusing import Unit
from pipelines.planning.explain import duration


@dataclass(frozen=True, slots=True)
class TilesRow:
    """A convolution that may be made of tiles.

    Args:
        group: number of its group.
        node: id of the node that has its weights.
        size: (height, width) of what it makes; `channels` that it looks at and makes.
        outputs: pixels that a tile makes, each way; 0 where it stays a sum.
        before, after: predicted seconds of a frame on a core, as a sum and as chosen, with the layers beside it.
    """

    group: int
    node: str
    size: tuple[int, int]
    channels: tuple[int, int]
    outputs: int
    before: float
    after: float


def tiles_rows(units: Sequence[Unit]) -> list[TilesRow]:
    """Of all groups."""
    found = []
    for number, unit in enumerate(units, 1):
        for one in tiles_chosen(unit):
            how = one.value.arg
            node = weighted_nodes(unit).get(how.weights.digest, unit.name)
            found.append(TilesRow(number, node, how.size, (how.weights.array.shape[3], how.features), one.outputs,
                                  one.before, one.after))  # fmt: skip
    return found


def tiles_table(rows: Sequence[TilesRow]) -> tuple[Table, str]:
    """They as people read them, and in a line what is saved."""
    table = Table("", "convolutions 3x3", "made of", box=None, header_style="bold", pad_edge=False,
                  padding=(0, 1, 0, 0))  # fmt: skip
    for name in ("pixels", "channels", "as sums", "as chosen", "saves"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        (height, width), (c, f), m = row.size, row.channels, row.outputs
        table.add_row(str(row.group), escape(row.node), f"tiles {m}x{m}" if m else "sums", f"{width}x{height}",
                      f"{c} to {f}", duration(row.before), duration(row.after),
                      duration(row.before - row.after) if m else "-")  # fmt: skip
    saved, made = sum(row.before - row.after for row in rows), sum(row.outputs > 0 for row in rows)
    return table, (f"{made} of {len(rows)} of tiles, which is predicted to save {duration(saved)} a frame on one core "
                   f"of this machine; times are of a layer and up to {NEAR} on either side")  # fmt: skip
