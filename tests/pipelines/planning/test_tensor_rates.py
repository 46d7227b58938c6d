"""Tensor cores in plans: their rates, and what they make where roundings may change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.commands.plan_network import frame_of, pipeline_of
from kernels.executors.cuda_model import TENSOR_RATES
from pipelines.fusing import tensor_kinds
from pipelines.graph import Bound, bind
from pipelines.planning.devices import ARCHITECTURES, find_device
from pipelines.planning.planner import planner_of
from tests.onnx_files import model, node

CLOCKS = {"a100": 1.41, "rtx3060": 1.777, "jetson-orin": 1.3, "rtx4090": 2.52, "h100": 1.83, "b200": 1.965,
          "rtx5090": 2.407}  # fmt: skip
"""GHz for which the makers print them (H100: tensor cores at less than its boost clock)."""


@pytest.mark.parametrize("architecture", TENSOR_RATES)
def test_rates_of_a_multiprocessor_make_those_of_the_data_sheets(architecture: str) -> None:
    card = ARCHITECTURES[architecture]
    device = find_device(card)
    printed = device.tensor_tf32, device.tensor_f16, device.tensor_int8
    for rate, wanted in zip(TENSOR_RATES[architecture], printed, strict=True):
        assert rate * device.units * CLOCKS[card] * 1e9 == pytest.approx(wanted, rel=0.08)


@pytest.fixture
def bound(tmp_path: Path) -> Bound:
    """A dense convolution that tensor cores can make, one of too few channels, and a depthwise one."""
    rng = np.random.default_rng(0)
    sizes = {"few": (8, 3, 3, 3), "wide": (64, 8, 1, 1), "deep": (64, 64, 3, 3), "each": (64, 1, 3, 3)}
    weights = {name: (rng.standard_normal(size) * 0.1).astype(np.float32) for name, size in sizes.items()}
    nodes = [node("Conv", ["x", "few"], ["a"]), node("Conv", ["a", "wide"], ["b"]), node("Conv", ["b", "deep"], ["c"]),
             node("Conv", ["c", "each"], ["y"], group=64)]  # fmt: skip
    file = tmp_path / "net.onnx"
    file.write_bytes(model(nodes, {"x": ("float32", (1, 3, 70, 70))}, ["y"], weights))
    kind = frame_of(str(file), None, None, None)
    return bind(pipeline_of(str(file), kind), kind)


def test_what_tensor_cores_make_takes_as_long_as_their_rate_says(bound: Bound) -> None:
    kinds = tensor_kinds(bound, bound.taps)
    assert set(kinds.values()) <= {"f16", "tf32"}
    (kind,) = kinds.values()  # the others have less than sixteen channels on a side
    device = replace(find_device("a100"), dram=1e18, cache=1e18, near=1e18)  # arithmetic alone counts
    plain, fast = (planner_of(bound, device, "", some).plan() for some in (None, kinds))
    macs = 64 * 64 * 9 * 66 * 66
    rate = {"f16": 156e12, "tf32": 78e12}[kind]
    spared = plain.estimate.terms["arithmetic"] - fast.estimate.terms["arithmetic"]
    assert spared == pytest.approx(macs / device.macs - macs / rate, rel=1e-6)
    halved = replace(device, tensor_f16=device.tensor_f16 / 2, tensor_tf32=device.tensor_tf32 / 2)
    slower = planner_of(bound, halved, "", kinds).plan().estimate.terms["arithmetic"]
    assert slower - fast.estimate.terms["arithmetic"] == pytest.approx(macs / rate, rel=1e-6)


def test_a_card_without_them_takes_as_long_as_ever(bound: Bound) -> None:
    device, kinds = find_device("gtx1660"), tensor_kinds(bound, bound.taps)
    assert device.tensor_f16 == device.tensor_int8 == 0
    plain, fast = (planner_of(bound, device, "", some).plan().estimate.seconds for some in (None, kinds))
    assert fast == pytest.approx(plain, rel=1e-6)
    cpu = find_device("this-cpu")
    assert planner_of(bound, cpu, "", kinds).plan() == planner_of(bound, cpu).plan()
