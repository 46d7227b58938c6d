"""Calibration: its arithmetic with made-up times, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernels.executors import calibration as module
from kernels.executors.calibration import Calibration, Sample, calibrate, evaluated, keep, kept, outdated
from kernels.executors.measurement_cache import MeasurementCache
from kernels.executors.microbenchmarks import COPIES, MB, TAPS, probes
from kernels.ir.body import Body

AMOUNTS = {"launch": 1.0, "rows": 1000.0, "f32": 8e6, "i32": 8e6, "i16": 4e6, "looks": 2.4e6, "macs": 5e6,
           "macs int8": 5e6, "dram": 128.0 * MB,
           **{f"copy {size}": float(size * MB) for size in COPIES}}  # fmt: skip
LAUNCH = 5e-6


def samples(
    threads: int, *, held: int = 16, spread: float = 0.1, cache: float = 80e9, dram: float = 20e9
) -> dict[str, Sample]:
    """Of a machine with round figures; copies of up to `held` MB run at the cache's speed."""
    seconds = {"launch": 0.0, "rows": 1000 * 4e-9 / threads, "f32": 8e6 / (100e9 * threads), "i32": 8e6 / 200e9,
               "i16": 4e6 / (25e9 * threads), "macs": 5e6 / (50e9 * threads), "macs int8": 5e6 / (150e9 * threads),
               "dram": AMOUNTS["dram"] / dram}  # fmt: skip
    seconds["looks"] = 2.4e6 * 4 / 400e9 + 2.4e6 * (TAPS - 2) / TAPS / (100e9 * threads)
    for size in COPIES:
        seconds[f"copy {size}"] = size * MB / (cache if size <= held else dram)
    low = {name: LAUNCH + value for name, value in seconds.items()}
    return {name: Sample(s * (1 + spread / 2), s, s * (1 + spread / 2) + s * spread / 2) for name, s in low.items()}


def test_the_figures_are_those_of_the_machine() -> None:
    made = evaluated({1: samples(1), 4: samples(4)}, AMOUNTS)
    device = made.device
    assert (device.name, device.kind, device.units, device.origin) == ("this-cpu", "cpu", 4, "measured")
    assert device.launch == pytest.approx(LAUNCH)
    assert device.row == pytest.approx(4e-9)  # of one core, however many work
    assert device.rate == pytest.approx((400e9 * 100e9) ** 0.5)
    assert device.macs == pytest.approx(200e9)
    assert device.macs_int8 == pytest.approx(600e9)
    assert device.near == pytest.approx(400e9)
    assert device.cache == pytest.approx(80e9)
    assert device.dram == pytest.approx(20e9)
    assert device.cache_bytes == 16 * MB
    assert [f.threads for f in made.figures] == [1, 4]
    assert made.figures[0].f32 == pytest.approx(100e9)
    assert made.steady
    assert made.remark == ""


def test_a_machine_without_a_shared_cache() -> None:
    made = evaluated({1: samples(1, cache=22e9, held=64)}, AMOUNTS)
    assert made.device.cache_bytes == 0
    assert made.device.units == 1


def test_nonsense_times_give_no_nonsense_figures() -> None:
    """A probe of calls that was disturbed: nothing becomes negative or infinite."""
    disturbed = {**samples(2), "launch": Sample(1.0, 1.0, 1.0)}
    device = evaluated({2: disturbed}, AMOUNTS).device
    assert 0 < device.dram <= device.cache <= device.near < 1e15
    assert 0 < device.rate < 1e15


def test_a_busy_machine_is_said() -> None:
    made = evaluated({1: samples(1, spread=0.8)}, AMOUNTS)
    assert not made.steady
    assert "the machine was busy" in made.remark


class FakeClock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class FakeExecutor:
    """Every call of a body takes as long as the table says."""

    name = "fake"

    def __init__(self, clock: FakeClock, seconds: Mapping[int, float], calls: list[int]) -> None:
        self.clock, self.seconds, self.calls, self.compiled = clock, seconds, calls, -1

    def compile(self, body: Body) -> Any:
        assert body.outputs[0].planes
        self.compiled += 1
        return FakeProgram(self, self.compiled)


