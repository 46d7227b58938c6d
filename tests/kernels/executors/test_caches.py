"""The caches of a processor, as Linux says it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kernels.executors import placement
from kernels.executors.calibration import identity
from kernels.executors.networks import core_here
from kernels.executors.placement import Cache, caches, first_cache, own_cache, read_caches, shared_cache, shared_part
from pipelines.planning.devices import find_device, measured_cpu


def written(folder: Path, *found: tuple[int, str, str, str]) -> Path:
    """Files of (level, type, size, processors that share it)."""
    for number, (level, kind, size, sharing) in enumerate(found):
        cache = folder / f"index{number}"
        cache.mkdir()
        for name, text in (("level", str(level)), ("type", kind), ("size", size), ("shared_cpu_list", sharing)):
            (cache / name).write_text(text + "\n", "ascii")
    return folder


@pytest.mark.parametrize(("first", "second", "own", "third", "part"), [
    ("0", "0", 2 << 20, "0-6", 15 << 19),  # cores of one thread
    ("0,64", "0,64", 2 << 20, "0-6,64-70", 15 << 19),  # of two
    ("4", "4-7", 512 << 10, "4-6", 35 << 19),  # four cores share it
    ("0-1", "0-3,8-11", 512 << 10, "0-1", 105 << 19),  # four of two threads
])  # fmt: skip
def test_of_what_cores_share_each_has_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str, own: int, third: str, part: int
) -> None:
    found = read_caches(written(tmp_path, (1, "Data", "48K", first), (1, "Instruction", "32K", first),
                                (2, "Unified", "2048K", second), (3, "Unified", "105M", third)))  # fmt: skip
    monkeypatch.setattr(placement, "caches", lambda: found)
    assert (first_cache(), own_cache(), shared_cache(), shared_part()) == (48 << 10, own, 105 << 20, part)
    assert core_here().last == part


def test_what_the_system_does_not_say_has_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_caches(tmp_path / "none") == {}
    assert read_caches(written(tmp_path, (1, "Data", "", "0"), (2, "Unified", "512K", "zero"))) == {}
    monkeypatch.setattr(placement, "caches", lambda: {2: Cache(3 << 20)})
    assert (first_cache(), own_cache(), shared_cache(), shared_part()) == (48 << 10, 3 << 20, 32 << 20, 16 << 20)


@pytest.mark.skipif(not Path("/sys/devices/system/cpu/cpu0/cache/index0/size").exists(), reason="Linux does not say")
def test_here_it_is_what_linux_says() -> None:
    assert sys.platform == "linux"
    first = caches()[1]
    assert first_cache() == first.size
    assert 16 << 10 <= first.size <= 256 << 10
    assert first.size <= caches().get(2, first).part


def test_plans_and_what_was_measured_go_by_the_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))  # nothing was measured
    before = identity(1)
    monkeypatch.setattr(placement, "caches", lambda: {2: Cache(3 << 20)})
    assert measured_cpu(1).near_bytes == 3 << 20
    assert find_device("cpu") == find_device("this-cpu")
    assert find_device("cpu").near_bytes == 3 << 20
    assert identity(1) != before
