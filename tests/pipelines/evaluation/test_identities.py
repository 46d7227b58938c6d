"""IDF1, HOTA and the particle challenge against brute force, and what must hold for all of them."""

from __future__ import annotations

import itertools
import math
from dataclasses import astuple, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.evaluation.clear_mot import evaluate
from pipelines.evaluation.complete import evaluate_all
from pipelines.evaluation.hota import ALPHAS
from tests.pipelines.evaluation.cases import Crowd, tracks, truth

GATE, EPSILON = 3.0, 5.0
tiny = st.builds(
    Crowd,
    frames=st.integers(1, 5),
    things=st.integers(1, 3),
    side=st.sampled_from([6.0, 12.0]),
    noise=st.sampled_from([0.3, 1.5]),
    swap=st.just(0.2),
    renew=st.just(0.1),
    false=st.just(0.2),
)
crowds = st.builds(
    Crowd,
    frames=st.integers(1, 12),
    things=st.integers(1, 6),
    side=st.sampled_from([8.0, 20.0, 60.0]),
    hide=st.sampled_from([0.0, 0.3]),
)
seeds = st.integers(0, 10**6)


def by_frame(rows):
    """id -> frame -> place."""
    out = {}
    for row in rows:
        out.setdefault(int(row["track"]), {})[int(row["frame"])] = (float(row["x"]), float(row["y"]))
    return out


def injections(count, others):
    """All ways in which each of `count` takes another one of `others`, or none (-1)."""
    for way in itertools.product(range(-1, others), repeat=count):
        taken = [k for k in way if k >= 0]
        if len(taken) == len(set(taken)):
            yield way


@settings(max_examples=40)
@given(tiny, seeds)
def test_idf1_is_the_best_of_all_pairings(crowd, seed):
    mine, real = crowd.draw(seed)
    things, owners = list(by_frame(real).values()), list(by_frame(mine).values())
    if len(owners) > 7:
        owners = owners[:7]
        mine = mine[np.isin(mine["track"], list(by_frame(mine))[:7])]
    together = [[sum(f in b and math.dist(a[f], b[f]) <= GATE for f in a) for b in owners] for a in things]
    most = max(sum(together[i][k] for i, k in enumerate(way) if k >= 0) for way in injections(len(things), len(owners)))
    found = evaluate_all(mine, real, gate=GATE).identity
    assert found.idtp == most
    assert (found.idfp, found.idfn) == (len(mine) - most, len(real) - most)
    assert found.idf1 == pytest.approx(2 * most / (len(mine) + len(real)))


@settings(max_examples=40)
@given(tiny, seeds)
def test_alpha_and_beta_by_the_definition(crowd, seed):
    mine, real = crowd.draw(seed)
    keep = list(by_frame(mine))[:7]
    mine = mine[np.isin(mine["track"], keep)]
    things, owners = list(by_frame(real).values()), list(by_frame(mine).values())

    def apart(a, b):
        """Gated distance of two tracks; a frame that one of them lacks costs epsilon."""
        return sum(
            min(math.dist(a[f], b[f]), EPSILON) if f in a and f in b else EPSILON for f in set(a) | set(b)
        )  # fmt: skip

    def cost(way):
        return sum(apart(a, owners[k] if k >= 0 else {}) for a, k in zip(things, way, strict=True))

    # Of pairings that cost the same, the one with the fewest tracks: a track that gains nothing is spurious.
    way = min(injections(len(things), len(owners)), key=lambda w: (round(cost(w), 9), sum(k >= 0 for k in w)))
    bound = EPSILON * len(real)
    spurious = sum(len(b) for k, b in enumerate(owners) if k not in way)
    matching = [
        math.dist(a[f], owners[k][f]) for a, k in zip(things, way, strict=True) if k >= 0 for f in a
        if f in owners[k] and math.dist(a[f], owners[k][f]) < EPSILON
    ]  # fmt: skip
    paired = sum(k >= 0 for k in way)
    found = evaluate_all(mine, real, epsilon=EPSILON).challenge
    assert found.alpha == pytest.approx(1 - cost(way) / bound)
    assert found.beta == pytest.approx((bound - cost(way)) / (bound + EPSILON * spurious))
    assert found.jsc == pytest.approx(len(matching) / (len(real) + len(mine) - len(matching)))
    assert found.jsc_theta == pytest.approx(paired / (len(things) + len(owners) - paired))
    assert (found.paired, found.missed, found.spurious) == (paired, len(things) - paired, len(owners) - paired)
    if matching:
        assert found.rmse == pytest.approx(math.sqrt(sum(d * d for d in matching) / len(matching)))


def test_a_track_that_is_elsewhere_most_of_the_time_is_spurious():
    real = truth([(f, 0, 0, 0) for f in range(3)])
    mine = tracks([(f, 4, 0, 0) for f in range(10)])  # 3 points saved, 7 points too many
    found = evaluate_all(mine, real).challenge
    assert (found.alpha, found.beta, found.jsc, found.jsc_theta) == (0, 0, 0, 0)
    assert (found.paired, found.missed, found.spurious) == (0, 1, 1)


