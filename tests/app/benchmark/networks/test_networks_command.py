"""`fusetrack bench --networks` from the command line."""

from __future__ import annotations

import json

import pytest

from app.benchmark.networks import made
from app.cli import main
from app.commands import bench, bench_networks
from tests.app.benchmark.networks.rig import stub, write_doubling

PEERS = (stub("other", seconds=0.002), stub("missing", "no_such_package_anywhere"))


def test_a_file_is_measured_printed_and_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bench_networks, "PEERS", PEERS)
    monkeypatch.setattr("app.benchmark.campaign.LEAST", 0.05)
    file, results = write_doubling(tmp_path / "twice.onnx"), tmp_path / "networks.json"
    assert main(["bench", "--networks", str(file), "--threads", "1", "--seconds", "0.5", "--json", str(results),
                 "--csv", str(tmp_path / "networks.csv"), "--plot", str(tmp_path / "networks.png")]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "as fast as the best peer (other)" in said
    assert "from a frame of 512x512" in said
    assert "left out: no_such_package_anywhere is not installed" in said
    (found,) = json.loads(results.read_text())["networks"]
    assert (found["network"], found["macs"], found["threads"]) == ("twice", 432, 1)
    ours, frame, other = found["contenders"]
    assert [c["contender"] for c in (ours, frame, other)] == ["fusetrack", "frame", "other"]
    assert other["difference"] == 0
    assert 0 < ours["processor_least_s"] < frame["processor_least_s"]
    assert found["peak_macs_per_s"] > 1e8
    assert (tmp_path / "networks.csv").read_text().count("\n") == 4
    assert (tmp_path / "networks.png").stat().st_size > 1000


def test_it_works_without_any_peer(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bench_networks, "PEERS", PEERS[1:])
    monkeypatch.setattr("app.benchmark.campaign.LEAST", 0.05)
    file = write_doubling(tmp_path / "wide.onnx", 7)
    assert main(["bench", "--networks", str(file), "--threads", "1", "--seconds", "0.5"]) == 0
    said = capsys.readouterr().out
    assert "fusetrack:" in said
    assert "best peer (" not in said
    assert "from a frame" not in said.split("ours and the best")[0]  # seven channels are no picture


def test_networks_are_known_by_name(monkeypatch, tmp_path):
    monkeypatch.setattr(bench_networks, "MADE", {"a-net": lambda: write_doubling(tmp_path / "a.onnx").read_bytes()})
    (one,) = bench_networks._subjects([], 64, tmp_path)
    assert (one.name, one.macs, one.taken) == ("a-net", 432, "1x3x6x8")
    (same,) = bench_networks._subjects(["a-net"], 64, tmp_path)
    assert same.file.read_bytes() == one.file.read_bytes()


@pytest.mark.parametrize(("words", "said"), [
    (["--networks", "no_such.onnx"], "there is no file and no network 'no_such.onnx'"),
    (["--networks", "blazeface-lik"], "did you mean 'blazeface-like'"),
    (["--networks", __file__], "is not an ONNX model that can be read"),
    (["seed", "--networks"], "give either chains (seed) or --networks"),
    (["--trackers", "--networks"], "give either --trackers or --networks"),
    (["--csv", "a.csv"], "--csv is for --networks"),
    (["--networks", "--batch", "2"], "--batch is not for --networks"),
    (["--networks", "--device", "cuda"], "compares on the processor"),
    (["--networks", "--size", "64", "--size", "32"], "--size is given once"),
    (["--networks", "--size", "0"], "--size takes 1 to 8192"),
    (["--networks", "--threads", "0"], "--threads takes 1 to 256"),
    (["--networks", "--seconds", "0"], "--seconds takes a positive number"),
    (["--networks", "--plot", "x.jpg"], "--plot writes .png, .svg or .pdf"),
    (["--networks", "--csv", "no-such-folder/x.csv"], "the folder no-such-folder does not exist"),
])  # fmt: skip
def test_what_is_wrong_is_said(words, said, capsys):
    assert main(["bench", *words]) == 2
    assert said in capsys.readouterr().err


def test_the_help_names_every_network():
    assert all(f" {name}" in bench.EXAMPLES for name in made.MADE)
