"""`fusetrack plan --instructions`: instructions a pixel by stage and class, for devices that need not be there."""

from __future__ import annotations

import json

import pytest

from app.cli import main
from kernels.codegen import nvrtc
from kernels.codegen.cuda_counts import CLASSES


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = main(["plan", "template", "--size", "128x64", *words])
    return code, *capsys.readouterr()


@pytest.mark.skipif(not nvrtc.available(), reason="NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
def test_every_stage_of_every_kernel(capsys):
    code, out, _ = run(capsys, "--device", "h100", "--instructions")
    assert code == 0
    assert "stage 0 borders" in out
    assert "of lanes at work" in out
    code, out, _ = run(capsys, "--device", "h100", "--instructions", "--json")
    (kernel,) = json.loads(out)["instructions"][0]["kernels"]
    assert code == 0
    assert kernel["total"] == pytest.approx(sum(sum(s["classes"].values()) for s in kernel["stages"]))
    assert {c for s in kernel["stages"] for c in s["classes"]} <= set(CLASSES)
    assert 4 <= kernel["stored"] < 4.5  # a float a pixel
    assert kernel["registers"] > 8
    assert kernel["spills"] == 0


def test_what_cannot_be_counted_is_one_sentence(capsys, monkeypatch):
    code, out, err = run(capsys, "--instructions")
    assert code
    assert not out
    assert "name a GPU by --device" in err
    def missing():
        raise nvrtc.NvrtcError("NVRTC is not installed; install the wheel nvidia-cuda-nvrtc")
    monkeypatch.setattr(nvrtc, "_library", missing)
    code, _, err = run(capsys, "--device", "h100", "--instructions")
    assert code
    assert "install the wheel nvidia-cuda-nvrtc" in err
