"""The blob tracker's batches in machine code against NumPy's frames, bit for bit, over all that can happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors import natives
from kernels.host import loops
from kernels.host.logarithm import log, logs
from pipelines.features import FEATURE_DTYPE, Features, Reason, State
from pipelines.trackers.base import Tracker, make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.linking import batch, cost_loops
from pipelines.trackers.linking.columns import BLOB_COLUMNS, CURVED_COLUMNS
from pipelines.trackers.linking.unseen import PLACES, reach

Array = npt.NDArray[Any]
quiet = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
PARAMS: dict[str, tuple[object, ...]] = {
    "max_speed": (2.0, 12.0, 40.0), "acceleration": (0.05, 0.5, 3.0), "gate": (2.0, 4.0, 8.0), "min_hits": (1, 2, 3),
    "max_missed": (0, 2, 10, 50), "turn_memory": (0, 3, 6), "mass_spread": (0.1, 0.35, 1e5), "leave": (0.5, 4.0, 300.0),
    "motion": ("velocity", "acceleration"), "measurement_sigma": (0.0, 0.0, 0.3), "min_mass": (0.0, 0.0, 60.0),
    "min_area": (0.0, 0.0, 6.0), "momentum": (0.0, 1.0, 30.0),
    "centres": ("moments", "gaussian"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    loops.provide(natives.load)
    yield
    loops.provide(natives.load)


def merged(x: Array, y: Array, mass: Array) -> tuple[Array, Array, Array]:
    """Things closer than 3 px become one detection at their centre of mass."""
    stays = np.ones(len(x), bool)
    for j in range(len(x) - 1):
        away = np.where(stays, np.hypot(x - x[j], y - y[j]), np.inf)
        away[: j + 1] = np.inf
        other = int(away.argmin())
        if stays[j] and away[other] < 3:
            both = mass[j] + mass[other]
            x[j], y[j] = (np.average((v[j], v[other]), weights=(mass[j], mass[other])) for v in (x, y))
            mass[j], stays[other] = both, False
    return x[stays], y[stays], mass[stays]


class Scene:
    """Things that cross, merge, turn, vanish and come back among false ones, with features and stamps of all sorts."""

    def __init__(self, seed: int, most: int = 300) -> None:
        self.random = r = np.random.default_rng(seed)
        count = int(r.choice([k for k in (0, 1, 3, 10, 40, 120, 300) if k <= most]))
        size = int(r.choice([40, 120, 300]))
        self.size = size, int(size * r.uniform(0.3, 1.5)) + 2
        self.params = {name: values[int(r.integers(len(values)))] for name, values in PARAMS.items()}
        self.fps = float(r.choice([100.0, 0.0, np.nan]))
        self.place = r.uniform(0, 1, (2, count)) * np.array(self.size[::-1])[:, None]
        self.speed = r.normal(0, r.choice([0, 0.5, 2, 5]), (2, count))
        self.mass = r.choice([50.0, 100.0, 100.0, 200.0], count)
        self.whole = r.random() < 0.3  # places on whole pixels, so that costs are equal
        self.frames: list[Features] = []
        self.indices: list[int] = []
        self.times: list[float] = []
        index, seconds = int(r.integers(0, 5)), 0.0
        for _ in range(int(r.integers(1, 30))):
            step = int(r.choice([1, 1, 1, 1, 2, 7]))
            index, seconds = index + step, seconds + step / 100 * (r.uniform(0.9, 1.1) if r.random() < 0.5 else 1)
            self.frames.append(self.seen(step))
            self.indices.append(index)
            self.times.append(seconds if r.random() > 0.02 else np.nan)

    def seen(self, step: int) -> Features:
        r, (height, width) = self.random, self.size
        self.place = self.place + self.speed * step
        back = (self.place < 0) | (self.place > np.array([[width], [height]]))
        self.speed = np.where(back, -self.speed, self.speed) * np.where(r.random(len(self.mass)) < 0.03, -1, 1)
        seen = (r.random(len(self.mass)) > r.choice([0.02, 0.3])) & (r.random() > 0.05)
        x, y, mass = merged(*self.place[:, seen], self.mass[seen] * np.exp(r.normal(0, 0.05, seen.sum())))
        other = int(r.poisson(r.choice([0, 2])))
        made = np.zeros(len(x) + other, FEATURE_DTYPE)
        for name, values, size in (("x", x, width), ("y", y, height)):
            made[name] = np.concatenate((values + r.normal(0, 0.1, len(x)), r.uniform(-2, size + 1, other)))
            if self.whole:
                made[name] = np.rint(made[name])
        made["mass"] = np.concatenate((mass, np.full(other, 80.0)))
        for name, choices in (("area", (0, 5, 5, 9, 9, np.nan)), ("sigma", (0.1, 0.1, 0.3, np.nan, 0, 500, -1)),
                              ("xx", (2, 2, 2, 5, np.nan, -1, np.inf, -0.0)), ("yy", (2, 2, 5, -0.0, np.inf)),
                              ("xy", (0.01, -0.02, -0.7, 0.7, np.nan)),
                              ("anisotropy", (0, 0.3, -0.6, 1, -1, np.nan, 2)), ("peak", (1, 2, np.nan)),
                              ("stretch", (0, 0, 0.1, -2, np.nan, np.inf)),
                              ("lean", (0, 0, -0.1, 1, np.nan))):  # fmt: skip
            made[name] = r.choice(choices, len(made))
        for name in ("x", "y", "mass"):
            odd = r.random(len(made)) < 0.01
            made[name][odd] = r.choice([np.nan, np.inf, -np.inf, 0.0, -3.0, 1e300], odd.sum())
        return made[r.permutation(len(made))] if r.random() < 0.5 else made

    def tracker(self) -> Tracker:
        return make_tracker("blob", self.params, self.size, self.fps)

    def one_by_one(self) -> tuple[list[bytes], dict[str, bytes]]:
        """NumPy's rows of each frame, and its last state."""
        loops.provide(None)
        tracker = self.tracker()
        frames = zip(self.indices, self.times, self.frames, strict=True)
        with np.errstate(all="ignore"):
            rows = [tracker.update(i, t, {"features": f.copy()}).tobytes() for i, t, f in frames]
        loops.provide(natives.load)
        return rows, {name: value.tobytes() for name, value in tracker.snapshot().items()}

    def batches(self) -> tuple[list[bytes], dict[str, bytes]]:
        """The same in batches of any length, interrupted by snapshots."""
        tracker, start, rows = self.tracker(), 0, []
        while start < len(self.frames):
            some = slice(start, start + int(self.random.choice([1, 2, 5, 16])))
            given = [{"features": f.copy()} for f in self.frames[some]]
            rows += [r.tobytes() for r in tracker.update_batch(self.indices[some], self.times[some], given)]
            if self.random.random() < 0.3:
                saved, tracker = tracker.snapshot(), self.tracker()
                tracker.restore(saved)
            start = some.stop
        return rows, {name: value.tobytes() for name, value in tracker.snapshot().items()}


