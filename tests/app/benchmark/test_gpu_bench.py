"""`fusetrack bench --device cuda` without a GPU: the arithmetic, the text, and the whole flow on a simulated device."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import ndimage

from app.benchmark import gpu_measure
from app.benchmark.chains import CHAINS
from app.benchmark.gpu_chain import DeviceChain
from app.benchmark.gpu_measure import CHECKED, GRAPH, GpuMeasurement, Rig
from app.benchmark.gpu_peers import Libraries
from app.benchmark.gpu_report import case_lines, report
from app.benchmark.gpu_results import (
    FUSE,
    FUSED,
    FUSED_GRAPH,
    NDIMAGE,
    UNFUSED,
    UNFUSED_GRAPH,
    Case,
    GpuMeasured,
    GpuResult,
    Latency,
    Spread,
    goals,
    gpu_json,
)
from app.benchmark.ours import bound_to
from app.cli import main
from app.commands import bench_gpu
from kernels.codegen.nvrtc import Usage
from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.executors.cuda_calibration import GpuCalibration
from kernels.executors.cuda_runner import CudaRunner
from kernels.ir.body import Body
from pipelines.fusing import largest_groups
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.codegen.kept import cuda
from tests.pipelines.emulated import ApartDevice, Held

FACTS = {"gpu": "Imaginary GPU", "architecture": "sm_90", "driver": "580.65.06", "cuda_of_driver": "13.0",
         "cuda_runtime": "12.8", "nvrtc": "13.1", "cupy": "14.2.0"}  # fmt: skip
LIMITS = (1e12, 2.5e10, 2.4e10)


def result(chain: str = "seed", **seconds: float) -> GpuResult:
    """Of 512 x 512 RGBA, 16 frames: made up, 32 MiB a batch."""
    given = {FUSED: 40e-6, UNFUSED: 200e-6, FUSED_GRAPH: 38e-6, UNFUSED_GRAPH: 95e-6, NDIMAGE: 900e-6} | seconds
    made = tuple(GpuMeasured(name, Spread(s, 0.9 * s, 1.2 * s, 7), 0.0, kernels=0 if name == NDIMAGE else 6,
                             registers=40) for name, s in given.items())  # fmt: skip
    return GpuResult(chain, "a chain", Case(512, 512, 4), made, 32 * 2**20, *LIMITS, Spread(21000.0, 2e4, 2.2e4, 5),
                     (Latency(1, 1e-4, 3e-4, 5000), Latency(16, 1e-3, 2e-3, 700)),
                     ("torch.compile: not installed",))  # fmt: skip


def test_the_arithmetic() -> None:
    made = result()
    fused = made.of(FUSED)
    assert fused is not None
    assert made.us_per_frame(fused) == pytest.approx(2.5)
    assert made.bandwidth(fused) == pytest.approx(32 * 2**20 / 40e-6)
    assert made.of_copy(fused) == pytest.approx(0.8388608)
    assert made.bus_limit == pytest.approx(2.5e10 / (4 * 512 * 512))
    assert made.of_bus == pytest.approx(21000 / made.bus_limit)
    assert made.times(UNFUSED, FUSED) == pytest.approx(5.0)
    assert made.times("nothing", FUSED) is None
    reached = {g.name: (g.reached, g.met) for g in goals(made)}
    assert reached["fused over unfused"] == (pytest.approx(5.0), True)
    assert reached["fused over unfused, both in a graph"] == (pytest.approx(2.5), True)
    assert reached["fused over cupyx.scipy.ndimage"] == (pytest.approx(22.5), True)
    assert reached["share of the copy's bandwidth"] == (pytest.approx(32 * 2**20 / 38e-6 / 1e12), True)
    assert reached["share of the bus limit, end to end"] == (pytest.approx(made.of_bus), True)
    assert Spread.of([3.0, 1.0, 2.0, 4.0, 5.0]) == Spread(3.0, 2.0, 4.0, 5)
    assert Latency.of(1, [*[1.0] * 98, 2.0, 3.0]).p99 == pytest.approx(2.01, abs=0.02)


def test_the_text_to_paste() -> None:
    slow = result(**{FUSED: 400e-6})
    said = report(FACTS, [result(), slow], "2026-01-02", "1.2.3")
    assert said.splitlines()[0] == "fusetrack 1.2.3, bench --device cuda, 2026-01-02"
    assert said.splitlines()[1] == ("Imaginary GPU (sm_90), driver 580.65.06, CUDA 13.0 (runtime 12.8, NVRTC 13.1), "
                                    "CuPy 14.2.0")  # fmt: skip
    for words in ("seed: 512x512 RGBA, 16 frames a batch", "left out: torch.compile: not installed",
                  "goal fused over unfused >= 3: 5.00, reached", "goal fused over unfused >= 3: 0.50, missed",
                  "16 frames: p50 1.00 ms, p99 2.00 ms of 700", "pinned 25.0 GB/s up, 24.0 GB/s down",
                  "end to end 21000 frames/s (20000-22000), 88 % of the 23842", "p99"):  # fmt: skip
        assert words in said
    row = next(line for line in said.splitlines() if line.startswith("  unfused "))
    assert row.split() == ["unfused", "12.50", "11.25-15.00", "168", "17", "%", "5.00x", "6", "40", "0", "0"]
    peer = next(line for line in said.splitlines() if line.startswith("  cupyx"))
    assert peer.split()[-4:] == ["-", "-", "-", "0"]
    assert max(map(len, said.splitlines())) <= 115
    assert "goal" not in "\n".join(case_lines(result("unsharp")))
    wrong = GpuResult(**{**{n: getattr(slow, n) for n in slow.__slots__}, "contenders": (  # type: ignore[attr-defined]
        GpuMeasured(FUSED, Spread(1.0, 1.0, 1.0, 3), 0.25, True),)})  # fmt: skip
    assert "THE OUTPUTS OF fused DIFFER" in "\n".join(case_lines(wrong))


def test_the_figures_for_machines() -> None:
    facts = json.loads(json.dumps(gpu_json(FACTS, [result(), result("harris")])))
    assert facts["gpu"] == FACTS
    first, second = facts["results"]
    assert first["contenders"][0]["us_per_frame"] == pytest.approx(2.5)
    goal = {"name": "fused over unfused", "wanted": 3.0, "reached": pytest.approx(5.0), "met": True}
    assert first["goals"][0] == goal
    assert second["goals"] == []


class Ticking:
    """Runs what it is to time on the simulated device; a kernel takes 1 ms, and so does each other turn. Also a wall
    clock that goes on by 1 ms a look."""

    def __init__(self, device: ApartDevice) -> None:
        self.device, self.now, self.captured = device, 0.0, 0

    def seconds(self, work: Any, stream: Any) -> float:
        before = self.device.launches
        work(stream)
        done = self.device.event()
        self.device.record(done, stream)
        self.device.synchronize(done)
        return 1e-3 * max(1, self.device.launches - before)

    def capture(self, work: Any, stream: Any) -> Any:
        self.captured += 1
        graph = self.device.capture(work, stream)
        return lambda to: self.device.replay(graph, to)

    def wall(self) -> float:
        self.now += 1e-3
        return self.now


def rig_of(device: ApartDevice, peers: bool = True, spoil: bool = False) -> Rig:
    def compiled(body: Body) -> Any:
        if body.host is not None:
            raise DefinitionError("it runs on the host")
        return CudaRunner(body, cuda(body), device)

    def array(memory: Held, shape: tuple[int, ...]) -> np.ndarray:
        return memory.bytes.reshape(shape)

    def failing(function: Any) -> Any:
        raise RuntimeError("no such\nfusing")

    clock = Ticking(device)
    libraries = Libraries(np, ndimage, failing if spoil else lambda f: f, lambda _: nullcontext())
    used = {"k": Usage(registers=40, spills=4, stack=0, shared=0)}
    return Rig(device, compiled, clock, lambda _: used, 0, array, libraries if peers else None, clock.wall)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels on the emulator take their time."""
    for name, value in (("LATENCIES", 4), ("FEWEST", 2), ("STRETCH", 4), ("GRAPH", 2), ("CHECKED", 5)):
        monkeypatch.setattr(gpu_measure, name, value)
    monkeypatch.setattr(gpu_measure, "TURN", 1e-3)
    try:
        default_compiler()
    except NoCompilerError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(("chain", "channels"), [("seed", 4), ("seed", 1), ("harris", 1)])
