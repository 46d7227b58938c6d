"""Loops that teams of threads run: the bits of machine code, and nobody looks at what another still writes."""

from __future__ import annotations

import importlib
import pkgutil
import re
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import kernels
import pipelines
from kernels.centroids.background_simd import flattened, level_lanes
from kernels.centroids.centroid import windows
from kernels.centroids.centroid_simd import KNOWN, OPEN, SPREAD, cut_lanes, settle
from kernels.codegen.cuda_loops import TEAM, Way, loop_texts
from kernels.codegen.cuda_prelude import PRELUDE
from kernels.fusion.normal import Unsupported
from kernels.loops.calling import call
from kernels.loops.exponential import exponentials
from kernels.loops.language import (
    F64,
    I64,
    LANES,
    U8,
    Loop,
    at,
    bit_edges,
    compress,
    exponent,
    gather,
    load,
    loop,
    mantissa,
    mask,
    nonzero_bytes,
    popcount,
    splat,
    store,
    store_bytes_f32,
    store_bytes_f64,
    store_bytes_i32,
    store_bytes_i64,
    where,
)
from kernels.loops.neighbour_loops import Points, near_loop, near_room
from kernels.loops.records import Record, record
from kernels.loops.robust_mean import BINS, middle
from kernels.loops.structs import Struct
from kernels.regions.tile_loops import clipped_level
from tests.emulator.memory import InOut
from tests.emulator.report import KernelFaultError

C_TYPES = {"float32": "float", "float64": "double", "int64": "long long", "uint8": "unsigned char"}


def _flat(values: list[Any]) -> list[Any]:
    return [leaf for v in values for leaf in (v.leaves() if isinstance(v, Struct) else [v])]


def agree(emulator: Any, one: Any, *values: Any, planted: tuple[str, str] | None = None) -> None:
    """What a team leaves in arrays is what machine code does; arrays of two dimensions are LANES of f32, of which a
    team's have eight numbers."""
    text = loop_texts([one], Way(True, "uint8"), "float32")
    if planted:
        text, times = re.subn(*planted, text, count=1)
        assert times == 1
    given: list[Any] = []
    listed, passed, pairs = [], [], []
    for k, value in enumerate(_flat(list(values))):
        if isinstance(value, np.ndarray):
            mine = np.ascontiguousarray(value[:, :TEAM]) if value.ndim == 2 else value.copy()
            pairs.append((mine, value))
            given.append(InOut(mine))
            listed.append(f"{C_TYPES[value.dtype.name]} *a{k}")
        else:
            real = isinstance(value, float)
            given.append(np.float64(value) if real else np.int64(value))
            listed.append(f"{'double' if real else 'long long'} a{k}")
        passed.append(f"a{k}")
    name = re.findall(r"^__device__ \w+ (?:long long|double) (\w+)\(", text, re.MULTILINE)[-1]
    kernel = (f'{PRELUDE}{text}extern "C" __global__ void run({", ".join(listed)})\n'
              f"{{\n    if (threadIdx.x < {TEAM}) {name}({', '.join(passed)});\n}}\n")  # fmt: skip
    emulator.kernel(kernel, "run").check((1, 1, 1), (32, 1), given, 0, seed=1)
    call(one, *values, pixels=np.uint8, lanes=np.float32)
    for mine, theirs in pairs:
        theirs = theirs[:, :TEAM] if theirs.ndim == 2 else theirs
        assert mine.tobytes() == np.ascontiguousarray(theirs).tobytes()


