"""The engine with programs on a device: what stays there, what comes back, and that the bits are the reference's."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.codegen.cuda_launch import live_bytes
from kernels.executors.base import executor
from kernels.executors.cuda_results import item_bytes
from kernels.executors.cuda_runner import CudaRunner
from kernels.ir.bits import words_of
from kernels.ir.image import ImageType
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups, needed_nodes
from pipelines.graph import SOURCE, Bound, Ref
from pipelines.planning.devices import find_device
from pipelines.planning.workload import LIKELY_ROWS, workload
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor
from tests.shipped import WITHOUT_LAYERS, fixed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

CLIP = moving_spots(9, 40)[:, :27]


def bound_of(name: str) -> Bound:
    return prepare(fixed(name), MemoryClip(CLIP))


def run(engine: Engine, first: int = 0, end: int = 9, cuts: tuple[int, ...] = (4,)) -> list[Any]:
    """What each tap gives, as bytes, frame by frame; batches end at `cuts`."""
    said = []
    for a, b in pairwise(sorted({first, end, *(c for c in cuts if first < c < end)})):
        out = engine.step(FrameBatch(np.arange(a, b), np.arange(a, b) / 1000, CLIP[a:b]))
        assert all(isinstance(data, (np.ndarray, list)) for data in out.values())
        said += [{tap: getattr(data[i], "rows", data[i]).tobytes() for tap, data in out.items()} for i in range(b - a)]
    return said


def wanted_on_the_host(engine: Engine) -> set[Ref]:
    """Every output that a tap or a program that is not on the device takes: what must come back."""
    taken = {ref for unit in engine.units for ref in unit.inputs
             if ref is not None and not isinstance(engine.programs[unit.name], CudaRunner)}  # fmt: skip
    return taken | set(engine.taps)


def cut_at(bound: Bound, taps: tuple[Ref, ...], cuts: set[str]) -> list[list[str]]:
    """Groups of consecutive nodes, a new one before each of `cuts`; host stages alone."""
    groups: list[list[str]] = []
    apart = True
    for node in needed_nodes(bound, taps):
        host = node.body.host is not None
        if apart or host or node.id in cuts:
            groups.append([])
        groups[-1].append(node.id)
        apart = host
    return groups


@settings(max_examples=8, deadline=None)
@given(
    name=st.sampled_from(("facial-markers", "background-motion", "blobs")),
    cuts=st.sets(st.sampled_from(("smooth", "edges", "scale", "steady", "band", "bright", "rim", "moving", "clean"))),
    ends=st.sets(st.integers(1, 8), max_size=3),
    kept=st.booleans(),
    seed=st.integers(0, 99),
)
def test_pipelines_in_several_groups_give_the_references_bits(
    name: str, cuts: set[str], ends: set[int], kept: bool, seed: int
) -> None:
    bound = bound_of(name)
    keep = (Ref(bound.nodes[1].id),) if kept and isinstance(bound.types[Ref(bound.nodes[1].id)], ImageType) else ()
    groups = cut_at(bound, (*bound.taps, *keep), cuts)
    engine = Engine(bound, EmulatedExecutor(seed), keep, groups)
    assert any(isinstance(p, CudaRunner) for p in engine.programs.values())
    assert not engine.resident & wanted_on_the_host(engine)
    assert run(engine, cuts=tuple(ends)) == run(Engine(bound, executor("reference"), keep))


def test_what_only_the_device_takes_never_crosses_the_bus() -> None:
    bound = bound_of("facial-markers")
    groups = [["gray", "scale", "steady"], ["smooth", "edges", "rim"], ["whole"], ["markers"]]
    device = Watched(3)
    engine = Engine(bound, EmulatedExecutor(device=device), groups=groups)
    assert engine.resident == {Ref("steady"), Ref("rim"), Ref("whole")}
    expected = run(Engine(bound, executor("reference")))
    assert run(engine) == expected
    assert device.up - settings_bytes(engine) == CLIP.nbytes  # the source once, nothing between the groups
    assert device.down == 8 * len(CLIP)  # how many rows there are, besides these
    up, down = workload(bound).crossing(find_device("h100"))
    assert up * len(CLIP) == CLIP.nbytes
    assert down == 100 * LIKELY_ROWS  # bytes of a feature
    tapped = Engine(bound, EmulatedExecutor(4), (Ref("steady"),), groups)
    assert Ref("steady") not in tapped.resident  # a tap is NumPy
    assert [{k: v for k, v in frame.items() if k != Ref("steady")} for frame in run(tapped)] == expected


def test_another_device_takes_nothing_from_this_one() -> None:
    bound = bound_of("facial-markers")
    groups = largest_groups(bound, bound.taps)
    assert Engine(bound, EmulatedExecutor(1), groups=groups).resident == {Ref("rim"), Ref("whole")}
    ours, other = EmulatedExecutor(1), EmulatedExecutor(2)

    class Alternating:
        name = "cuda"

        def __init__(self) -> None:
            self.turn = 0

        def compile(self, body: Any) -> Any:
            self.turn += 1
            return (ours, other)[self.turn % 2].compile(body)

    alone = [[node.id] for node in needed_nodes(bound, bound.taps)]
    engine = Engine(bound, Alternating(), groups=alone)
    assert not engine.resident
    assert run(engine) == run(Engine(bound, executor("reference")))


def test_snapshots_and_parameters_are_those_of_every_back_end() -> None:
    bound = bound_of("facial-markers")
    groups = [["gray", "scale", "steady"], ["smooth", "edges", "rim"], ["whole"], ["markers"]]

    def engine(emulated: bool) -> Engine:
        return Engine(bound, EmulatedExecutor(7) if emulated else executor("reference"), groups=groups)

    expected = run(engine(False))
    for first, second in ((True, False), (False, True), (True, True)):
        a, b = engine(first), engine(second)
        assert run(a, 0, 5) == expected[:5]
        b.restore(a.snapshot())
        assert run(b, 5, 9) == expected[5:]
    a, b = engine(True), engine(False)
    for one in (a, b):
        run(one, 0, 4)
        one.set_param("steady", "alpha", 0.1)
    assert run(a, 4, 9) == run(b, 4, 9) != expected[4:]


def table_bytes(engine: Engine) -> int:
    """Bytes that a frame's sums and counts take; lists come as far as they are filled."""
    runners = [program for program in engine.programs.values() if isinstance(program, CudaRunner)]
    found = [a for runner in runners for a in runner.program.arguments("sums", "total", "ends").values()]
    return sum(int(np.prod(a.shape)) * item_bytes(a.dtype) for a in found)


