"""Processes of contenders: what they answer, and how they fail."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from app.benchmark.networks import process
from app.benchmark.networks.contender import PEERS, Contender, Refusal, Worker, environment
from app.benchmark.networks.peers.base import Network, Prepared, fastest
from app.benchmark.networks.process import IN, OUT, Server, timed
from app.child_process import code_of
from kernels.errors import DefinitionError
from tests.app.benchmark.networks.rig import stub
from tests.patience import PATIENCE


def order(folder: Path, **changed: object) -> dict[str, object]:
    np.savez(folder / IN, np.array([[-1.0, 3.0]], np.float32))
    return {"do": "open", "module": "it", "file": "a.onnx", "threads": 2, "inputs": ["x"], "outputs": ["y"],
            "folder": str(folder), "processors": None} | changed  # fmt: skip


class Module:
    """A contender's module, which doubles."""

    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble, self.runs = trouble, 0

    def prepare(self, network: Network) -> Prepared:
        if self.trouble is not None:
            raise self.trouble

        def run() -> None:
            self.runs += 1

        return Prepared(run, lambda: {"y": 2 * network.inputs["x"]}, "1.0", "careful", network.threads)


def test_a_server_opens_runs_and_writes_outputs(tmp_path):
    module = Module()
    server = Server(lambda name: module)
    assert server.answer(order(tmp_path)) == {"version": "1.0", "note": "careful", "macs": 2}
    with np.load(tmp_path / OUT) as given:
        assert given["arr_0"].tolist() == [[-2.0, 6.0]]
    answer = server.answer({"do": "turn", "seconds": 0.002, "warm": 0.001})
    assert len(answer["wall"]) == len(answer["processor"]) > 0
    assert module.runs > len(answer["wall"]) + 1  # the first, and those that warm


@pytest.mark.parametrize(("trouble", "said"), [
    (ValueError("no\nsuch  layer"), "ValueError: no such layer"),
    (DefinitionError("the net is too deep"), "the net is too deep"),
    (FileNotFoundError("there is no a.tflite beside the file"), "there is no a.tflite beside the file"),
])  # fmt: skip
def test_trouble_becomes_a_sentence(tmp_path, trouble, said):
    assert Server(lambda name: Module(trouble)).answer(order(tmp_path)) == {"error": said}


def test_a_run_counts_at_least_once_and_not_while_it_warms():
    runs = []
    wall, _ = timed(lambda: runs.append(time.perf_counter()), 0.0, 0.0)
    assert (len(wall), len(runs)) == (1, 2)


def test_a_coarse_clock_tells_no_processor_time(monkeypatch):
    monkeypatch.setattr(process, "COARSE", 0.0)
    wall, processor = timed(lambda: None, 0.0, 0.0)
    assert wall
    assert processor == []


def test_processors_are_chosen_before_anything_is_loaded(tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(process.os, "sched_setaffinity", lambda _, processors: done.append(processors), raising=False)

    def load(name: str) -> Module:
        done.append(name)
        return Module()

    Server(load).answer(order(tmp_path, processors=[0, 3]))
    Server(load).answer(order(tmp_path))
    assert done == [[0, 3], "it", "it"]


def test_the_fastest_choice_that_works_is_taken():
    def broken() -> None:
        raise ValueError("no")

    assert fastest({"broken": broken, "slow": lambda: time.sleep(0.002), "quick": lambda: None}, 0.01) == "quick"
    with pytest.raises(ValueError, match="no"):
        fastest({"broken": broken})


def test_the_process_answers_and_ends_with_its_input(tmp_path):
    started = subprocess.Popen([sys.executable, "-c", code_of("app.benchmark.networks", "process")],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip
    assert started.stdin is not None
    assert started.stdout is not None
    with started.stdin as orders, started.stdout as answers:
        orders.write(b'{"do": "open", "module": "no_such", "processors": null, "folder": "%s"}\n' % bytes(tmp_path))
        orders.flush()
        assert b"error" in answers.readline()
        orders.close()
        assert started.wait(PATIENCE) == 0


def test_a_worker_asks_and_is_asked_again_after_its_end(tmp_path):
    worker = Worker(stub("one"), 2)
    try:
        assert worker.ask(order(tmp_path), PATIENCE)["note"] == "2 at work"
        worker.end()
        assert worker.ask({"do": "turn"}, PATIENCE)["wall"] == [0.001, 0.0015]
    finally:
        worker.close()


@pytest.mark.parametrize(("how", "patience", "said"), [
    ({"fails": "turn"}, PATIENCE, "it does not like networks"),
    ({"dies": "turn"}, PATIENCE, "its process ended with code 3: out of ideas"),
    ({"hangs": "turn"}, 0.2, "it gave no answer for 0.2 s"),
])  # fmt: skip
def test_a_worker_that_fails_says_how(how, patience, said):
    worker = Worker(stub("one", **how), 1)
    try:
        for _ in range(2):  # another one is started, which fails in the same way
            with pytest.raises(Refusal, match=said):
                worker.ask({"do": "turn"}, patience)
    finally:
        worker.close()


def test_freed_memory_is_kept_by_everyone():
    made = environment(2)
    assert int(made["MALLOC_MMAP_THRESHOLD_"]) == int(made["MALLOC_TRIM_THRESHOLD_"]) >= 1 << 30
    assert made["OMP_NUM_THREADS"] == "2"


def test_a_contender_whose_package_is_missing_is_not_installed():
    why = Contender("x", "no_such_package_anywhere").why_absent
    assert why == 'no_such_package_anywhere is not installed (pip install "fusetrack[bench-networks]")'
    assert Contender("x").why_absent == ""
    assert {peer.name for peer in PEERS} == {"onnxruntime", "openvino", "litert", "mnn", "opencv"}
