"""Networks of our own, run by every engine that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

import numpy as np
import pytest

from app.benchmark.networks.comparison import TOLERANCE, difference
from app.benchmark.networks.contender import PEERS, Contender, Worker
from app.benchmark.networks.made import MADE
from app.benchmark.networks.peers import fusetrack
from app.benchmark.networks.peers.base import Network, Prepared
from app.benchmark.networks.process import IN, OUT
from app.benchmark.networks.subject import Subject, subject
from kernels.errors import DefinitionError
from kernels.networks.onnx_writer import model, node
from kernels.opencv import cv2
from tests.app.benchmark.networks.rig import write_doubling
from tests.patience import PATIENCE

MACS = {"dwpw-128x32-64": 38_273_024, "pwdw-128x32-64": 42_991_616, "pwpw-64x64-128-64": 67_108_864,
        "siblings-3a": 26_492_928, "blazeface-like": 30_760_960, "dwpw-128x32-64-int8": 38_273_024}  # fmt: skip
"""Height x width x features x taps x channels of a group, by hand; BlazeFace's are those of its authors' file."""


@pytest.fixture(autouse=True)
def _threads_of_opencv() -> Iterator[None]:
    before = cv2.getNumThreads()
    yield
    cv2.setNumThreads(before)


def made_network(name: str, folder) -> Subject:
    file = folder / f"{name}.onnx"
    file.write_bytes(MADE[name]())
    return subject(file, name, 64)


def network_of(one: Subject, folder) -> Network:
    return Network(one.file, 1, one.inputs, one.outputs, folder)


def run(prepared: Prepared, one: Subject) -> list[np.ndarray]:
    prepared.run()
    found = prepared.outputs()
    return [np.asarray(found[name]) for name in one.outputs]


@pytest.mark.parametrize("name", sorted(MADE))
def test_networks_are_what_they_are_called(name, tmp_path):
    one = made_network(name, tmp_path)
    assert one.why == ""
    assert one.kind == ("int8" if name.endswith("int8") else "f32")
    assert one.macs == MACS.get(name, one.macs) > 1e7
    assert MADE[name]() == one.file.read_bytes()  # the same weights every time


@pytest.fixture(scope="module")
def workers() -> Iterator[Callable[[Contender], Worker]]:
    """A process of each engine, as in the bench: what an engine does to its process (OpenVINO: Ctrl-C ends it) is not
    to reach other tests."""
    made: dict[str, Worker] = {}
    yield lambda peer: made.setdefault(peer.name, Worker(peer, 1))
    for worker in made.values():
        worker.close()


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
@pytest.mark.parametrize("name", ["blazeface-like", "siblings-3a", "inverted-28x32", "unet-96"])
def test_all_engines_agree(name, peer, tmp_path, workers):
    if peer.why_absent:
        pytest.skip(peer.why_absent)
    one = made_network(name, tmp_path)
    wanted = run(fusetrack.prepare(network_of(one, tmp_path)), one)
    np.savez(tmp_path / IN, *one.inputs.values())
    order = {"do": "open", "module": peer.module, "file": str(one.file), "threads": 1, "folder": str(tmp_path),
             "inputs": list(one.inputs), "outputs": list(one.outputs)}  # fmt: skip
    workers(peer).ask(order, PATIENCE)
    with np.load(tmp_path / OUT) as found:
        assert difference([found[key] for key in found.files], wanted) < TOLERANCE["f32"]


def test_what_only_the_reference_runs_is_refused(tmp_path, monkeypatch):
    class Reference:
        reason = "layers hold whole numbers"

    class Device:
        def compile(self, body: object) -> Reference:
            return Reference()

    monkeypatch.setattr(fusetrack, "executor", lambda name, threads: Device())
    one = subject(write_doubling(tmp_path / "twice.onnx"), "twice", 16)
    with pytest.raises(DefinitionError, match="only the reference runs it, which is not timed: layers hold whole"):
        fusetrack.prepare(network_of(one, tmp_path))


def test_fast_is_refused_where_it_is_nothing_else(tmp_path):
    fast = import_module("app.benchmark.networks.peers.fast")
    one = made_network("unet-96", tmp_path)
    found, wanted = (run(module.prepare(network_of(one, tmp_path)), one) for module in (fast, fusetrack))
    assert 0 < difference(found, wanted) < TOLERANCE["f32"]
    with pytest.raises(DefinitionError, match="nothing in it is computed in another way with --fast"):
        fast.prepare(network_of(subject(write_doubling(tmp_path / "twice.onnx"), "twice", 16), tmp_path))


def test_a_frame_goes_through_the_engine(tmp_path):
    frame = import_module("app.benchmark.networks.peers.frame")
    one = subject(write_doubling(tmp_path / "twice.onnx"), "twice", 16)
    (output,) = frame.prepare(network_of(one, tmp_path)).run().values()
    assert output.shape == (1, 6, 8, 3)
    assert 0 < output.max() <= 2
    wide = subject(write_doubling(tmp_path / "wide.onnx", 7), "wide", 16)
    with pytest.raises(DefinitionError, match="it takes no picture"):
        frame.prepare(network_of(wide, tmp_path))


@pytest.mark.parametrize("threads", [1, 2])
def test_the_peak_counts_what_its_threads_do(threads, tmp_path):
    peak = import_module("app.benchmark.networks.peers.peak")
    one, both = (peak.prepare(Network(tmp_path, count, {}, (), tmp_path)) for count in (1, threads))
    assert both.macs == threads * one.macs > 0
    both.run()


def test_open_lengths_are_filled_in(tmp_path):
    taken = {"x": ("uint8", ("n", 1, "h", "w"))}
    (tmp_path / "open.onnx").write_bytes(model([node("Relu", ["x"], ["y"])], taken, ["y"]))
    one = subject(tmp_path / "open.onnx", "open", 24)
    assert one.inputs["x"].shape == (1, 1, 24, 24)
    assert one.taken == "1x1x24x24 uint8"
    assert one.inputs["x"].max() > 200