def test_all_contenders_run_and_agree_on_the_simulated_device(chain: str, channels: int) -> None:
    device = ApartDevice(5)
    rig = rig_of(device)
    made = GpuMeasurement(rig, CHAINS[chain], Case(44, 36, channels, 2)).result(1e-3, LIMITS)
    ours = [FUSED, UNFUSED, FUSED_GRAPH, UNFUSED_GRAPH]
    assert [c.name for c in made.contenders] == [*ours, *([NDIMAGE, FUSE] if chain == "seed" else [])]
    assert not any(c.wrong for c in made.contenders)
    assert all(c.differs == 0 for c in made.contenders if c.name in ours)
    kernels = {c.name: c.kernels for c in made.contenders if c.name in ours}
    assert kernels[FUSED] == kernels[FUSED_GRAPH] < kernels[UNFUSED] == kernels[UNFUSED_GRAPH]
    for name in ours:  # the clock gives 1 ms a kernel: what is divided by what can be seen
        contender = made.of(name)
        assert contender is not None
        assert contender.seconds.median == pytest.approx(1e-3 * contender.kernels)
        assert (contender.registers, contender.spills) == (40, 4 * len(makers(chain, channels, name)))
    assert made.stream.median > 0
    assert [each.batch for each in made.latencies] == [1, 2]
    assert all(2 <= each.count <= 4 for each in made.latencies)
    if chain == "seed":  # bytes in, mask out, and the state each way once a batch
        assert made.floor == 44 * 36 * (2 * (channels + 1) + 8)


