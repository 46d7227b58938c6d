"""The timeline of a clip: whatever the way to a frame, it looks as in a run from the beginning."""

from __future__ import annotations

from contextlib import closing

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.frame import FrameBatch
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.changes import Change, Structure
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.tracking import PICTURE
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.pipelines.streaming.playback.played import (
    BAD,
    CLIP,
    PIPELINES,
    Said,
    draw_change,
    draw_changes,
    forward,
    said,
    timeline,
)


def test_without_changes_it_is_the_runner() -> None:
    source, keep = MemoryClip(CLIP, bad=BAD), Keep()
    bound = prepare(PIPELINES[0], source)
    Runner(source, bound, [keep], frames=(0, len(CLIP)), options=RunOptions(device="cpu", pictures=True)).run()
    assert forward(batch=5) == said(keep.results)
    assert any(PICTURE in r.taps for r in keep.results)


@settings(max_examples=12, deadline=None)
@given(st.data(), st.integers(1, 20), st.integers(0, 9))
def test_batches_and_snapshots_do_not_matter(data: st.DataObject, batch: int, every: int) -> None:
    changes = draw_changes(data)
    assert forward(changes, batch=batch, every=every) == forward(changes, batch=1)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_jumps_and_changes_give_what_a_run_from_the_beginning_gives(data: st.DataObject) -> None:
    """Jumps to and fro, changes of the present and of the past: the same as with all changes known beforehand."""
    first = draw_changes(data, 2)
    every, batch = data.draw(st.integers(0, 9)), data.draw(st.integers(1, 9))
    with closing(timeline(first, every, batch, most=data.draw(st.sampled_from([1 << 30, 40_000])))) as made:
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(CLIP) - 1))
            if data.draw(st.booleans()):
                change = draw_change(data, at)
                runs = made.pipeline_at(at)
                if isinstance(change, Structure) or change.node in {m.id for m in runs.members}:
                    made.insert(change)
            target = data.draw(st.integers(0, len(CLIP) - 1))
            made.go_back(target)
            shown: Said = {}
            while made.next <= target:
                shown |= said(made.process(target + 1, ahead=data.draw(st.booleans())).results)
            whole = forward(list(made.changes))
            assert target in shown
            assert shown == {frame: whole[frame] for frame in shown}


def test_a_run_knows_changes_of_stages_as_the_engine_does() -> None:
    """The oracle of oracles: an engine, a tracker and a loop."""
    changes = [Change(7, "bright", "level", 90), Change(20, "slow", "alpha", 0.3), Change(20, "bright", "level", 40)]
    source = MemoryClip(CLIP)
    runner = Runner(
        source, prepare(PIPELINES[0], source), [], frames=(0, len(CLIP)), options=RunOptions(device="reference")
    )
    follower, expected = runner.tracking.followers[0], []
    inputs = follower.node.inputs.items()
    for i in range(len(CLIP)):
        for change in changes:
            if change.frame == i:
                runner.engine.set_param(change.node, change.param, change.value)
        out = runner.engine.step(FrameBatch(np.array([i]), np.array([i / 1000]), CLIP[i : i + 1]))
        expected.append(follower.tracker.update(i, i / 1000, {n: out[ref][0].rows for n, ref in inputs}))
    found = forward(changes, bad=())
    assert [found[i][2] for i in range(len(CLIP))] == [rows.tobytes() for rows in expected]


def test_ids_are_never_used_twice_over_changes_of_the_pipeline() -> None:
    changes = [Structure(10, PIPELINES[2]), Structure(20, PIPELINES[0]), Structure(30, PIPELINES[3])]
    playback_rows = Keep()
    made = timeline(changes, bad=())
    while made.next < made.end:
        playback_rows.results += made.process(made.end).results
    rows = playback_rows.tracks
    spans = [set(rows["track"][(rows["frame"] >= a) & (rows["frame"] < b)].tolist())
             for a, b in ((0, 10), (10, 20), (20, 30), (30, 48))]  # fmt: skip
    assert spans[0] <= spans[1] & spans[2], "the tracker `follow` goes on"
    fresh = spans[1] - spans[0]
    assert fresh
    assert not fresh & spans[2], "the tracker `other` has ended"
    assert not spans[3] & (spans[0] | spans[1] | spans[2]), "background-motion begins anew"
    for frame in range(48):
        ids = rows["track"][rows["frame"] == frame]
        assert len(set(ids.tolist())) == len(ids)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 47), st.integers(0, 5)), max_size=4), st.integers(1, 9), st.booleans())
def test_left_out_frames_are_never_seen(ranges: list[tuple[int, int]], batch: int, ahead: bool) -> None:
    away = {i for a, n in ranges for i in range(a, min(a + n + 1, 48))}
    disjoint = [(i, i) for i in sorted(away)]
    made, found = timeline(left_out=disjoint, batch=batch), {}
    while made.next < made.end:
        found |= said(made.process(made.end, ahead).results)
    made.close()
    kept = [i for i in range(48) if i not in away]
    assert sorted(found) == kept
    source, rows = MemoryClip(CLIP), []
    runner = Runner(source, prepare(PIPELINES[0], source), [], frames=(0, 48), options=RunOptions(device="reference"))
    follower = runner.tracking.followers[0]
    inputs = follower.node.inputs.items()
    for i in kept:
        if i in BAD:
            rows.append(follower.tracker.skip(i, i / 1000))
        else:
            out = runner.engine.step(FrameBatch(np.array([i]), np.array([i / 1000]), CLIP[i : i + 1]))
            rows.append(follower.tracker.update(i, i / 1000, {n: out[ref][0].rows for n, ref in inputs}))
    assert [found[i][2] for i in kept] == [r.tobytes() for r in rows]


def test_snapshots_keep_to_their_memory() -> None:
    made = timeline(every=1, most=60_000, bad=())
    while made.next < made.end:
        made.process(made.end)
        assert made.snapshots.nbytes <= 60_000 or len(made.snapshots) == 1
    assert made.snapshots.every > 1
    kept = made.snapshots
    assert kept.nbytes == sum(s.nbytes for s in kept._kept.values())
    assert len(kept) > 1
