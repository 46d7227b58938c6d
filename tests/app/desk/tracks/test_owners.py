"""Whose tracks are which, over changes of the pipeline."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.desk.tracks.owners import owned, owner
from pipelines.definition import load
from pipelines.graph import BoundTracker
from pipelines.streaming.engine.tracking import Follower, Piece, _renumbered


def follower(name: str, given: int, stride: int) -> Follower:
    node = BoundTracker(name, object, {}, {})  # type: ignore[arg-type]
    tracker: Any = SimpleNamespace(next_track=0)
    return Follower(node, (8, 8), (), tracker, (Piece(0, given, stride),))


@given(st.lists(st.tuples(st.sets(st.sampled_from("abcd"), min_size=1), st.integers(0, 7)), min_size=1, max_size=6))
@settings(max_examples=200, deadline=None)
def test_every_id_is_known_as_its_trackers(epochs: list[tuple[set[str], int]]) -> None:
    at_work: dict[str, Follower] = {}
    gave: dict[int, str] = {}
    end = 0
    for names, count in epochs:  # as `Tracking.go_over` numbers them
        end = max([end, *(one.end for one in at_work.values())])
        # A tracker that comes back is another.
        gave = {track: name if name in at_work else "" for track, name in gave.items()}
        at_work = {
            name: _renumbered(at_work[name], end + k, len(names)) if name in at_work
            else follower(name, end + k, len(names))
            for k, name in enumerate(sorted(names))
        }  # fmt: skip
        for k, (name, one) in enumerate(at_work.items()):
            for _ in range(count * (k + 1) % 5):
                raw = one.tracker.next_track
                track = int(one.given(raw) if len(one.pieces) == 1 else _last(one, raw))
                assert track not in gave
                gave[track] = name
                one.tracker.next_track += 1
    known = owned(list(at_work.values()))
    for track, name in gave.items():
        assert owner(known, track) == (name if name in at_work else "")


def _last(one: Follower, raw: int) -> int:
    piece = one.pieces[-1]
    return (raw - piece.raw) * piece.stride + piece.given


def test_shipped_pipelines_have_trackers_with_names() -> None:
    assert all(one.id for one in load("blobs").trackers)
    assert owner((), 3) == ""
