"""Networks and contenders for tests."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from app.benchmark.networks.contender import Contender
from kernels.networks.onnx_writer import declared, model, node

STUB = Path(__file__).with_name("stub.py")


def write_doubling(file: Path, channels: int = 3) -> Path:
    """A network of 8x6 pixels that gives 2 * max(x, 0): 144 multiply-adds a channel of the input."""
    weights = 2 * np.eye(channels, dtype=np.float32)[:, :, np.newaxis, np.newaxis]
    nodes = [node("Conv", ["x", "w"], ["twice"]), node("Relu", ["twice"], ["y"])]
    file.write_bytes(model(nodes, {"x": ("float32", (1, channels, 6, 8))}, [declared("y", "float32")], {"w": weights}))
    return file


def stub(name: str, package: str = "", **told: object) -> Contender:
    return Contender(name, package, (sys.executable, str(STUB), *(f"{key}={value}" for key, value in told.items())))
