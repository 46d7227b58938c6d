"""Mergers and splits, with parents."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import Reason, State
from pipelines.trackers.association.relations import MERGE, SPLIT
from pipelines.trackers.base import make_tracker

SHAPE = (256, 256)


def features(scene, points, mass, width=1.5):
    table = scene.features(points, mass, 0.05)
    table["xx"] = table["yy"] = width * width
    return table


def told(tracker):
    return [(one["kind"], one["frame"], one["track"], one["other"]) for one in tracker.tables()["relations"]]


def crossing(scene, merged=(18, 24)):
    """Two things that cross and are one detection for some frames."""
    tables = []
    for i in range(44):
        a, b = np.array((60 + 1.5 * i, 100 + 0.5 * (i - 21))), np.array((60 + 1.5 * i, 100 - 0.5 * (i - 21)))
        one = merged[0] <= i < merged[1]
        tables.append(features(scene, [(a + b) / 2] if one else [a, b], 200.0 if one else 100.0))
    return tables


def test_a_merger_and_its_end_are_told_once(scene):
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    rows = scene.run(tracker, crossing(scene))
    (merge, split) = told(tracker)
    assert merge[:2] == (MERGE, 18)
    assert split[:2] == (SPLIT, 24)
    assert {merge[2], merge[3]} == {split[2], split[3]} == {0, 1}
    guest = rows[(rows["track"] == merge[2]) & (rows["frame"] >= 18) & (rows["frame"] < 24)]
    assert (guest["reason"] == Reason.MERGED).all()
    assert (guest["state"] == State.TRACKED).all()
    assert (guest["score"] == 1).all()
    both = [rows[(rows["track"] == track) & (rows["frame"] >= 18) & (rows["frame"] < 24)] for track in (0, 1)]
    for track, sign in zip(both, (1, -1), strict=True):
        assert abs(track["y"] - 100 - sign * 0.5 * (track["frame"] - 21)).max() < 0.3
    place = tracker.tables()["relations"][0]
    assert (place["x"], place["y"]) == pytest.approx((60 + 1.5 * 18, 100), abs=1e-9)
    assert place["time"] == pytest.approx(0.018)


@pytest.mark.parametrize("cut", [10, 20, 30])
def test_a_resumed_run_tells_the_same(scene, cut):
    tables = crossing(scene)
    whole, first, second = (make_tracker("blob", {}, SHAPE, 1000.0) for _ in range(3))
    scene.run(whole, tables)
    scene.run(first, tables[:cut])
    second.restore(first.snapshot())
    scene.run(second, tables[cut:], start=cut)
    assert second.tables()["relations"].tobytes() == whole.tables()["relations"].tobytes()


@pytest.mark.parametrize(("share", "parent"), [(0.5, True), (0.3, True), (1.0, False)])
def test_a_part_that_comes_off_names_its_parent(scene, share, parent):
    """A drop of mass 100 breaks in frame 12; with share 1 something of its own mass appears beside it instead."""
    tables = []
    for i in range(30):
        apart, x = max(i - 11, 0) * 1.0, 60 + 1.0 * i
        if not apart:
            tables.append(features(scene, [(x, 80.0)], 100.0))
        else:
            mass = [100 * (1 - share), 100 * share] if parent else [100.0, 100.0]
            tables.append(features(scene, [(x, 80 - apart), (x, 81.5 + apart)], mass))
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    rows = scene.run(tracker, tables)
    assert np.unique(rows["track"]).tolist() == [0, 1]
    assert told(tracker) == ([(SPLIT, 12, 1, 0)] if parent else [])


def test_what_is_never_believed_has_no_parent(scene):
    tables = [features(scene, [(60.0, 80.0)], 100.0) for _ in range(12)]
    tables += [features(scene, [(60.0, 80.0), (63.0, 80.0)], 50.0)]
    tables += [features(scene, [(60.0, 80.0)], 100.0) for _ in range(6)]
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    scene.run(tracker, tables)
    assert told(tracker) == []


def test_what_comes_off_a_track_that_nobody_believed_has_no_parent(scene):
    """Two things that were one in the first frame only; the part's id would be that of a track without believed rows
    if the other ended."""
    tables = [features(scene, [(60.0, 80.0)], 100.0)]
    tables += [features(scene, [(60.0 - i, 80.0), (63.0 + i, 80.0)], 50.0) for i in range(12)]
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    rows = scene.run(tracker, tables)
    assert np.unique(rows["track"]).tolist() == [0, 1]
    assert told(tracker) == []


def test_regions_that_merge_for_good_are_one_track_in_the_end(scene):
    """Two drops of 10 px radius (second moment 25 px^2) meet and stay one; the track that went in ends as merged."""
    tables = []
    for i in range(140):
        gap = max(30.0 - i, 0.0)
        if gap > 18:
            tables.append(features(scene, [(100 - gap / 2, 80.0), (100 + gap / 2, 80.0)], 300.0, 5.0))
        else:
            tables.append(features(scene, [(100.0, 80.0)], 600.0, 7.0))
    tracker = make_tracker("blob", {}, SHAPE, 1000.0)
    rows = scene.run(tracker, tables)
    assert np.unique(rows["track"]).tolist() == [0, 1]
    ((kind, frame, guest, host),) = told(tracker)
    assert (kind, frame) == (MERGE, 12)
    last = rows[rows["track"] == guest][-1]
    assert (last["state"], last["reason"]) == (State.LOST, Reason.MERGED)
    went_in = rows[(rows["track"] == guest) & (rows["frame"] >= frame)]["state"]
    assert (went_in[:10] == State.TRACKED).all()
    assert (went_in[10:-1] == State.PREDICTED).all()
    stays = rows[(rows["track"] == host) & (rows["frame"] > 12)]
    assert len(stays) == 127
    assert (stays["state"] == State.TRACKED).all()
