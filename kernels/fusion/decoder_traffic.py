"""What a decoder's block reads and writes of a GPU's memory for a frame (`kernels.codegen.cuda_decoders`).

Counted in sectors of 32 bytes, each once, loads and stores apart, as modules and image kernels are: the numbers of a
network, of which maxima and candidates are looked for among all; what is looked at of each that is found; lists in
scratch memory, which are written and read; rows of tables.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernels.components.mask_table import MaskComponents
from kernels.components.weighed_table import TEAMS, WeighedComponents
from kernels.decoders.anchor_loops import BOX_NUMBERS
from kernels.decoders.anchors import Detector
from kernels.decoders.coordinates import Regressor
from kernels.decoders.heatmaps import HeatmapPeaks
from kernels.errors import DefinitionError
from kernels.ir.bits import words_of
from kernels.ir.body import Body
from kernels.ir.image import ImageType
from kernels.ir.placement import PARTS
from kernels.ir.table import PACKED, TableType
from kernels.regions.mask_fill import MaskFill
from kernels.regions.otsu_mask import OtsuMask

SECTOR = 32
AROUND = 8
"""px of a region's tile on each side that are reckoned with: what it grows by and the ring of its ground, twice."""
BIT_ROWS = 9
"""Planes of bits of a tile, a word a row (`kernels.regions.tile_loops`)."""
SETTINGS = 1024
"""Bytes that the loops look at of what the host says of the parameters."""
LINES = 12
"""Rows of a component that are reckoned with."""
TYPICAL = 100
"""Regions of a frame, as the time of the host's function is reckoned with (`kernels.stages.components`)."""
EACH_REGION = 40e-6
"""s in which a team measures and centres a region of so many rows: some 10,000 instructions, each of which waits six
cycles or so for the one before, at 1.5 GHz. An estimate: no card has run it."""
PLACEMENT = 8 * PARTS
"""Bytes of one."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a frame holds.

    Args:
        rows: of the table `out`: peaks, points or things.
        candidates: of a detector, anchors above the threshold.
        together: of a detector, the most of them that are one thing.
    """

    rows: int
    candidates: int = 0
    together: int = 1


@dataclass(frozen=True, slots=True)
class Accesses:
    """Of a frame.

    Args:
        loads, stores: bytes.
        latency: seconds that its block takes by itself where instructions wait for one another; 0 where that is little.
    """

    loads: float
    stores: float
    latency: float = 0.0


