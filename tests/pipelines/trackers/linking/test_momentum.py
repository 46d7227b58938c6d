"""Momentum and re-update against their formulas, against a filter written with matrices, and by what they are for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.host import loops
from kernels.host.loops import address
from pipelines.features import FEATURE_DTYPE, Features
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import VIRTUAL, keep_seen, update_again
from pipelines.trackers.linking.columns import BLOB_COLUMNS, CURVED_COLUMNS
from pipelines.trackers.linking.momentum import DELTA, momentum
from pipelines.trackers.linking.momentum_loops import update_again_loop
from pipelines.trackers.linking.stages import Rules, first_stage
from pipelines.trackers.linking.unseen import remember

Array = npt.NDArray[Any]
F64, I32 = np.dtype("f8"), np.dtype("i4")
RULES = Rules(12.0, 16.0, 10.0, 0.5, 0.1, 2.0, 0.35, 1.0, 3, 3, 511.0, 511.0)


@pytest.fixture(autouse=True)
def compiled() -> None:
    loops.provide(natives.load)


def path(*ways: tuple[tuple[float, float], ...], pvar: float = 1e-6) -> Columns:
    """A track for each way, which saw the places of it one frame after the other."""
    t = Columns(BLOB_COLUMNS)
    t.append(len(ways), p00=pvar, hits=9, mass=100.0)
    for k in range(len(ways[0])):
        for i, way in enumerate(ways):
            t["x"][i], t["y"][i] = way[k]
        t["age"] += 1.0
        remember(t, np.arange(len(ways)))
    return t


def features(*points: tuple[float, float]) -> Features:
    made = np.zeros(len(points), FEATURE_DTYPE)
    made["x"], made["y"] = np.array(points, float).reshape(-1, 2).T
    made["mass"] = 100.0
    return made


def cost(t: Columns, x: float, y: float, noise: float = 1e-6, weight: float = 8.0) -> float:
    return float(momentum(t, np.array([0]), features((x, y)), np.array([noise]), weight)[0])


STRAIGHT = ((0.0, 9.0), (20.0, 5.0), (30.0, 0.0), (32.0, 0.0), (34.0, 0.0), (36.0, 0.0))


def test_what_goes_on_costs_nothing_and_what_turns_back_the_weight() -> None:
    t = path(STRAIGHT)
    assert DELTA == 3  # the first two places lie beyond it
    assert cost(t, 40.0, 0.0) == pytest.approx(0.0, abs=1e-4)
    assert cost(t, 36.0, 3.0) == pytest.approx(4.0, abs=1e-4)
    assert cost(t, 30.0, 0.0) == pytest.approx(8.0, abs=1e-4)
    assert cost(t, 36.0, -5.0, weight=0.0) == 0.0


def test_ways_that_are_noise_have_no_direction() -> None:
    assert cost(path(STRAIGHT), 36.0, 0.0) == 0.0
    assert cost(path(((5.0, 5.0),) * 4), 9.0, 9.0) == 0.0
    assert cost(path(((5.0, 5.0),)), 9.0, 9.0) == 0.0  # seen once
    sure, unsure = cost(path(STRAIGHT), 34.0, 0.0), cost(path(STRAIGHT, pvar=4.0), 34.0, 0.0, 4.0)
    # (1 - cos) / 2 = 1; ways of 6 px and 2 px, whose variances are 8 px^2 each.
    assert unsure / 8.0 == pytest.approx(36 / (36 + 32) * 4 / (4 + 32))
    assert sure > 7.9


@pytest.mark.parametrize("swapped", [False, True])
def test_at_a_crossing_each_goes_on_in_its_direction(swapped: bool) -> None:
    right = tuple((97.0 + k, 100.0) for k in range(4))
    down = tuple((100.0, 97.0 + k) for k in range(4))
    t = path(down, right, pvar=0.01) if swapped else path(right, down, pvar=0.01)
    t["x"], t["y"], t["p00"] = np.full(2, 101.0), np.full(2, 101.0), np.full(2, 4.0)  # the filter knows nothing
    choice, _ = first_stage(t, features((102.0, 100.0), (100.0, 102.0)), np.full(2, 0.01), RULES)
    assert choice.tolist() == ([1, 0] if swapped else [0, 1])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_machine_code_gives_the_same_bits(seed: int) -> None:
    r = np.random.default_rng(seed)
    for curved in (0, 1):
        t = Columns(CURVED_COLUMNS if curved else BLOB_COLUMNS)
        t.append(3)
        for name in t.first:
            if t[name].dtype == F64:
                t[name] = r.normal(0, 3, t[name].shape) * (r.random(t[name].shape) < 0.9)
        for name in ("p00", "pvar", "p11", "s11", "gap"):
            t[name] = np.abs(t[name])
        t["gap"] = t["gap"] * r.choice([0.1, 1, 20])
        t["places"] = r.integers(1, 40, 3)
        f = t.blocks[F64]
        x, y, noise = r.normal(0, 9, 3), r.normal(0, 9, 3), r.uniform(0.001, 2, 3)
        x[0], y[0] = t["px"][0], t["py"][0]
        native = update_again_loop.native()
        assert native is not None
        copy = Columns(CURVED_COLUMNS if curved else BLOB_COLUMNS)
        copy.restore(t.snapshot())
        update_again(copy, np.arange(3), x, y, noise, 0.5, 0.1)
        for i in range(3):
            native(address(f), t.room, i, x[i], y[i], noise[i], 0.25, 0.1 * 0.1, curved)
        for name in t.first:
            assert t[name].tobytes() == copy[name].tobytes(), name


def by_matrices(t: Columns, z: Array, variance: float, gap: float, curved: bool) -> tuple[Array, Array]:
    """State (order, axis) and covariance after the virtual path, from the textbook."""
    order = 3 if curved else 2
    names = ("p00", "p01", "p02", "p11", "p12", "p22") if curved else ("p00", "p01", "p11")
    p = np.zeros((order, order))
    for (i, j), name in zip(zip(*np.triu_indices(order), strict=True), names, strict=True):
        p[i, j] = p[j, i] = 0.3 if name == "p00" else t[name.replace("p", "s")][0]
    state = np.array([[t[name][0] for name in row] for row in (("px", "py"), ("svx", "svy"), ("sax", "say"))[:order]])
    last, steps = state[0].copy(), min(round(gap), VIRTUAL)
    step = gap / steps
    f = np.eye(order) + step * np.eye(order, k=1)
    if curved:
        f[0, 2] = step * step / 2
        q = 0.2**2 * np.array([[step**5 / 20, step**4 / 8, step**3 / 6], [step**4 / 8, step**3 / 3, step**2 / 2],
                               [step**3 / 6, step**2 / 2, step]])  # fmt: skip
    else:
        q = 0.7**2 * np.array([[step**3 / 3, step**2 / 2], [step**2 / 2, step]])
    h = np.eye(1, order)
    for k in range(1, steps + 1):
        state, p = f @ state, f @ p @ f.T + q
        gain = p @ h.T / (p[0, 0] + variance)
        state = state + gain * (last + (z - last) * k / steps - h @ state)
        p = (np.eye(order) - gain @ h) @ p
    return state, p


@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("gap", [1.6, 5.0, 70.0])
def test_the_filter_runs_along_the_path_between(curved: bool, gap: float) -> None:
    t = Columns(CURVED_COLUMNS if curved else BLOB_COLUMNS)
    t.append(2, px=3.0, py=4.0, pvar=0.3, vx=1.0, vy=-2.0, p00=0.3, p01=0.05, p11=0.4)
    if curved:
        t["ax"], t["p12"], t["p02"], t["p22"] = (np.full(2, v) for v in (0.1, 0.02, 0.01, 0.2))
    keep_seen(t, np.arange(2))
    t["gap"] = np.full(2, gap)
    z = np.array([20.0, -9.0])
    t["x"], t["y"] = np.full(2, z[0]), np.full(2, z[1])
    update_again(t, np.array([0]), z[:1], z[1:], np.array([0.2]), 0.7, 0.2)
    state, p = by_matrices(t, z, 0.2, gap, curved)
    for row, names in enumerate((("vx", "vy"), ("ax", "ay"))[: 2 if curved else 1], 1):
        np.testing.assert_allclose([t[name][0] for name in names], state[row], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose((t["p01"][0], t["p11"][0]), p[:2, 1], rtol=1e-9)
    assert t["p00"][0] == pytest.approx(max(p[0, 0], 0.3))
    assert (t["x"][0], t["y"][0]) == (20.0, -9.0)  # what was measured stays
    assert (t["vx"][1], t["p01"][1]) == (1.0, 0.05)  # nobody else is touched


def test_what_is_seen_again_has_the_velocity_of_its_way_there(scene: Any) -> None:
    tracker = make_tracker("blob", {"max_missed": 20}, (200, 200), 1000.0)
    seen = [(20.0 + 4 * k, 100.0) for k in range(12)]  # then it turns and slows down, unseen
    frames = [*([p] for p in seen), *([] for _ in range(5)), [(84.0, 102.0)]]
    rows = scene.run(tracker, [scene.features(p) for p in frames])
    last = rows[rows["frame"] == len(frames) - 1]
    assert last["track"].tolist() == [0]
    np.testing.assert_allclose((last["vx"][0] / 1000, last["vy"][0] / 1000), (20 / 6, 2 / 6), atol=0.05)