@quiet
@given(st.integers(0, 10**6))
def test_a_compiled_batch_is_numpys_frames(seed: int) -> None:
    scene = Scene(seed)
    assert scene.batches() == scene.one_by_one()


def test_the_scenes_hold_what_they_are_for() -> None:
    rows = []
    for seed in range(12):
        scene = Scene(seed)
        made = scene.tracker().update_batch(scene.indices, scene.times, [{"features": f} for f in scene.frames])
        rows += [r for r in made if len(r)]
    every = np.concatenate(rows)
    assert set(every["state"].tolist()) == {int(s) for s in State}
    assert {Reason.MERGED, Reason.LEFT_IMAGE, Reason.NOT_DETECTED} <= set(every["reason"].tolist())


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6))
def test_numpy_goes_on_in_the_middle_of_a_batch_where_there_is_no_room(seed: int) -> None:
    scene = Scene(seed, 40)
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(batch, "PAIRS", 0)
        made = scene.batches()
    assert made == scene.one_by_one()


def test_features_in_any_order_are_sorted_alike() -> None:
    rng = np.random.default_rng(3)
    table = np.zeros(500, FEATURE_DTYPE)
    for name, values in (("x", (1, 2)), ("y", (3, 4, 5)), ("mass", (1, 2, np.nan)), ("area", (1, np.nan)),
                         ("peak", (1, np.nan, 2))):  # fmt: skip
        table[name] = rng.choice(values, 500)
    tables = [table, table[::-1].copy(), table[rng.permutation(500)], table[np.argsort(-table["y"])]]
    made = []
    for loader in (natives.load, None):
        loops.provide(loader)
        made.append([make_tracker("blob", {}, (64, 64)).update(0, 0.0, {"features": t.copy()}) for t in tables])
    assert [rows.tobytes() for rows in made[0]] == [rows.tobytes() for rows in made[1]]
    assert (np.diff(made[0][0]["y"]) >= 0).all()


