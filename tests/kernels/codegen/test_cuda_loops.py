"""Loops that teams of threads run: the bits of machine code, and nobody looks at what another still writes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from kernels.centroids.background_simd import flattened, level_lanes
from kernels.centroids.centroid import windows
from kernels.centroids.centroid_simd import KNOWN, OPEN, SPREAD, cut_lanes, settle
from kernels.codegen.cuda_loops import TEAM, Way, loop_texts
from kernels.codegen.cuda_prelude import PRELUDE
from kernels.fusion.normal import Unsupported
from kernels.loops.calling import call
from kernels.loops.exponential import exponentials
from kernels.loops.language import F64, I64, LANES, at, compress, load, loop, mask, popcount, splat, store, where
from kernels.loops.neighbour_loops import Points, near_loop, near_room
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

    with pytest.raises(Unsupported, match="the loop sums has a call of row_sums"):
        loop_texts([sums], Way(True))