def makers(chain: str, channels: int, name: str) -> list[Any]:
    """The programs of a contender."""
    clip = np.zeros((2, 36, 44, channels) if channels > 1 else (2, 36, 44), np.uint8)
    bound = bound_to(CHAINS[chain].pipeline(36), clip)
    if name in (FUSED, FUSED_GRAPH):
        return list(largest_groups(bound, bound.taps))
    return [node for node in bound.nodes if channels > 1 or node.id != "gray"]  # gray of mono frames is the frames


def test_a_library_that_fails_costs_nobody_else() -> None:
    made = GpuMeasurement(rig_of(ApartDevice(1), peers=False), CHAINS["unsharp"], Case(30, 20, 1, 2))
    made.contenders["theirs"] = type(made.contenders[FUSED])(lambda _: 1 / 0, lambda: np.zeros(1))
    done = made.result(1e-3, LIMITS)
    assert done.of("theirs") is None
    assert "theirs fails with ZeroDivisionError" in done.left_out[0]
    assert len(done.contenders) == 4


def test_a_wrong_output_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = GpuMeasurement(rig_of(ApartDevice(1), peers=False), CHAINS["seed"], Case(40, 32, 1, 2))
    made.wanted[-1, 3, 3] ^= 255
    found = made.check()
    assert all(wrong and share == pytest.approx(1 / (2 * 40 * 32)) for share, wrong in found.values())


def test_states_go_on_from_batch_to_batch_and_sources_rotate() -> None:
    device = ApartDevice(2)
    rng = np.random.default_rng(1)
    clips = [rng.integers(0, 256, (2, 20, 24), dtype=np.uint8) for _ in range(3)]
    bound = bound_to(CHAINS["background"].pipeline(20), clips[0])
    groups = largest_groups(bound, bound.taps)
    chain = DeviceChain(device, bound, groups, rig_of(device).compile, [Held(c.reshape(-1).copy()) for c in clips], 2)
    stream, clock = device.stream(), Ticking(device)
    program = executor("reference").compile(chain.links[0].unit.body)
    ref = CHAINS["background"].ref
    for k in range(5):
        clock.seconds(chain.enqueue, stream)
        wanted = next(iter(program.run([clips[k % 3]], {}).values()))
        found = chain.result(ref, bound.types[ref])  # type: ignore[arg-type]
        np.testing.assert_array_equal(found.astype(bool), wanted)
    assert (GRAPH % 2, CHECKED > GRAPH) == (0, True)


