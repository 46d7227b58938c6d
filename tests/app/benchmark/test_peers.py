"""Every peer computes what it is timed for: its output equals fusetrack's reference within the chain's tolerance."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from app.benchmark.chains import CHAINS, boxes
from app.benchmark.checkout import PEERS, why_absent
from app.benchmark.clips import frames
from app.benchmark.ours import comparable, difference, own
from app.benchmark.peers.base import LIBRARIES, Size, library

OPTIONAL = ("numba", "halide")


def peers() -> list[tuple[str, str]]:
    return [(name, chain) for name in LIBRARIES if name not in OPTIONAL for chain in CHAINS]


def check(name: str, chain_name: str, side: int, threads: int = 1) -> None:
    chain = CHAINS[chain_name]
    clip = frames(chain.channels, 5, side, side)
    reference = own(chain.pipeline(side), clip, "reference", 1, fused=True)
    wanted = comparable(side, reference.run()[chain.ref])
    assert np.mean(wanted != wanted.flat[0]) > 0  # there is something to see
    found = library(name)
    assert not isinstance(found, str), found
    found.set_threads(threads)
    for contender in found.CONTENDERS.get(chain_name, {}).values():
        peer = contender.make(Size(side, side, threads), clip)
        first = comparable(side, peer(clip)).copy()
        if contender.same:
            assert difference(first, wanted, contender.margin) <= chain.tolerance
        peer(clip)  # it goes on from its state
    found.set_threads(1)


@pytest.mark.parametrize(("name", "chain"), peers())
def test_the_peer_computes_the_same(name: str, chain: str) -> None:
    check(name, chain, 90)


@pytest.mark.parametrize("chain", ["background"])
@pytest.mark.parametrize("name", OPTIONAL)
def test_the_optional_peer_computes_the_same(name: str, chain: str) -> None:
    pytest.importorskip(name)
    check(name, chain, 90, threads=2)


def test_every_chain_has_its_baseline() -> None:
    opencv = library("opencv")
    assert not isinstance(opencv, str), opencv
    assert set(opencv.CONTENDERS) == set(CHAINS)
    assert all(found["opencv"].same for found in opencv.CONTENDERS.values())


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert library("halide") == 'halide is not installed (pip install "fusetrack[bench]")'


def test_without_a_checkout_the_peers_that_come_with_it_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an installed wheel, beside which Numba is installed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == PEERS else object())
    assert library("numba") == (
        "numba is compared with in the folder of a checkout only (tests/benchmark_peers)")  # fmt: skip
    assert not isinstance(library("scipy"), str)  # comes with fusetrack


def test_a_command_that_is_called_in_a_checkout_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    here = str(Path(__file__).parents[3])
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in ("", here)])
    monkeypatch.chdir(here)
    assert why_absent("numpy", f"{PEERS}.chains.numba", "bench") == ""
    assert sys.path[-1] == here


def test_differences_are_found() -> None:
    wanted = np.zeros((1, 20, 20), np.uint8)
    other = wanted.copy()
    other[0, 0, 0] = 1
    assert difference(other, wanted) == 1 / 400
    assert difference(other, wanted, margin=2) == 0
    table = np.full((1, 2, 6), 10)
    assert difference(table + 1, table) == pytest.approx(0.1)


def test_the_boxes_lie_inside() -> None:
    for size in (16, 50, 256, 1000):
        made = boxes(size)
        assert len(set(made)) == 16
        assert all(x >= 0 and y >= 0 and x + w <= size and y + h <= size and w > 0 for x, y, w, h in made)
