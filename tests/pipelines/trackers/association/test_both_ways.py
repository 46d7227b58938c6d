"""The association as machine code and as Python: the same bits, whatever comes; and that whatever comes is no harm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import FEATURE_DTYPE
from pipelines.trackers.association import batch, frames, gating
from pipelines.trackers.association.records import KEPT
from pipelines.trackers.base import make_tracker


def crowd(seed, frames, things, wide, high, wild):
    """Features of things that come, go, stop, jump and lie on each other; with `wild`, any fields are no numbers,
    infinite, negative or far outside."""
    rng = np.random.default_rng(seed)
    at, v = rng.uniform(0, 1, (things, 2)) * (wide, high), rng.normal(0, rng.choice([0, 0.3, 3.0]), (things, 2))
    mass, spread = 100 * np.exp(rng.normal(0, 0.3, things)), rng.choice([0.0, 0.1, 2.0])
    tables = []
    for _ in range(frames):
        at = at + v
        if rng.random() < 0.2:
            v = rng.permutation(v) * rng.choice([-1, 1], v.shape)
        here = rng.random(things) < rng.choice([0.0, 0.5, 0.9, 1.0], p=[0.1, 0.2, 0.3, 0.4])
        false = rng.uniform(0, 1, (rng.integers(0, 4), 2)) * (wide, high)
        places = np.concatenate((at[here] + rng.normal(0, 1, (here.sum(), 2)) * spread, false))
        if rng.random() < 0.15:
            places = np.round(places)
        if rng.random() < 0.1:
            places[:] = places[:1]
        table = np.zeros(len(places), FEATURE_DTYPE)
        table["x"], table["y"] = places.T
        table["mass"] = np.concatenate((mass[here], np.full(len(false), 60.0))) * rng.choice([0.5, 1, 2], len(table))
        table["area"], table["peak"], table["sigma"] = 9.0, 10.0, rng.choice([0.0, 0.05, 3.0])
        table["xx"], table["yy"] = rng.uniform(0, 9, (2, len(table)))
        if wild:
            odd = np.array([np.nan, np.inf, -np.inf, -1.0, 0.0, 1e300, -1e300, 5e-324])
            for name in rng.choice(FEATURE_DTYPE.names, 4):
                some = rng.random(len(table)) < 0.3
                table[name][some] = rng.choice(odd, some.sum())
        tables.append(table)
    return tables


def rows_of(tables, shape, numbers, fps, parameters, compiled, step):
    """All rows and relations of a run in batches of `step`; frames by index, some stamps of them none."""
    language.provide(natives.load if compiled else None)
    try:
        tracker, rows = make_tracker("blob", parameters, shape, fps), []
        for k in range(0, len(tables), step):
            now = numbers[k : k + step]
            rows += tracker.update_batch(now, [f / 1000 for f in now], [{"features": t} for t in tables[k : k + step]])
        t = tracker.association.tracks
        assert ((t["p00"] > 0) & (t["p11"] > 0) & (t["p00"] * t["p11"] > (1 - 1e-9) * t["p01"] ** 2)).all()
        return rows, tracker.tables()["relations"]
    finally:
        language.provide(natives.load)


def check(rows):
    """Ids come in order and never again, once in a frame, and all that is said of them is a number."""
    last, ended = -1, set()
    for table in rows:
        ids = table["track"].tolist()
        assert len(set(ids)) == len(ids)
        assert not ended & set(ids)
        new = sorted(i for i in ids if i > last)
        assert new == list(range(last + 1, last + 1 + len(new)))
        last += len(new)
        ended |= set(table["track"][table["state"] == 3].tolist())
        for name in ("x", "y", "vx", "vy", "sigma", "anisotropy", "score"):
            assert np.isfinite(table[name]).all(), name
    return last + 1


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), things=st.integers(0, 9), wild=st.booleans(),
    shape=st.sampled_from([(1, 1), (1, 200), (3, 2), (64, 64), (256, 256)]), fps=st.sampled_from([None, 1000.0]),
    gaps=st.sampled_from([1, 2, 40]), step=st.integers(1, 7),
    parameters=st.fixed_dictionaries({}, optional={
        "min_hits": st.integers(1, 4), "max_missed": st.integers(0, 4), "max_speed": st.floats(0.1, 50),
        "gate": st.floats(1, 20), "acceleration": st.floats(1e-4, 1e3), "measurement_sigma": st.floats(0, 100),
    }),
)  # fmt: skip
def test_the_same_bits(seed, things, wild, shape, fps, gaps, step, parameters):
    tables = crowd(seed, 14, things, *shape[::-1], wild)
    steps = np.random.default_rng(seed).integers(1, gaps + 1, len(tables))
    frames = np.cumsum(steps).tolist()
    (a, told), (b, said) = (rows_of(tables, shape, frames, fps, parameters, way, step) for way in (True, False))
    assert [table.tobytes() for table in a] == [table.tobytes() for table in b]
    assert told.tobytes() == said.tobytes()
    check(a)


@pytest.mark.parametrize(("name", "values"), [("PAIRS", (1, 16, 64)), ("COPIED", (0, 64, 10**9))])
def test_what_saves_time_alone_changes_no_bit(monkeypatch, name, values):
    """Room for pairs, which grows where it is too small, and from how many rows on features are read where they lie."""
    tables, made = crowd(5, 20, 90, 64, 64, False), []
    for value in values:
        monkeypatch.setattr(batch, name, value)
        rows, relations = rows_of(tables, (64, 64), list(range(20)), 1000.0, {}, True, 4)
        made.append(([table.tobytes() for table in rows], relations.tobytes()))
    assert made[1:] == made[:-1]


def test_a_frame_that_is_begun_again_is_linked_alike(monkeypatch):
    """The second association finds no room once in every frame: what the first one knows is the same both times."""
    second, first, full, known = frames.second_association, frames.linked, [False], []

    def once(*given):
        full[0] = not full[0]
        return gating.FULL if full[0] else second(*given)

    def watched(t, count, f, s, p, q, w):
        known.append(tuple(getattr(p, name) for name in KEPT))
        return first(t, count, f, s, p, q, w)

    monkeypatch.setattr(frames, "second_association", once)
    monkeypatch.setattr(frames, "linked", watched)
    check(rows_of(crowd(8, 14, 30, 64, 64, False), (64, 64), list(range(14)), 1000.0, {}, False, 4)[0])
    assert len(known) == 28
    assert known[::2] == known[1::2]
    assert len({lean for *_, lean in known}) > 4


def lying(rng, many, width):
    table = np.zeros(many, FEATURE_DTYPE)
    table["x"], table["y"] = rng.uniform(0, width, (2, many))
    table["mass"], table["area"], table["sigma"] = 100.0, 9.0, 0.1
    return table


@pytest.mark.parametrize("step", [1, 8])
def test_twenty_thousand_in_a_first_frame(step):
    rng = np.random.default_rng(0)
    tables = [lying(rng, 20_000, 2048)] + [lying(rng, 20, 2048) for _ in range(9)]
    rows, _ = rows_of(tables, (2048, 2048), list(range(10)), 1000.0, {}, True, step)
    assert len(rows[0]) == 20_000
    assert check(rows) < 20_000 + 9 * 20 + 1


def test_thousands_of_false_detections_in_every_frame():
    rng = np.random.default_rng(0)
    rows, _ = rows_of([lying(rng, 3000, 512) for _ in range(30)], (512, 512), list(range(30)), 1000.0, {}, True, 8)
    check(rows)
    assert max(len(table) for table in rows) < 3000 * 4  # tracks that nothing is seen of end


def test_thousands_at_one_place():
    table = lying(np.random.default_rng(0), 3000, 512)
    table["x"], table["y"] = 100.0, 90.0
    rows, _ = rows_of([table] * 4, (512, 512), list(range(4)), 1000.0, {}, True, 2)
    assert check(rows) >= 3000
