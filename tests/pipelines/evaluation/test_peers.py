"""The same figures as TrackEval and py-motmetrics: as they were written down, and as they say today if installed."""

from __future__ import annotations

import importlib.util
import json

import numpy as np
import pytest

from pipelines.evaluation.complete import evaluate_all
from tests.pipelines.evaluation import peers
from tests.pipelines.evaluation.cases import Crowd, tracks, truth

CASES = {case["name"]: case for case in json.loads(peers.GOLDEN.read_text())["cases"]}


def ours(mine, real):
    """Every figure by its name."""
    found = evaluate_all(tracks(mine), truth(real), gate=peers.GATE)
    values = {}
    for family in (found.clear, found.identity, found.hota):
        values |= {name: getattr(family, name) for name in family.__dataclass_fields__}
    return values | {f"{name} by alpha": list(numbers) for name, numbers in found.hota.by_alpha.items()}


def the_same(theirs, mine, real):
    figures = ours(mine, real)
    for name, value in theirs.items():
        assert figures[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("library", ["trackeval", "motmetrics"])
def test_as_written_down(name, library):
    case = CASES[name]
    the_same(case[library], case["tracks"], case["truth"])


def test_the_cases_are_not_easy():
    assert "mota" in CASES["sparse"]["motmetrics"]
    assert min(case["trackeval"]["id_switches"] for case in CASES.values()) > 0
    assert min(case["trackeval"]["false"] for case in CASES.values()) > 0
    assert len({case["trackeval"]["mostly_tracked"] for case in CASES.values()}) > 1
    assert not any(peers.unambiguous(CASES[name]["tracks"], CASES[name]["truth"]) for name in ("crowd", "noisy"))


@pytest.mark.parametrize("library", ["trackeval", "motmetrics"])
def test_as_they_say_today(library):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    says = {"trackeval": peers.trackeval_says, "motmetrics": peers.motmetrics_says}[library]
    rng = np.random.default_rng(7)
    for seed in range(25 if library == "trackeval" else 6):
        crowd = Crowd(frames=13, things=int(rng.integers(2, 9)), side=float(rng.choice([10, 25, 60, 400])),
                      noise=float(rng.choice([0.2, 1.0])), miss=float(rng.choice([0, 0.2])))  # fmt: skip
        mine, real = peers.rounded(crowd, seed)
        the_same(says(mine, real), mine, real)
