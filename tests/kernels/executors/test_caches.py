"""The caches of a processor, as Linux says it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kernels.executors import placement
from kernels.executors.calibration import identity
from kernels.executors.placement import caches, first_cache, own_cache, read_caches, shared_cache
from pipelines.planning.devices import find_device, measured_cpu


def written(folder: Path, *found: tuple[int, str, str, str]) -> Path:
    """Files of (level, type, size, processors that share it)."""
    for number, (level, kind, size, sharing) in enumerate(found):
        cache = folder / f"index{number}"
        cache.mkdir()
        for name, text in (("level", str(level)), ("type", kind), ("size", size), ("shared_cpu_list", sharing)):
            (cache / name).write_text(text + "\n", "ascii")
    return folder


@pytest.mark.parametrize(("first", "second", "own"), [
    ("0", "0", 2 << 20),  # a core of one thread
    ("0,64", "0,64", 2 << 20),  # of two
    ("4", "4-7", 512 << 10),  # four cores share it
    ("0-1", "0-3,8-11", 512 << 10),  # four of two threads
])  # fmt: skip
def test_of_a_second_cache_each_core_has_its_part(tmp_path: Path, first: str, second: str, own: int) -> None:
    found = read_caches(written(tmp_path, (1, "Data", "48K", first), (1, "Instruction", "32K", first),
                                (2, "Unified", "2048K", second), (3, "Unified", "105M", "0-63")))  # fmt: skip
    assert found == {1: 48 << 10, 2: own, 3: 105 << 20}


def test_what_the_system_does_not_say_has_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_caches(tmp_path / "none") == {}
    assert read_caches(written(tmp_path, (1, "Data", "", "0"), (2, "Unified", "512K", "zero"))) == {}
    monkeypatch.setattr(placement, "caches", lambda: {2: 3 << 20})
    assert (first_cache(), own_cache(), shared_cache()) == (48 << 10, 3 << 20, 32 << 20)


@pytest.mark.skipif(not Path("/sys/devices/system/cpu/cpu0/cache/index0/size").exists(), reason="Linux does not say")
def test_here_it_is_what_linux_says() -> None:
    assert sys.platform == "linux"
    assert first_cache() == caches()[1]
    assert 16 << 10 <= caches()[1] <= 256 << 10
    assert caches()[1] <= caches().get(2, caches()[1])


def test_plans_and_what_was_measured_go_by_the_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))  # nothing was measured
    before = identity(1)
    monkeypatch.setattr(placement, "caches", lambda: {2: 3 << 20})
    assert measured_cpu(1).near_bytes == 3 << 20
    assert find_device("cpu") == find_device("this-cpu")
    assert find_device("cpu").near_bytes == 3 << 20
    assert identity(1) != before