class FakeProgram:
    def __init__(self, owner: FakeExecutor, number: int) -> None:
        self.owner, self.number = owner, number

    def run(self, inputs: Sequence[Any], params: Mapping[str, Any]) -> dict[str, Any]:
        assert inputs[0].shape[0] >= 1
        assert not params
        self.owner.calls.append(self.number)
        self.owner.clock.now += self.owner.seconds[self.number]
        return {}


def test_probes_take_turns_and_report_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "dram_bytes", lambda: 128 * MB)
    clock, shares, calls = FakeClock(), list[float](), list[int]()
    wanted = probes(128 * MB)
    seconds = {i: 0.02 + 0.001 * i for i in range(len(wanted))}
    made = calibrate(1, shares.append, make=lambda _: FakeExecutor(clock, seconds, calls), clock=clock, rounds=3)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert made.figures[0].launch == pytest.approx(seconds[0])
    assert made.spread == pytest.approx(0.0, abs=1e-9)
    turns = calls[2 * len(wanted) :]  # after each probe's own warming up: one call to warm, one to time
    assert turns[: 2 * len(wanted)] == [i for i in range(len(wanted)) for _ in range(2)]


@pytest.fixture
def made() -> Calibration:
    return evaluated({1: samples(1), 4: samples(4)}, AMOUNTS)


def test_what_is_kept_comes_back(tmp_path: Path, made: Calibration) -> None:
    store = MeasurementCache(tmp_path / "new" / "folder")
    assert kept(4, store) == (None, "")
    assert keep(made, store) == made
    assert kept(4, store) == (made, "")
    assert kept(2, store) == (None, "")  # another number of threads is another machine


def test_what_was_measured_otherwise_is_not_used_silently(tmp_path: Path, made: Calibration) -> None:
    """A file of a version that did not know caches, and one of the same processor with other ones."""
    store = MeasurementCache(tmp_path)
    assert outdated(4, store) == ""  # nothing was measured at all
    keep(made, store)
    assert outdated(4, store) == ""
    assert outdated(2, store) == ""  # of two threads nothing was
    (file,) = tmp_path.iterdir()
    entry = json.loads(file.read_text("utf-8"))
    without = {key: value for key, value in entry["about"].items() if key != "caches"}
    for about, why in (({**without, "caches": [1, 2, 3]}, "with other caches"), (without, "did not note caches")):
        for old in tmp_path.iterdir():
            old.unlink()
        store.put("device", about, entry["facts"])
        assert kept(4, store) == (None, "")
        said = outdated(4, store)
        assert why in said
        assert said.startswith(str(store.path("device", about)))
        assert said.endswith("measure again: fusetrack doctor --calibrate")
    store.put("device", {**entry["about"], "cpu": "m68k"}, entry["facts"])
    assert "did not note" in outdated(4, store)  # another processor's is nobody's business


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text[: len(text) // 2], "since it is damaged"),
        (lambda text: "[]", "since it is damaged"),
        (lambda text: text.replace('"dram": 2', '"dram": -2'), "since it is damaged"),
        (lambda text: text.replace('"units": 4', '"units": 5'), "since it is damaged"),
        (lambda text: text.replace('"dram"', '"drum"'), "since it is damaged"),
        (lambda text: text.replace('"format": 1', '"format": 0'), "another version"),
        (lambda text: json.dumps({**json.loads(text), "about": {"cpu": "m68k"}}), "another machine"),
    ],
)
def test_a_file_that_cannot_be_used_is_ignored(tmp_path: Path, made: Calibration, damage: Any, said: str) -> None:
    store = MeasurementCache(tmp_path)
    keep(made, store)
    (file,) = tmp_path.iterdir()
    file.write_text(damage(file.read_text("utf-8")), "utf-8")
    found, remark = kept(4, store)
    assert found is None
    assert str(file) in remark
    assert said in remark
    assert keep(replace(made), store) == made  # and is replaced
    assert kept(4, store) == (made, "")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, made: Calibration) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    told = keep(made, MeasurementCache(tmp_path / "file"))
    assert told.device == made.device
    assert "is not kept" in told.remark
    assert "FUSETRACK_CACHE" in told.remark