def hota_by_hand(mine, real, limit):
    """HOTA with the assignment of every frame found by trying all."""
    things, owners = by_frame(real), by_frame(mine)

    def similar(a, b, f):
        near = f in things[a] and f in owners[b]
        return max(0.0, 1 - math.dist(things[a][f], owners[b][f]) / limit) if near else 0.0

    frames = sorted({int(f) for f in (*real["frame"], *mine["frame"])})
    potential = dict.fromkeys(itertools.product(things, owners), 0.0)
    for f in frames:
        for a, b in potential:
            s = similar(a, b, f)
            around = sum(similar(a, k, f) for k in owners) + sum(similar(k, b, f) for k in things) - s
            potential[a, b] += s / around if s > 0 else 0.0
    whole = {(a, b): len(things[a]) + len(owners[b]) for a, b in potential}
    alignment = {pair: p / (whole[pair] - p) for pair, p in potential.items()}
    matched = []  # (pair, similarity)
    for f in frames:
        here = [a for a in things if f in things[a]]
        there = [b for b in owners if f in owners[b]]
        best = max(
            ([(a, there[k]) for a, k in zip(here, way, strict=True) if k >= 0 and similar(a, there[k], f) > 0]
             for way in injections(len(here), len(there))),
            key=lambda pairs: sum(alignment[pair] * similar(*pair, f) for pair in pairs),
        )  # fmt: skip
        matched += [(pair, similar(*pair, f)) for pair in best]
    total = 0.0
    for alpha in ALPHAS:
        hits = [pair for pair, s in matched if s >= alpha - 1e-15]
        det = len(hits) / max(1, len(real) + len(mine) - len(hits))
        ass = sum(hits.count(pair) / (whole[pair] - hits.count(pair)) for pair in hits) / max(1, len(hits))
        total += math.sqrt(det * ass)
    return total / len(ALPHAS)


@settings(max_examples=25)
@given(tiny, seeds)
def test_hota_by_hand(crowd, seed):
    mine, real = crowd.draw(seed)
    keep = [frame for frame in range(crowd.frames) if (mine["frame"] == frame).sum() <= 6]
    mine = mine[np.isin(mine["frame"], keep)]
    assert evaluate_all(mine, real, gate=GATE).hota.hota == pytest.approx(hota_by_hand(mine, real, GATE))


@settings(max_examples=20)
@given(crowds, seeds)
def test_perfect_tracks_are_perfect(crowd, seed):
    _, real = crowd.draw(seed)
    mine = tracks([(r["frame"], r["track"] + 40, r["x"], r["y"]) for r in real])
    found = evaluate_all(mine, real)
    if real["visible"].any():
        h, c = found.hota, found.challenge
        ones = (found.clear.mota, found.clear.recall, found.clear.precision, found.identity.idf1, found.identity.idp,
                found.identity.idr, h.hota, h.det_a, h.ass_a, h.loc_a, h.det_re, h.ass_pr, c.alpha, c.beta, c.jsc,
                c.jsc_theta)  # fmt: skip
        assert ones == pytest.approx((1.0,) * len(ones), abs=1e-12)
        assert found.clear.id_switches == found.clear.fragmentation == c.spurious == 0
        assert found.displacement.rms == c.rmse == 0


@settings(max_examples=20)
@given(crowds, seeds, seeds)
def test_names_and_order_do_not_matter(crowd, seed, shuffle):
    mine, real = crowd.draw(seed)
    rng = np.random.default_rng(shuffle)
    first = evaluate_all(mine, real)
    renamed, ids = mine[rng.permutation(len(mine))], np.unique(mine["track"])
    renamed["track"] = rng.permutation(10_000)[: len(ids)][np.searchsorted(ids, renamed["track"])]
    other = real[rng.permutation(len(real))]
    other["track"] = rng.permutation(500)[: crowd.things][other["track"]]
    second = evaluate_all(renamed, other)
    for name in ("clear", "identity", "challenge"):
        assert astuple(getattr(second, name)) == pytest.approx(astuple(getattr(first, name)), nan_ok=True), name
    assert second.hota.hota == pytest.approx(first.hota.hota, nan_ok=True)


@settings(max_examples=20)
@given(crowds, seeds)
def test_rows_on_hidden_things_change_nothing_but_never_help(crowd, seed):
    mine, real = replace(crowd, hide=0.4, miss=0.0, noise=0.0, false=0.0, swap=0.0, renew=0.0).draw(seed)
    shown = {(int(r["frame"]), int(r["track"])) for r in real[real["visible"]]}
    careful = mine[[(int(r["frame"]), int(r["track"]) - 3) in shown for r in mine]]
    for gate in (0.01,):  # so that no other thing is near
        a, b = evaluate_all(mine, real, gate=gate, epsilon=gate), evaluate_all(careful, real, gate=gate, epsilon=gate)
        assert a.identity == b.identity
        assert a.hota == b.hota or math.isnan(a.hota.hota)
        assert a.clear.false == b.clear.false == 0
        assert astuple(a.challenge) == pytest.approx(astuple(b.challenge), nan_ok=True)


def test_both_ends_of_everything_are_bounded():
    rng = np.random.default_rng(3)
    for _ in range(20):
        mine, real = Crowd(things=5, frames=9, noise=float(rng.uniform(0, 4))).draw(int(rng.integers(10**6)))
        found = evaluate_all(mine, real)
        assert 0 <= found.challenge.beta <= found.challenge.alpha <= 1
        assert 0 <= found.hota.hota <= 1
        assert found.identity.idtp <= found.clear.matches + found.clear.misses
        assert found.clear.mota <= 1


def test_nothing_claimed_and_nothing_true():
    mine, real = tracks([]), truth([(0, 0, 1, 1)])
    found = evaluate_all(mine, real)
    assert (found.identity.idf1, found.hota.hota, found.challenge.alpha, found.challenge.missed) == (0, 0, 0, 1)
    assert math.isnan(found.displacement.rms)
    found = evaluate_all(tracks([(0, 0, 1, 1)]), real[:0])
    assert (found.identity.idf1, found.hota.hota, found.challenge.spurious, found.clear.false) == (0, 0, 1, 1)
    assert math.isnan(found.challenge.alpha)
    found = evaluate_all(mine, real[:0])
    assert math.isnan(found.hota.hota)
    assert math.isnan(found.identity.idf1)
    assert evaluate(mine, real[:0]).tracks == 0
