"""Colours of tracks that are looked at together."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.tracks.colouring import ALIKE, PALETTE, TrackColours, distances, lab

FAR = distances(PALETTE)


def test_distances_are_those_of_lab() -> None:
    assert lab("#ffffff") == pytest.approx([100.0, 0.0, 0.0], abs=0.1)
    assert lab("#000000") == pytest.approx([0.0, 0.0, 0.0], abs=0.1)
    assert lab("#ff0000") == pytest.approx([53.2, 80.1, 67.2], abs=0.2)  # as printed in tables
    assert np.array_equal(FAR, FAR.T)


def test_tracks_that_would_look_alike_differ_once_they_are_picked_together() -> None:
    for pair in ((61, 361), (10, 15), (0, 12), (13, 25)):
        colours = TrackColours()
        before = colours.number(pair[0])
        colours.keep_apart(pair[:1])
        colours.keep_apart(pair)
        first, second = (colours.number(track) for track in pair)
        assert first == before, "what was picked first keeps its colour"
        assert FAR[first, second] >= ALIKE


@given(st.lists(st.lists(st.integers(0, 500), min_size=1, max_size=8, unique=True), min_size=1, max_size=6))
def test_what_stays_picked_keeps_its_colour_and_few_tracks_are_told_apart(choices: list[list[int]]) -> None:
    colours = TrackColours()
    before: dict[int, int] = {}
    for chosen in choices:
        colours.keep_apart(chosen)
        now = {track: colours.number(track) for track in chosen}
        assert all(now[track] == number for track, number in before.items() if track in now)
        assert len(set(now.values())) == len(now), "there are colours enough"
        every = np.arange(501)
        assert colours.numbers(every).tolist() == [colours.number(track) for track in range(501)]
        before = now
    small = TrackColours()
    small.keep_apart(choices[0][:6])
    assert all(FAR[a, b] >= ALIKE for a, b in combinations([small.number(t) for t in choices[0][:6]], 2))


def test_very_many_tracks_share_colours_evenly() -> None:
    colours = TrackColours()
    colours.keep_apart([12 * k for k in range(5000)])
    counts = np.bincount([colours.number(12 * k) for k in range(24)], minlength=len(PALETTE))
    assert counts.tolist() == [2] * len(PALETTE)
    colours.forget()
    assert colours.number(24) == 0