def likely(body: Body, rows: int) -> Found:
    """What is reckoned with before a frame is there: full tables and lists, but no more than so many rows."""
    decoder = body.host.decoder if body.host is not None else None
    capacity = body.output("out").type
    if not isinstance(capacity, TableType):
        return Found(rows)
    full = min(capacity.capacity, rows)
    if not isinstance(decoder, Detector):
        return Found(full)
    many = min(len(decoder.anchors), rows)
    return Found(min(full, many), many, -(-many // max(min(full, many), 1)))


def decoder_traffic(body: Body, found: Found) -> Accesses:
    """What a decoder moves.

    Raises:
        DefinitionError: it is none that a GPU computes.
    """
    decoder = body.host.decoder if body.host is not None else None
    match decoder:
        case HeatmapPeaks():
            loads, stores = _peaks(decoder, found)
        case Regressor():
            loads, stores = sum(_run(t.nbytes) for t in body.inputs[:2] if isinstance(t, ImageType)), 0.0
        case Detector():
            loads, stores = _things(body, decoder, found)
        case MaskComponents():
            loads, stores = _components(decoder, found)
        case WeighedComponents():
            loads, stores = _weighed(decoder, found)
        case MaskFill():
            loads, stores = _filled(decoder, found)
        case OtsuMask():
            loads, stores = _run(decoder.size[0] * decoder.size[1]), 0.0
        case _:
            raise DefinitionError("a host function that no GPU computes")
    masks = isinstance(decoder, MaskComponents | WeighedComponents | MaskFill | OtsuMask)
    places = None if masks else body.inputs[2 if not isinstance(decoder, Detector) else 4]
    loads += _run(PLACEMENT) if places is not None else 0
    for output in body.outputs:
        type_ = output.type
        if not isinstance(type_, TableType):
            stores += _run(8 * words_of(type_.width) * type_.height if output.words else type_.nbytes)
            continue
        each = decoder.points if isinstance(decoder, Detector) and output.name == "points" else 1
        row = PACKED.itemsize if decoder.packed else type_.numpy.itemsize
        stores += _run(row * min(found.rows * each, type_.capacity)) + SECTOR  # and how many there are
    # Teams measure regions side by side: so many rounds, each as long as one region takes.
    latency = EACH_REGION * -(-min(found.rows, TYPICAL) // TEAMS) if isinstance(decoder, WeighedComponents) else 0.0
    return Accesses(loads, stores, latency)


def _peaks(decoder: HeatmapPeaks, found: Found) -> tuple[float, float]:
    height, width, channels = decoder.shape
    loads = _run(4 * height * width * channels) + decoder.offsets * found.rows * _piece(8, 8)
    if decoder.instances == 1:
        return loads, 0.0
    each, stride = 4 * found.rows / channels, 4 * decoder.instances  # of a channel those that are taken
    taken = _run(channels * stride) if stride <= SECTOR else channels * _piece(round(each), stride)
    lists = taken + _run(8 * channels)
    return loads + lists, lists


def _components(decoder: MaskComponents, found: Found) -> tuple[float, float]:
    """A mask, its words, which are written and read, and lists of runs: LINES of them of each component."""
    height, width = decoder.size
    words, lists = _run(8 * words_of(width) * height), _run(4 * (height + 1)) + _run(68 * LINES * found.rows)
    return _run(height * width) + words + lists, words + lists


def _filled(decoder: MaskFill, found: Found) -> tuple[float, float]:
    """A mask, its words, which are written and read, and lists of runs of what is outside: one in each row, and LINES
    of each hole twice; where each begins and ends and its row are looked at, the box of each hole, too."""
    height, width = decoder.size
    runs, rows = height + 2 * LINES * found.rows, _run(4 * (height + 1))
    words = _run(8 * words_of(width) * height)
    loads = _run(height * width) + words + rows + _run(12 * runs) + SECTOR * found.rows
    return loads, words + rows + _run(24 * runs)


def _weighed(decoder: WeighedComponents, found: Found) -> tuple[float, float]:
    """A mask, its words twice, lists of runs, what parameters say, and memory of each team that measures regions: the
    tile that it makes of a region is written and read."""
    height, width = decoder.size
    words, lists = _run(8 * words_of(width) * height), _run(4 * (height + 1)) + _run(100 * LINES * found.rows)
    side = LINES + 2 * AROUND
    pixels = found.rows * side * (_run(side * decoder.dtype.itemsize) + SECTOR)
    tiles = min(found.rows, TEAMS) * (_run(8 * side * side) + _run(8 * BIT_ROWS * side))
    settings = _run(SETTINGS) * (found.rows > 0)
    return _run(height * width) + 3 * words + lists + pixels + tiles + settings, 2 * words + lists + tiles


def _things(body: Body, decoder: Detector, found: Found) -> tuple[float, float]:
    record = decoder.record(body.params)
    count, many, numbers = len(decoder.anchors), found.candidates, BOX_NUMBERS + 2 * decoder.points
    row, step = 4 * decoder.numbers, 4 * record.score_step
    box = 4 * record.first, 4 * (record.first + numbers)
    score = 4 * record.score_first, 4 * record.score_first + 4
    apart = body.inputs[1] is not None
    loads = _run(count * step) if step <= SECTOR else count * _mean(step, score)
    loads += many * (_mean(row, box) if apart or step <= SECTOR else _mean(row, box, score) - _mean(row, score))
    loads += many * _piece(16, 16)  # where the anchor lies
    lists = 3 * _run(8 * many) + _run(8 * found.together)  # places, which are used up, how sure; members of a thing
    lists += _run(8 * numbers * many) + _run(8 * numbers) + _run(24 * (decoder.points + 1))  # boxes, mean and spread
    return loads + lists, lists


def _run(size: float) -> float:
    """Bytes of the sectors of so many bytes side by side."""
    return -(-size // SECTOR) * SECTOR


def _piece(size: int, step: int) -> float:
    """Bytes of the sectors that `size` bytes touch, the mean over beginnings at all multiples of `step`."""
    return _mean(step, (0, size))


def _mean(step: int, *pieces: tuple[int, int]) -> float:
    """Bytes of the sectors of some pieces, (first byte, last but one) in a row of `step` bytes, in the mean of rows."""
    rows = SECTOR
    total = 0
    for k in range(rows):
        ends = [((k * step + a) // SECTOR, -(-(k * step + b) // SECTOR)) for a, b in pieces]
        total += len({sector for first, end in ends for sector in range(first, end)})
    return SECTOR * total / rows
