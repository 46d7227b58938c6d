"""Programs on disk: found again without lowering, never trusted from others, bounded, safe among processes."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.vector import generate
from kernels.executors import cpu, manifest, networks
from kernels.executors.cache import ObjectCache, cache_folder
from kernels.executors.cpu import CpuExecutor
from kernels.executors.frozen import frozen, thawed
from kernels.executors.machine import Machine
from kernels.executors.manifest import Manifest, generator, key_of, pack, unpack
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.lower import lower
from kernels.fusion.normal import Unsupported, normalise
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, convert
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.planes import input_plane
from kernels.ir.table import Candidates, Column, Reduction, Regions, table_type
from kernels.ir.volumes import Contract, Weights, contract, stack
from tests.patience import PATIENCE
from tests.strategies import bodies, clips, same

SIZE = (2, 3)
CLIP = [np.ones((1, *SIZE), np.uint8)]
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are POSIX's")


def body_of(number: int) -> Body:
    return Body((ImageType(U8, *SIZE),), outputs(input_plane(0, 0, U8, SIZE) + const(number)), {}, {})


def outputs(*planes: Expr) -> tuple[Output, ...]:
    return tuple(Output(f"out{i}", ImageType(p.dtype, *SIZE), (p,)) for i, p in enumerate(planes))


@pytest.fixture
def compiled(tmp_path, monkeypatch) -> list[str]:
    """A folder of its own, and what is lowered and what is compiled from here on."""
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    events: list[str] = []
    original, lowering = Machine.compile, cpu.lower
    monkeypatch.setattr(Machine, "compile", lambda self, text: events.append("compile") or original(self, text))
    monkeypatch.setattr(cpu, "lower", lambda *given: events.append("lower") or lowering(*given))
    return events


def run(made: CpuExecutor) -> int:
    return int(made.compile(body_of(5)).run(CLIP, {})["out0"][0, 0, 0])


def test_what_was_compiled_is_neither_lowered_nor_compiled_again(compiled, tmp_path):
    assert run(CpuExecutor(threads=1)) == 6
    assert compiled == ["compile", "lower", "compile"]  # the threads' code, the program
    compiled.clear()
    assert run(CpuExecutor(threads=2)) == 6
    assert compiled == []
    assert {f.suffix for f in cache_folder().iterdir()} == {".o"}


def test_damage_is_noticed_and_mended(compiled):
    made = CpuExecutor(threads=1)
    (threads,) = cache_folder().iterdir()
    run(made)
    (file,) = set(cache_folder().iterdir()) - {threads}
    whole = file.read_bytes()
    flipped = bytes([whole[60] ^ 1])
    for damaged in (whole[:-1], b"", whole[:60] + flipped + whole[61:], whole[:30]):
        compiled.clear()
        file.write_bytes(damaged)
        assert (run(made), compiled) == (6, ["lower", "compile"])
        assert file.read_bytes() == whole
    for strange in (b"", b"{}", pack(Manifest((), (), (), (), True, (), ()), b"")[:9], b"\1\0\0\0\0\0\0\0{"):
        ObjectCache().put(file.stem, strange)  # whole, but no program
        compiled.clear()
        assert (run(made), compiled) == (6, ["lower", "compile"])


def network_body(size: tuple[int, int]) -> Body:
    """A layer over an image of two channels that the image pass makes."""
    planes = [convert(input_plane(0, 0, U8, size), F32) * k for k in (1.0, 2.0)]
    how = Contract(Weights(np.ones((8, 1, 1, 2), np.float32)), size)
    made = contract(stack(planes), const(0.5, F32), how)
    return Body((ImageType(U8, *size),), (Output("out", ImageType(F32, *size, 8), (made,)),), {}, {})


def test_networks_are_neither_lowered_nor_packed_again(compiled, monkeypatch):
    body, clip = network_body((4, 5)), [np.ones((3, 4, 5), np.uint8)]
    lowering = networks.lower_layers
    monkeypatch.setattr(networks, "lower_layers", lambda *given: compiled.append("layers") or lowering(*given))

    def made(threads: int = 2) -> list[str]:
        compiled.clear()
        found = CpuExecutor(threads=threads).compile(body)
        assert found.back_end == "cpu"
        assert (found.run(clip, {})["out"] == 3.5).all()
        return [*compiled]

    CpuExecutor(threads=1)
    assert made() == ["layers", "compile", "lower", "compile"]  # rows of layers, then the image pass
    before = set(cache_folder().iterdir())
    assert made() == []
    assert made(threads=1) == ["layers"]  # other tables for other threads, but the same machine code
    (plan,) = set(cache_folder().iterdir()) - before
    whole = plan.read_bytes()
    plan.write_bytes(whole[:-1])
    assert made(threads=1) == ["layers"]
    assert plan.read_bytes() == whole
    for strange in (b"", b"\0" * 64, frozen((1, 2)), b"\1" + b"\0" * 127):
        ObjectCache().put(plan.stem, strange)  # whole, but no network
        assert made(threads=1) == ["layers"]
    for file in before:
        file.unlink()
    assert made(threads=1) == ["compile", "layers", "compile", "lower", "compile"]  # the threads' code, first


def test_frozen_values_are_looked_at_where_they_lie():
    arrays = np.arange(7, dtype=np.int16), np.zeros((0, 3), np.float32), np.arange(6.0).reshape(2, 3).T
    block = memoryview(frozen({"arrays": arrays, "rest": ("text", 5)}))
    assert len(block) % 64 == 0
    found = thawed(block)
    assert found["rest"] == ("text", 5)
    for array, other in zip(arrays, found["arrays"], strict=True):
        assert array.dtype == other.dtype
        assert np.array_equal(array, other)
        assert not array.size or np.shares_memory(other, np.frombuffer(block, np.uint8))


@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_programs_from_disk_are_the_same_programs(data, tmp_path_factory):
    body = data.draw(bodies())
    try:
        rows = lower(body)
    except Unsupported:
        return
    manifest = Manifest.of(normalise(body), rows, generate(body, rows))
    assert unpack(pack(manifest, b"code")) == (manifest, b"code")
    folder = tmp_path_factory.mktemp("cache")
    made = CpuExecutor(threads=2, cached=False)
    made.cache = ObjectCache(folder)
    clip = data.draw(clips(body, 3))
    wanted = ReferenceProgram(body).run(clip, {})
    for _ in range(2):
        result = made.compile(body).run(clip, {})
        assert all(same(result[name], wanted[name]) for name in wanted)
    assert len(list(folder.iterdir())) == 1


def test_keys_tell_apart_whatever_the_code_depends_on(monkeypatch):
    x = input_plane(0, 0, U8, SIZE)
    gain = Expr("param", (), "gain", F32, None)
    image = ImageType(U8, *SIZE)
    one = Body((image,), outputs(x + 1), {}, {})
    table = Reduction(Regions(), (Column("n", "max", x + 1),))
    several = [
        one,
        Body((image,), outputs(x + 2), {}, {}),
        Body((image,), outputs(x + 1, x + 1), {}, {}),
        Body((image, image), outputs(x + 1), {}, {}),
        Body((ImageType(U8, *SIZE, 3),), outputs(x + 1), {}, {}),
        Body((image,), (Output("out0", ImageType(U8, *SIZE, 2), (x, x)),), {}, {}),
        Body((image,), outputs(x, x), {}, {}),
        Body((image,), outputs(x * gain), {"gain": F32}, {"gain": 1.0}),
        Body((image,), (Output("t", table_type(table, SIZE), table=table),), {}, {}),
        *(Body((image,), (Output("t", table_type(c, SIZE), table=c),), {}, {})
          for c in (Candidates(x > 1, (), 4), Candidates(x > 1, (), 5))),
    ]  # fmt: skip
    keys = [key_of(body, ("here",)) for body in several]
    assert len(set(keys)) == len(keys)
    assert key_of(one, ("there",)) != keys[0] == key_of(body_of(1), ("here",))
    assert key_of(replace(several[7], params={"gain": 2.0}), ("here",)) == keys[7]  # an argument of the code
    monkeypatch.setattr("kernels.executors.manifest.generator", lambda: "another")
    assert key_of(one, ("here",)) != keys[0]


def test_no_key_without_the_generators_source(monkeypatch, compiled):
    assert len(generator()) == 64
    for module in ("manifest", "cpu"):
        monkeypatch.setattr(f"kernels.executors.{module}.generator", lambda: "")
    assert run(CpuExecutor(threads=1)) == 6
    assert list(cache_folder().iterdir()) == []


def test_a_program_that_is_updated_while_it_runs_compiles_under_a_name_of_its_own(monkeypatch):
    path = Path(manifest.__file__)
    anew = generator.__wrapped__
    assert anew() == generator()
    with monkeypatch.context() as context:  # it is not known whether what runs is what the file holds by now
        context.setattr(manifest, "BEGAN", path.stat().st_ctime - 5.0)
        own = anew()
        assert own != generator()
        assert own == anew()
        context.setattr("os.getpid", lambda: 1)
        assert anew() not in (own, generator())
    monkeypatch.setattr(manifest, "BEGAN", path.stat().st_ctime + 1e6)
    assert anew() == generator()


@posix
def test_folders_that_others_can_write_are_refused(compiled):
    made = CpuExecutor(threads=1)
    assert (made.remarks, run(made)) == ([], 6)
    cache_folder().chmod(0o777)
    compiled.clear()
    made = CpuExecutor(threads=1)
    assert run(made) == 6
    assert compiled == ["compile", "lower", "compile"]
    (remark,) = made.remarks
    assert str(cache_folder()) in remark
    assert "can be written by others" in remark
    assert "$FUSETRACK_CACHE" in remark
    cache = ObjectCache()
    cache.put("key", b"object")
    assert not (cache.folder / "key.o").exists()


@posix
def test_what_others_own_is_refused(tmp_path, monkeypatch):
    cache = ObjectCache(tmp_path / "cache")
    cache.put("key", b"object")
    assert cache.folder.stat().st_mode & 0o777 == 0o700
    assert (cache.folder / "key.o").stat().st_mode & 0o777 == 0o600
    assert cache.get("key") == b"object"
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    if cache.folder.stat().st_uid:  # the administrator's are everybody's
        assert cache.get("key") is None
        assert "belongs to somebody else" in ObjectCache(cache.folder).refusal
    else:
        os.chown(cache.folder / "key.o", 4712, -1)
        assert cache.get("key") is None
        os.chown(cache.folder, 4712, -1)
        assert "belongs to somebody else" in ObjectCache(cache.folder).refusal


@posix
def test_files_that_others_can_write_are_not_read(tmp_path):
    cache = ObjectCache(tmp_path)
    tmp_path.chmod(0o700)
    cache = ObjectCache(tmp_path)
    cache.put("key", b"object")
    (tmp_path / "key.o").chmod(0o620)
    assert cache.get("key") is None


def test_the_least_recently_used_goes_first(tmp_path):
    cache = ObjectCache(tmp_path / "cache", limit=10_000)
    for i in range(8):
        cache.put(f"k{i}", bytes(1000))
        os.utime(cache.folder / f"k{i}.o", (1000 + i, 1000 + i))
    assert cache.get("k0") is not None  # used now
    for name in ("a", "b"):
        cache.put(name, bytes(1000))
    left = {f.stem for f in cache.folder.iterdir()}
    assert {"k0", "a", "b"} <= left
    assert left - {"k0", "a", "b"} == {f"k{i}" for i in range(8 - (len(left) - 3), 8)}
    assert sum(f.stat().st_size for f in cache.folder.iterdir()) <= 10_000
    dead, alive = cache.folder / "dead.part", cache.folder / "alive.part"
    for file, age in ((dead, 7200), (alive, 10)):
        file.write_bytes(b"")
        os.utime(file, (time.time() - age,) * 2)
    cache.trim()
    assert not dead.exists()
    assert alive.exists()


def churn(folder, number: int) -> None:
    cache = ObjectCache(folder, limit=30_000)
    for i in range(60):
        name = f"k{(7 * i + number) % 20}"
        cache.put(name, name.encode() * 1000)
        for k in range(20):
            found = cache.get(f"k{k}")
            assert found is None or found == f"k{k}".encode() * 1000


def test_processes_share_a_folder(tmp_path):
    """Three write, read and remove the same files; a wrong block or an exception ends one with an error."""
    folder = tmp_path / "cache"
    work = multiprocessing.get_context("spawn")
    others = [work.Process(target=churn, args=(folder, n)) for n in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join(PATIENCE)
    assert [other.exitcode for other in others] == [0, 0, 0]
    assert not list(folder.glob("*.part"))
    assert sum(f.stat().st_size for f in folder.iterdir()) <= 30_000


def test_a_folder_that_cannot_be_costs_nothing_but_time(tmp_path, monkeypatch):
    nowhere = tmp_path / "a file"
    nowhere.write_text("")
    cache = ObjectCache(nowhere)
    cache.put("key", b"object")
    assert cache.get("key") is None
    monkeypatch.setenv("FUSETRACK_CACHE", str(nowhere))
    assert run(CpuExecutor(threads=1)) == 6
