"""What the row kernels of network layers find in memory: the record of a layer, the words of a step, the job's block.

A *row kernel* makes one row of one layer, its epilogue included. A *step* says which layer's row, where it goes and
where the rows lie that it is made of; a table of steps is the schedule, so layer by layer, two layers fused over a row
or rows streamed through a whole network are the same machine code (`kernels.codegen.layers_steps`). Everything but the
shape of the loops is in the record, so a network needs few kernels.

Rows are f32 or whole numbers (u8; i32 for sums), channels last: pixel x of a row begins `pitch` values after pixel
x - 1; `pitch` is a multiple of CHANNELS but where a row is only looked at by a dense kernel. Every row has as many
pixels before and after its own as its readers look at; they and the rows beyond the map are values that are read like
others: no kernel knows of borders.

A step is words of 32 bits: number of the layer, where the row of the result begins, the same of `rows` rows that are
looked at, and of one row for each of the kernel's further operands; each counted in values of that row's type from the
start of the bank that the record names.
"""

from __future__ import annotations

from kernels.ir.volumes import CHANNEL_BLOCK

CHANNELS = 8
"""Channels that a pixel's room is a multiple of: the shortest vector that kernels store."""
BLOCK = CHANNEL_BLOCK
"""Input channels that are summed before the next tap: part of the meaning of a sum, the same for ever."""
BESIDE = 4
"""Further rows that an epilogue may look at, at most."""
TABLES = 2
"""Constants a channel that it may look at besides the bias, at most."""
SCALARS = 24
"""Constants of the layer that it may look at, at most."""
SEGMENTS = 12
"""Groups of equal tiles that a dense layer's channels are cut into, at most."""

FIELDS = (
    "function",  # address of the row kernel
    "words",  # of a step
    "bank_out",
    "bank_in",
    "width",  # pixels of the result that a step makes
    "channels",  # of the result; multiples of CHANNELS but for moves
    "step_out",  # values from pixel to pixel of the result
    "step_in",  # the same of what is looked at, for neighbours of the result: its pitch times the stride
    "rows",  # that are looked at, the taps down
    "taps",  # along a row
    "step_tap",  # values from tap to tap: the pitch times the dilation
    "blocks",  # of BLOCK input channels
    "step_block",  # values from block to block
    "run",  # steps of the sum in a tap of a block: its channels
    "run_last",  # the same in the last block
    "step_run",  # values from one to the next: 1 where a channel is given to all lanes
    "weights",  # address
    "bias",  # address
    "segments",  # how many groups of tiles
    *(f"tile{i}" for i in range(SEGMENTS)),  # address of the function that makes a tile of a row
    *(f"count{i}" for i in range(SEGMENTS)),  # how many of these
    *(f"bank_beside{i}" for i in range(BESIDE)),
    *(f"step_beside{i}" for i in range(BESIDE)),
    *(f"table{i}" for i in range(TABLES)),  # addresses of constants a channel
    "scalars",  # address of the layer's constants, 32 bits each
    "groups",  # products with matrices of their own that a step makes (`kernels.codegen.layers_winograd`)
    "group_in",  # values from group to group of what is looked at
    "group_out",  # the same of what is made, less the channels of a pixel
    "group_weights",  # the same of weights
)
"""The words (64 bits) of a layer's record."""
JOB = ("steps", "steps_end", "layers", "banks", "runs")
"""The words (64 bits) of a job's block: addresses of the first step and behind the last, of the records, of the table
of banks (addresses), of room for as many addresses as the layer with the most runs has."""

FRAMES = ("batch", "table", "places", "banks", "jobs", "tables", "lists", "listed")
"""The words (64 bits) by which a thread takes frames of a batch: the address of two words, the number of the next frame
and how many there are; the thread's table of banks; the addresses of `banks` triples (bank, where it lies for frame 0,
bytes from frame to frame), of its jobs (`tables` of them) and of its lists (`listed` of them)."""
LIST = ("source", "index", "values", "out", "step")
"""The words (64 bits) of an output whose values are read in maps by a list: the maps' values side by side, which of
them (i32), how many, where they go for frame 0, and bytes from frame to frame."""


def at(name: str) -> int:
    """The number of a field of the record."""
    return FIELDS.index(name)