@pytest.mark.parametrize("count", [5, batch.COPIED + 40])  # small tables are joined, large ones are read where they lie
def test_tables_may_lie_anywhere(count: int) -> None:
    rng = np.random.default_rng(4)
    tables = []
    for _ in range(6):
        table = np.zeros(count, FEATURE_DTYPE)
        table["x"], table["y"], table["mass"], table["sigma"] = *rng.uniform(0, 200, (2, count)), 100.0, 0.1
        tables.append(table)
    whole = np.concatenate(tables)
    odd = np.zeros(whole.nbytes + 3, np.uint8)[3:].view(FEATURE_DTYPE)
    odd[:] = whole
    parts = [slice(k * count, (k + 1) * count) for k in range(6)]
    read_only = [table.copy() for table in tables]
    for table in read_only:
        table.flags.writeable = False
    strided = [np.repeat(table, 2)[::2] for table in tables]
    reversed_ = [table[::-1].copy()[::-1] for table in tables]
    mixed = [read_only[0], tables[1][:0], odd[parts[2]], tables[3], whole[parts[4]], strided[5]]
    ways = (tables, [whole[p] for p in parts], [odd[p] for p in parts], read_only, strided, reversed_)
    made = [[r.tobytes() for r in make_tracker("blob", {}, (200, 200)).update_batch(
        range(6), range(6), [{"features": t} for t in way])] for way in ways]  # fmt: skip
    assert all(rows == made[0] for rows in made)
    two = [make_tracker("blob", {}, (200, 200)) for _ in range(2)]
    together = two[0].update_batch(range(6), range(6), [{"features": t} for t in mixed])
    alone = [two[1].update(k, float(k), {"features": t.copy()}) for k, t in enumerate(mixed)]
    assert [r.tobytes() for r in together] == [r.tobytes() for r in alone]


def test_what_is_wrong_in_a_batch_is_said_after_the_frames_before_it() -> None:
    good = np.zeros(2, FEATURE_DTYPE)
    good["x"], good["y"], good["sigma"] = (5, 20), (5, 20), 0.1
    for indices, tables, error in (
        ((0, 1, 2), (good, good, np.zeros(3)), DefinitionError), ((0, 1, 1), (good, good, good), ValueError),
    ):  # fmt: skip
        tracker = make_tracker("blob", {}, (32, 32), 10.0)
        with pytest.raises(error):
            tracker.update_batch(indices, (0.0, 0.1, 0.2), [{"features": t} for t in tables])
        assert tracker.snapshot()["column.hits"].tolist() == [2, 2]


def test_the_columns_lie_where_machine_code_looks() -> None:
    for spec in (BLOB_COLUMNS, CURVED_COLUMNS):
        t = Columns(spec)
        t.append(3, x=np.arange(3.0), ht=np.full(PLACES, 7.0))
        block = t.blocks[np.dtype("f8")]
        for name, first in t.first.items():
            assert name in t
            if t[name].dtype == np.float64:
                assert np.shares_memory(t[name], block[first * t.room :][: t[name].size])


@given(st.lists(st.floats(1e-299, 1e299), min_size=1, max_size=30))
def test_the_logarithm(values: list[float]) -> None:
    made = logs(values)
    np.testing.assert_allclose(made, np.log(values), rtol=3e-16, atol=0)
    native = log.native()
    assert native is not None
    assert made.tobytes() == np.array([native(v) for v in values]).tobytes()
    assert made[0] == log(values[0])


@quiet
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=40))
def test_logarithms_eight_at_a_time(values: list[float]) -> None:
    native = cost_loops.logs_loop.native()
    assert native is not None
    made = np.zeros(48)
    made[: len(values)] = values
    native(loops.address(made), len(values))
    assert made[: len(values)].tobytes() == logs(values).tobytes()


@pytest.mark.parametrize("many", [1, 7, 90])
def test_where_many_have_a_choice_their_costs_are_numpys(many: int) -> None:
    """More pairs than wait at a time: each of these crosses with its neighbours, as they all do."""
    r = np.random.default_rng(many)
    start, speed = r.uniform(0, 8 * np.sqrt(many), (2, many)), r.normal(0, 0.7, (2, many))
    frames = []
    for k in range(12):
        made = np.zeros(many, FEATURE_DTYPE)
        made["x"], made["y"] = start + k * speed + r.normal(0, 0.2, (2, many))
        made["mass"], made["sigma"] = 100 * np.exp(r.normal(0, 0.2, many)) * (r.random(many) < 0.9), 0.2
        frames.append({"features": made})
    rows = []
    for loader in (natives.load, None):
        loops.provide(loader)
        tracker = make_tracker("blob", {}, (90, 90), 100.0)
        rows.append([one.tobytes() for one in tracker.update_batch(range(12), [k / 100 for k in range(12)], frames)])
    assert rows[0] == rows[1]


def test_how_far_a_thing_may_be_needs_no_steps() -> None:
    t = Columns(BLOB_COLUMNS)
    t.append(1, places=1)
    assert reach(t, np.array([0]), 0.0, 5.0).tolist() == [5.0]