@loop
def forms(values: F64, count: int, words: I64, out: F64) -> int:
    """Vectors that overlap, words of comparisons, what is packed, numbers beside vectors."""
    kept = 0
    for k in range(0, count, 8):
        v = load(values, k)
        word = mask(v > 0.5)
        words[k // 8] = word
        compress(out, kept, values, k, word)
        kept += popcount(word)
        store(out, 3 * count + k, where(v > 0.25, v * 2.0, splat(1.0)) - out[0])
        store(out, 3 * count + k + 3, load(out, 3 * count + k))  # five of them again
        out[2 * count + k // 8] = out[3 * count + k + 4] + float(kept)
    store(out, kept, splat(0.0))  # what `compress` may have lost there, as processors do that have no such instruction
    part = at(out, 2 * count)
    while kept > 0 and part[0] < 1e9:
        part[0] = part[0] + part[0]
        kept -= 1
    return kept


def test_forms(emulator: Any) -> None:
    rng = np.random.default_rng(0)
    agree(emulator, forms, rng.random(64), 64, np.zeros(8, np.int64), np.zeros(4 * 64 + 16))


@record
class Things(Record):
    """Columns."""

    x: F64
    hits: I64


@record
class Seen(Record):
    """Numbers."""

    light: float
    count: int


@loop
def counted(t: Things, s: Seen, bytes_: U8, out: U8, work: F64) -> int:
    """Records of columns and of numbers, words of bytes, numbers at any byte."""
    word = bit_edges(nonzero_bytes(bytes_, 3), 1)
    for k in range(t.room):
        t.hits[k] = t.hits[k] + (word >> k & 1)
        t.x[k] = mantissa(t.x[k]) + exponent(t.x[k])
        s.light += t.x[k]
        s.count += t.hits[k]
        store_bytes_f64(out, 17 * k + 1, t.x[k])
        store_bytes_f32(out, 17 * k + 9, s.light)
        store_bytes_i32(out, 17 * k + 13, t.hits[k] * 1000)
    store(work, 0, gather(work, t.hits, 0) + load(at(t.x, 1), 0))
    store_bytes_i64(out, 17 * t.room + 1, word)
    return s.count


def test_records_bytes_and_gathers(emulator: Any) -> None:
    rng = np.random.default_rng(7)
    things, seen = Things(np.zeros(24), 12), Seen()
    things.x[:], things.hits[:] = rng.uniform(0.1, 90, 12), rng.integers(0, 7, 12)
    bytes_ = rng.integers(0, 3, 70).astype(np.uint8)
    out, work, block = np.zeros(17 * 12 + 9, np.uint8), rng.random(16), things.block.copy()
    given = [InOut(block), InOut(bytes_.copy()), InOut(out.copy()), InOut(work.copy()), InOut(np.zeros(2))]
    text = (f'{PRELUDE}{loop_texts([counted], Way(True, "uint8"))}extern "C" __global__ void run(double *block, '
            "unsigned char *bytes, unsigned char *out, double *work, double *left)\n{\n"
            f"    if (threadIdx.x >= {TEAM}) return;\n    Things t;\n    t.block = block;\n    t.room = 12;\n"
            "    Seen s;\n    s.light = 0;\n    s.count = 0;\n    loop_counted(t, s, bytes, out, work);\n"
            "    if (team_lane() == 0) { left[0] = s.light; left[1] = (double)s.count; }\n}\n")  # fmt: skip
    emulator.kernel(text, "run").check((1, 1, 1), (32, 1), given, 0, seed=1)
    call(counted, things, seen, bytes_, out, work)
    assert [one.array.tobytes() for one in given[:4]] == [a.tobytes() for a in (things.block, bytes_, out, work)]
    assert given[4].array.tolist() == [seen.light, seen.count]


def test_all_loops_have_text() -> None:
    """With vectors of sixteen f32 or of eight; also those that are added."""
    count, without = 0, set[str]()
    for package in (kernels, pipelines):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith("_loops") or "association" in found.name or "_simd" in found.name:
                values = vars(importlib.import_module(found.name)).values()
                own = [one for one in values if isinstance(one, Loop) and one.function.__module__ == found.name]
                count += len(own)
                if not _have_text(own):
                    without |= {f"{found.name}.{one.name}" for one in own if not _have_text([one])}
    assert count > 400
    assert without == set()


def _have_text(loops: list[Loop]) -> bool:
    for wide in (False, True):
        with suppress(Unsupported):
            return bool(loop_texts(loops, Way(True, "uint8", wide), "float32")) or not loops
    return False


def test_levels_and_middles(emulator: Any) -> None:
    rng = np.random.default_rng(1)
    values, there = rng.normal(40, 3, 40), np.ones(40)
    values[3], there[37:] = 200.0, 0.0
    agree(emulator, clipped_level, values, there, 37, np.zeros(24), np.zeros(8))
    for whole, some in ((0, rng.normal(0, 9, 50)), (1, np.rint(rng.normal(0, 9, 50)))):
        buffer = np.concatenate((some, np.zeros(60)))
        agree(emulator, middle, buffer, 50, float(some.min()), float(some.max()), whole, np.zeros(BINS + 1, np.int64),
              np.zeros(4))  # fmt: skip


def test_neighbours(emulator: Any) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.uniform(0, 40, (2, 30))
    whole, floats = near_room(30, 8.0, 40, 40, 4)
    points = Points(x, y, np.zeros(30, np.int64), 30)
    agree(emulator, near_loop, points, 8.0, 40, 40, 4, np.zeros(whole, np.int64), np.zeros(floats + 64))


def test_windows_of_eight_blobs(emulator: Any) -> None:
    w, rng = windows(1.4), np.random.default_rng(3)
    image = rng.integers(0, 60, (64, 90)).astype(np.uint8)
    image[20:24, 20:24] += 100
    places = np.array([(13 + k % 3) * 90 + 13 + k for k in range(8)] * 2, np.int64)
    values, lane, work = (np.zeros((n, 16), np.float32) for n in (w.size * w.pitch + w.pitch, KNOWN + 4, 400))
    lane[OPEN], lane[SPREAD] = 1.0, 1.4
    agree(emulator, cut_lanes, image.reshape(-1), places, 90, 1.0, 1, w.size, w.pitch, values, lane)
    agree(emulator, level_lanes, values, w.ring, w.many, lane)
    agree(emulator, flattened, values, w.size, w.pitch, lane)
    agree(emulator, settle, values, w.radius, w.pitch, w.sigma, 0, 0, lane, work)
    assert (lane[OPEN, :8] == 0).all()
    powers = np.linspace(-40, 3, 128).astype(np.float32).reshape(8, 16)
    agree(emulator, exponentials, powers, 8)


def test_a_wait_that_is_missing_is_found(emulator: Any) -> None:
    values = np.random.default_rng(4).random(64)
    with pytest.raises(KernelFaultError, match="race"):
        agree(emulator, forms, values, 64, np.zeros(8, np.int64), np.zeros(4 * 64 + 16),
              planted=(r"team_wait\(\);(\s*double s\d+_ = [^\n]*\n\s*team_wait\(\);\s*if \(team_lane\(\) == 0\) out)",
                       r"\1"))  # fmt: skip


def test_what_teams_have_no_text_for_says_so() -> None:
    @loop
    def sums(rows: LANES, out: F64) -> int:
        """Of sixteen vectors."""
        row_sums(out, 0, rows, 0)  # type: ignore[name-defined]  # noqa: F821
        return 0

    with pytest.raises(Unsupported, match="the loop sums has a call of row_sums"):  # of eight numbers
        loop_texts([sums], Way(True))
