"""`--device auto` on machines whose GPU, driver or CuPy cannot be used: the processor runs, and one clause says why."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kernels.errors import DefinitionError, InputError
from kernels.executors import cuda_device
from pipelines.graph import Bound
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.choice import choose
from tests.kernels.executors.strict_cupy import runtime_error
from tests.kernels.executors.timed_cupy import TimedCupy, installed
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.shipped import fixed


@pytest.fixture
def bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bound:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    return prepare(fixed("blobs"), MemoryClip(moving_spots(4, 32)))


@pytest.fixture
def cupy(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> Iterator[TimedCupy]:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object() if name == "cupy" else real(name))
    with installed() as made:
        yield made


CALLS = ("getDeviceCount", "getDeviceProperties", "deviceGetAttribute", "driverGetVersion")
SAID = {
    "InsufficientDriver": "too old",
    "NoDevice": "finds none|does not find",
    "MemoryAllocation": "not enough memory|MemoryAllocation",
    "IllegalAddress": "stopped working|IllegalAddress",
    "DevicesUnavailable": "taken by another program|DevicesUnavailable",
    "Unknown": "stopped working|Unknown",
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", SAID)
def test_a_driver_that_says_no(
    bound: Bound, cupy: TimedCupy, monkeypatch: pytest.MonkeyPatch, call: str, name: str
) -> None:
    def refuse(*_: Any) -> Any:
        raise runtime_error(name)

    monkeypatch.setattr(cupy.cuda.runtime, call, refuse)
    made = choose("auto", bound, bound.taps, 16)
    assert (made.device, made.executor.name) == ("cpu", "cpu")
    assert "\n" not in made.why
    assert not made.why.endswith((";", ",", "or", "--device cpu"))  # no advice to do what is done
    for device in ("cuda", "cuda:0"):  # what is named is not replaced
        with pytest.raises(InputError, match=SAID[name]) as caught:
            choose(device, bound, bound.taps, 16)
        assert "\n" not in str(caught.value)
        assert "--device cpu" in str(caught.value)


def test_no_gpu_in_the_machine(bound: Bound, cupy: TimedCupy) -> None:
    cupy.count = 0
    assert choose("auto", bound, bound.taps, 16).why == "there is no NVIDIA GPU in this machine"
    with pytest.raises(DefinitionError, match="there is no NVIDIA GPU in this machine; use --device cpu"):
        choose("cuda", bound, bound.taps, 16)


def test_a_gpu_with_a_number_that_is_not_there(bound: Bound, cupy: TimedCupy) -> None:
    with pytest.raises(DefinitionError, match="no GPU number 1; there is 1"):
        choose("cuda:1", bound, bound.taps, 16)


def test_a_cupy_that_does_not_load(bound: Bound, cupy: TimedCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_device, "cupy", None)
    monkeypatch.setattr(cuda_device, "_MISSING", "ImportError: libnvrtc.so.13: cannot open shared object file")
    made = choose("auto", bound, bound.taps, 16)
    assert made.device == "cpu"
    assert "CuPy, which does not load (ImportError: libnvrtc.so.13" in made.why