def test_tables_are_not_timed() -> None:
    bound = bound_to(CHAINS["features"].pipeline(64), np.zeros((1, 64, 64), np.uint8))
    with pytest.raises(DefinitionError, match="makes tables"):
        DeviceChain(ApartDevice(), bound, largest_groups(bound, bound.taps), rig_of(ApartDevice()).compile, [], 1)


@pytest.fixture
def with_gpu(monkeypatch: pytest.MonkeyPatch) -> ApartDevice:
    device = ApartDevice(3)
    rig = rig_of(device, peers=False)
    monkeypatch.setattr(bench_gpu, "cuda_rig", lambda _: (rig, SimpleNamespace(), ("no peers",)))
    monkeypatch.setattr(bench_gpu, "gpu_facts", lambda _: FACTS)
    monkeypatch.setattr(bench_gpu, "calibrate_gpu", lambda *_: GpuCalibration(1e12, 2.5e10, 2.4e10, 4e-6, 0.0))
    monkeypatch.setattr(bench_gpu, "FRAMES", ((28, 20),))
    return device


def test_the_command(with_gpu: ApartDevice, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "gpu.json"
    short = ["--batch", "2", "--seconds", "0.001"]
    assert main(["bench", "--device", "cuda", "--report", *short, "--json", str(out)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("fusetrack ")
    assert said.count("goal fused over unfused >=") == 2  # mono and RGBA
    assert "left out: no peers" in said
    written = json.loads(out.read_text())
    assert written["gpu"] == FACTS
    assert [r["case"]["channels"] for r in written["results"]] == [1, 4]
    assert main(["bench", "unsharp", "--device", "cuda:0", "--size", "32", *short]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0] == "Imaginary GPU (sm_90), driver 580.65.06"
    assert said.count("unsharp: 32x32 mono u8, 2 frames a batch") == 1  # it takes no RGBA
    assert "RGBA" not in said


def test_what_was_measured_before_the_gpu_failed_is_printed(
    with_gpu: ApartDevice, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(*_: Any) -> Any:
        yield result()
        raise RuntimeError("cudaErrorIllegalAddress:\nan illegal memory access")

    monkeypatch.setattr(bench_gpu, "_measured", measured)
    assert main(["bench", "--device", "cuda", "--report"]) == 2
    captured = capsys.readouterr()
    assert "goal fused over unfused >= 3: 5.00, reached" in captured.out
    assert "the GPU cannot be used: RuntimeError: cudaErrorIllegalAddress: an illegal memory access" in captured.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["features"], "features is not timed on a GPU"),
        (["--pin"], "--pin is for the processor"),
        (["--plot", "x.png"], "--plot is for the processor"),
        (["--size", "4"], "--size takes 16 to 8192"),
        (["--batch", "0"], "--batch takes 1 to 1024"),
    ],
)
def test_what_is_wrong_is_said(
    with_gpu: ApartDevice, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *words, "--device", "cuda"]) == 2
    assert said in capsys.readouterr().err


def test_without_a_gpu_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(_: int) -> None:
        raise DefinitionError("there is no NVIDIA GPU in this machine; use --device cpu")

    monkeypatch.setattr(bench_gpu, "cuda_rig", refuse)
    assert main(["bench", "--device", "cuda", "--report"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "fusetrack: there is no NVIDIA GPU in this machine; use --device cpu\n"
    assert captured.out == ""
    assert main(["bench", "--report"]) == 2
    assert "--report belongs to --device cuda" in capsys.readouterr().err
    assert main(["bench", "--device", "auto"]) == 2