def settings_bytes(engine: Engine) -> int:
    """Bytes that say, once, what parameters are, and what they mean for decoders."""
    runners = [program for program in engine.programs.values() if isinstance(program, CudaRunner)]
    made = sum(a.shape[0] for runner in runners for a in runner.program.arguments("settings").values())
    return made + sum(len(live_bytes(runner.program, runner.body.params, {})) for runner in runners
                      if runner.program.arguments("live"))  # fmt: skip


def sent_bytes(engine: Engine, ref: Ref) -> int:
    """Bytes of a frame of an image on the way to the host: of masks that leave as words a bit a pixel."""
    type_ = engine.bound.types[ref]
    assert isinstance(type_, ImageType)
    words = {made for unit in engine.units for name, made in unit.outputs.items() if unit.body.output(name).words}
    return 8 * words_of(type_.width) * type_.height if ref in words else type_.nbytes


@pytest.mark.parametrize("name", WITHOUT_LAYERS)
@pytest.mark.parametrize("alone", [True, False], ids=["a group each", "largest groups"])
def test_every_shipped_pipeline_moves_what_the_host_needs_once(name: str, alone: bool) -> None:
    """The source goes up once, whoever takes it; what the host takes of it comes down once; nothing else crosses the
    bus between groups on the device, however many there are."""
    bound = bound_of(name)
    device = Watched(5)
    groups = [[n.id] for n in needed_nodes(bound, bound.taps)] if alone else largest_groups(bound, bound.taps)
    engine = Engine(bound, EmulatedExecutor(device=device), groups=groups)
    on_device = [u for u in engine.units if isinstance(engine.programs[u.name], CudaRunner)]
    made_there = {ref for unit in on_device for ref in unit.outputs.values()}
    images = {ref for ref in wanted_on_the_host(engine) & made_there if isinstance(bound.types[ref], ImageType)}
    made_here = {ref for unit in on_device for ref in unit.inputs
                 if ref is not None and ref not in made_there and ref != Ref(SOURCE)}  # fmt: skip
    assert run(engine, cuts=(4, 8)) == run(Engine(bound, executor("reference")))
    frames, kinds = len(CLIP) + (bound.still is not None), bound.types  # the still picture is shown as frames are
    assert device.down == frames * (sum(sent_bytes(engine, ref) for ref in images) + table_bytes(engine))
    starts = sum(array.nbytes for array in device.uploads if array.dtype == np.int64)
    up = device.up - starts - settings_bytes(engine)
    assert up == frames * (CLIP[0].nbytes + sum(kinds[ref].nbytes for ref in made_here))  # type: ignore[union-attr]
    tables = {ref for ref in wanted_on_the_host(engine) & made_there if ref not in images}
    down = replace(engine.bound, asked=engine.bound.taps)  # nothing stays there for trackers
    said_up, said_down = workload(down).crossing(find_device("h100"))
    assert said_up * frames == up
    assert said_down * frames == device.down or tables
    if alone:
        assert len(on_device) + sum(unit.idle for unit in engine.units) >= 2


class Watched(ApartDevice):
    """Counts what lists bring down apart."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.uploads: list[np.ndarray] = []
        self.pieces = 0

    def upload(self, to: Any, source: Any, stream: Any) -> None:
        self.uploads.append(source)
        super().upload(to, source, stream)

    def download_piece(self, to: Any, source: Any, piece: Any, stream: Any) -> None:
        super().download_piece(to, source, piece, stream)
        self.down -= piece.nbytes
        self.pieces += piece.nbytes
