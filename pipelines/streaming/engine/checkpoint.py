"""The state of a run before a frame, apart from the run: with it a run goes on from that frame, bit for bit.

Stages and trackers remember frames that were not recorded (a background, a track's speed). What programs remember has
one form on every back end, but belongs to the groups that run as one program each; so a checkpoint names its groups,
and an engine that goes on from it is built with the same, whatever a planner would choose there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from kernels.errors import InputError
from kernels.executors.base import Executor
from pipelines.graph import Bound, Pipeline
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.tracking import Piece, Tracking, TrackingState
from pipelines.trackers.base import Snapshot


@dataclass(frozen=True)
class TrackerState:
    """What one tracker remembers.

    Args:
        node: its name.
        pieces: how its ids become those that leave.
        state: its arrays.
    """

    node: str
    pieces: tuple[Piece, ...]
    state: Snapshot


@dataclass(frozen=True)
class Checkpoint:
    """The state before `frame`, with every change made that holds from it on.

    Args:
        frame: the first frame that was processed after it.
        pipeline: what it is processed with, every parameter as it was set.
        groups: node ids of the engine's programs, in order.
        pictures: whether the engine returns the plain picture besides.
        engine: what each program remembers, by its name.
        trackers: in the pipeline's order.
        end: one past the highest id that trackers gave that are gone.
    """

    frame: int
    pipeline: Pipeline
    groups: tuple[tuple[str, ...], ...]
    pictures: bool
    engine: Mapping[str, Any]
    trackers: tuple[TrackerState, ...]
    end: int

    @property
    def nbytes(self) -> int:
        """Memory of the copies."""
        return nbytes_of(self.engine) + nbytes_of([tracker.state for tracker in self.trackers])


@runtime_checkable
class CheckpointTap(Protocol):
    """A recorder that keeps checkpoints of the run that it records."""

    def wants_checkpoint(self, frame: int) -> bool:
        """Whether one before `frame`, the next to be processed, is worth its cost."""
        ...

    def next_checkpoint(self, frame: int) -> int | None:
        """The next frame behind `frame` before which one is wanted, so that a batch has to end there, or None."""
        ...

    def checkpoint(self, made: Checkpoint) -> None:
        """Here it is; called in the order of the frames."""
        ...


@runtime_checkable
class StateTap(Protocol):
    """A recorder of a run that may go on from a state that does not follow from the frames before."""

    def taken_over(self, made: Checkpoint) -> None:
        """What was processed from its frame on began with this state; no replay can do without. Called in the order of
        the frames, those of checkpoints included."""
        ...


@dataclass(frozen=True)
class EngineState:
    """The engine's part of a checkpoint; the trackers are behind by the batches that wait for them."""

    frame: int
    pipeline: Pipeline
    groups: tuple[tuple[str, ...], ...]
    pictures: bool
    engine: Mapping[str, Any]

    def with_trackers(self, tracking: Tracking) -> Checkpoint:
        """The checkpoint, once the trackers have come to the same frame."""
        tracked = tracking.snapshot()
        trackers = tuple(
            TrackerState(follower.node.id, follower.pieces, state)
            for follower, state in zip(tracked.followers, tracked.states, strict=True)
        )
        return Checkpoint(self.frame, self.pipeline, self.groups, self.pictures, self.engine, trackers, tracked.end)


def engine_state(frame: int, pipeline: Pipeline, engine: Engine) -> EngineState:
    """The state of an engine after all batches that were begun; on a device this waits for them.

    Args:
        frame: the next to be processed.
        pipeline: what it computes, every parameter as it is set.
    """
    picture = engine.bound.picture
    return EngineState(
        frame, pipeline, tuple(tuple(node.id for node in unit.nodes) for unit in engine.units),
        picture in engine.taps and picture not in engine.bound.taps, engine.snapshot(),
    )  # fmt: skip


def engine_at(point: Checkpoint, bound: Bound, executor: Executor, exact: bool = True) -> Engine:
    """An engine that goes on from a checkpoint.

    Args:
        bound: the checkpoint's pipeline.
        executor: any back end.
        exact: as the engine had it.

    Raises:
        InputError: the state is not that of this pipeline.
    """
    engine = Engine(bound, executor, (bound.picture,) if point.pictures else (), point.groups, exact)
    # Before anything is restored: memory of another number of frames would be taken without an error and give other
    # rows.
    if not engine.takes(point.engine):
        raise InputError(f"the state before frame {point.frame} is that of other stages than those of this fusetrack")
    try:
        engine.restore(point.engine)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"the state before frame {point.frame} does not fit its stages: {error}") from None
    return engine


def tracking_at(point: Checkpoint, bound: Bound, fps: float, offset: tuple[int, int] = (0, 0)) -> Tracking:
    """Trackers that go on from a checkpoint.

    Args:
        bound: the checkpoint's pipeline.
        fps, offset: as `Tracking` takes them.

    Raises:
        InputError: the state is not that of these trackers.
    """
    tracking = Tracking(bound, fps, offset)
    if [follower.node.id for follower in tracking.followers] != [tracker.node for tracker in point.trackers]:
        raise InputError(f"the state before frame {point.frame} is that of other trackers")
    followers = tuple(
        # The tracker of the bound pipeline, with the pieces of ids that the checkpoint has.
        replace(follower, pieces=kept.pieces) for follower, kept in zip(tracking.followers, point.trackers, strict=True)
    )
    try:
        states = tuple(kept.state for kept in point.trackers)
        tracking.restore(TrackingState(bound, followers, states, point.end))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"the state before frame {point.frame} does not fit its trackers: {error}") from None
    return tracking


def newest(points: Sequence[Checkpoint], first: int, last: int) -> Checkpoint | None:
    """The last of rising checkpoints whose frame is in `first` .. `last`."""
    return next((point for point in reversed(points) if first <= point.frame <= last), None)


def nbytes_of(state: Any) -> int:
    """Memory of the arrays in a state."""
    if isinstance(state, Mapping):
        return sum(nbytes_of(value) for value in state.values())
    if isinstance(state, Sequence) and not isinstance(state, str | bytes):
        return sum(nbytes_of(value) for value in state)
    return int(getattr(state, "nbytes", 0))
