"""Plans: which stages run together, how, and what it is predicted to cost. Immutable, and plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kernels.ir.body import ValueType
from pipelines.graph import Ref
from pipelines.planning.launches import Launch

CALL = 2e-4
"""Seconds of the host for a call of a program on a GPU, besides what the GPU does (`launch` is its own): 0.1 to 0.15 ms
of Python for images, 0.5 ms with lists of candidates, measured with a driver that does nothing."""


@dataclass(frozen=True, slots=True)
class Tile:
    """What one block owns: bx x by pixels of the group's output, through bt frames. On a CPU a strip of full rows."""

    bx: int
    by: int
    bt: int

    def __str__(self) -> str:
        return f"{self.bx}x{self.by}x{self.bt}"


@dataclass(frozen=True, slots=True)
class Halo:
    """How far a group looks beyond its tile along its longest path: pixels of its inputs, and frames back."""

    left: int = 0
    right: int = 0
    up: int = 0
    down: int = 0
    past: int = 0

    def __str__(self) -> str:
        if not any((self.left, self.right, self.up, self.down, self.past)):
            return "-"
        x = f"{self.left}" if self.left == self.right else f"-{self.left}+{self.right}"
        y = f"{self.up}" if self.up == self.down else f"-{self.up}+{self.down}"
        return f"{x},{y}" + (f",{self.past} frames" if self.past else "")


@dataclass(frozen=True, slots=True)
class Estimate:
    """Predicted cost of a frame.

    Args:
        seconds: time a frame.
        traffic: bytes into and out of the groups (halo and state included): what the shared cache moves.
        dram: bytes of that which reach DRAM.
        near: bytes moved in shared memory (CPU: in a core's own caches).
        operations: scalar 32-bit operations, recomputing in the halo included.
        launches: kernel calls a frame.
        on_chip: bytes of near memory that one block (CPU: strip) holds.
        occupancy: share of the threads that a multiprocessor can hold (CPU: of the cores) that are at work.
        terms: seconds that each resource alone would take.
        limit: the resource that decides: a key of `terms`.
    """

    seconds: float
    traffic: float
    dram: float
    near: float
    operations: float
    launches: float
    on_chip: int
    occupancy: float
    terms: Mapping[str, float]
    limit: str


@dataclass(frozen=True, slots=True)
class Group:
    """Stages that become one kernel (or one call of a host function).

    Args:
        nodes: ids, in order.
        inputs: what it reads that other groups or the source wrote.
        outputs: what it leaves to others.
        halo: how far it looks.
        tile: what one block owns.
        axes: for "x", "y" and "t" what becomes of a producer's values beyond the tile: "recomputed", "cached" (rows of
            a ring), "carried" (state from batch to batch), or "-" where nothing looks there.
        duplicated: the nodes of it that other groups compute too.
        executor: "cpu", "cuda" or "host".
        estimate: its part of the plan's.
        input_bytes: bytes read a frame, state included.
        output_bytes: bytes written a frame, state included.
        launches: of a GPU its kernels as they are launched, where that is known (`Planner.launched`).
    """

    nodes: tuple[str, ...]
    inputs: tuple[Ref, ...]
    outputs: tuple[Ref, ...]
    halo: Halo
    tile: Tile
    axes: Mapping[str, str]
    duplicated: tuple[str, ...]
    executor: str
    estimate: Estimate
    input_bytes: float
    output_bytes: float
    launches: tuple[Launch, ...] = ()


@dataclass(frozen=True, slots=True)
class Buffer:
    """A batch of frames between groups.

    Args:
        ref: the value it holds.
        type: the type of one frame.
        frames: frames of a batch, and those of before that a reader looks back at.
        first: the group that writes it (-1: the source).
        last: the last group that reads it (number of groups: it leaves the device).
        slot: buffers of one slot share memory; their lives do not overlap.
        nbytes: bytes of the whole.
    """

    ref: Ref
    type: ValueType
    frames: int
    first: int
    last: int
    slot: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the pipeline and what the plan makes of it.

    Args:
        ref: the value that flows.
        consumer: the node that takes it.
        fused: it never leaves the kernel.
        pinned: the user decided so.
        why: the reason where there is no choice (a host stage, a whole image is needed ...).
    """

    ref: Ref
    consumer: str
    fused: bool
    pinned: bool = False
    why: str = ""

    def __str__(self) -> str:
        return f"{self.ref} -> {self.consumer}"


@dataclass(frozen=True, slots=True)
class Bus:
    """What crosses the bus between the host and a device.

    Args:
        up: bytes a frame to the device.
        down: bytes a frame back.
        seconds: a frame, of both: they are taken to share the bus.
    """

    up: float
    down: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How a pipeline runs.

    Args:
        groups: in the order in which they run.
        buffers: what is between them.
        edges: every edge, fused or cut.
        batch: frames a batch.
        estimate: of the whole.
        floor: seconds a frame to read the source once and write what leaves, at the DRAM's bandwidth.
        latency: seconds from a batch's first frame to its result: filling the batch, and computing it.
        pixels: of one frame of the source.
        device: name of the device.
        digest: of the pipeline's definition.
        proven: whether no plan with batches of this length is better by the model (of those with the copies of cheap
            producers that were considered); else it is the best found.
        least: seconds a frame that any plan with batches of this length takes at least; 0 where nothing is known.
        bus: what crosses it, whatever the groups are; on a CPU nothing. It is in no group's time.
        trackers: seconds a frame of the trackers, typical ones; in no group's time either.
    """

    groups: tuple[Group, ...]
    buffers: tuple[Buffer, ...]
    edges: tuple[Edge, ...]
    batch: int
    estimate: Estimate
    floor: float
    latency: float
    pixels: int
    device: str
    digest: str
    proven: bool
    least: float = 0.0
    bus: Bus = Bus(0.0, 0.0, 0.0)
    trackers: float = 0.0

    @property
    def host(self) -> float:
        """Seconds a frame of host functions and trackers, and of calling programs on a GPU."""
        calls = sum(group.executor == "cuda" for group in self.groups) * CALL / self.batch
        return calls + self.trackers + sum(group.estimate.seconds for group in self.groups if group.executor == "host")

    @property
    def kernels(self) -> float:
        """Seconds a frame of all other groups."""
        return sum(group.estimate.seconds for group in self.groups if group.executor != "host")

    @property
    def steady(self) -> float:
        """Seconds a frame in the long run: a GPU's kernels, the bus and the host work on different batches at a time,
        and the slowest of them sets the pace; on a CPU all of it takes turns."""
        if all(group.executor in ("cpu", "host") for group in self.groups):
            return self.estimate.seconds + self.trackers
        return max(self.kernels, self.host, self.bus.seconds)

    @property
    def gap(self) -> float:
        """The plan is within this share of the best possible: 0 where it is proven, infinite where nothing is known."""
        if self.proven:
            return 0.0
        return self.estimate.seconds / self.least - 1 if self.least > 0 else float("inf")

    @property
    def partition(self) -> tuple[tuple[str, ...], ...]:
        """The ids of each group."""
        return tuple(group.nodes for group in self.groups)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: plain types only."""
        plain = asdict(self)
        for group, entry in zip(self.groups, plain["groups"], strict=True):
            entry["inputs"] = [str(r) for r in group.inputs]
            entry["outputs"] = [str(r) for r in group.outputs]
        for buffer, entry in zip(self.buffers, plain["buffers"], strict=True):
            entry["ref"], entry["type"] = str(buffer.ref), str(buffer.type)
        for edge, entry in zip(self.edges, plain["edges"], strict=True):
            entry["ref"] = str(edge.ref)
        return plain
