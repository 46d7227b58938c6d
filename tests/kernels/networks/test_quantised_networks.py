"""Networks as quantisers write them (QDQ): exact sums of whole numbers, the reference's bits as rows on the cpu, and
onnxruntime's numbers but for one unit in few."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.executors.cpu import CpuExecutor
from kernels.executors.machine import Machine
from kernels.executors.networks import NetworkProgram
from kernels.executors.reference import ReferenceProgram
from kernels.ir.expr import postorder
from kernels.networks.bodies import frame_of
from tests.networks import body_of_model, judge, run
from tests.onnx_files import model, node

STYLES = ("onnxruntime", "torch u8", "torch i8", "u8 weights")
"""How quantisers write: onnxruntime's (u8, weights a channel, biases of i32), PyTorch's with u8 and zero points or with
i8 and none (biases of f32), and with weights of u8, one scale for all."""
OFF = 0.01
"""Share of values that may be a unit off, where a sum of onnxruntime's, which has another order, lies on the other side
of a half."""


class Quantiser:
    """Writes nodes and constants; every tensor is made, quantised and dequantised."""

    def __init__(self, style: str, seed: int) -> None:
        self.style, self.rng = style, np.random.default_rng(seed)
        self.symmetric = style == "torch i8"
        self.nodes: list[bytes] = []
        self.constants: dict[str, np.ndarray] = {}
        self.scales: dict[str, np.float32] = {}

    def quantised(self, name: str, largest: float, like: str = "") -> str:
        """`name`, between -largest and largest, through a quantiser (with the numbers of `like`)."""
        s, z = (f"{like or name}_scale", f"{like or name}_zero")
        if not like:
            low = 0 if self.symmetric else int(self.rng.integers(100, 150))
            self.constants[s] = np.float32(largest / 127)
            self.constants[z] = np.array(low, np.int8 if self.symmetric else np.uint8)
        self.nodes += [node("QuantizeLinear", [name, s, z], [f"{name}_q"]),
                       node("DequantizeLinear", [f"{name}_q", s, z], [f"{name}_d"])]  # fmt: skip
        self.scales[f"{name}_d"] = self.constants[s]
        return f"{name}_d"

    def weights(self, name: str, shape: tuple[int, ...]) -> tuple[str, np.ndarray]:
        """Weights through a dequantiser, and the scale of each feature."""
        features = shape[0]
        if self.style == "u8 weights":
            numbers, zero = self.rng.integers(0, 256, shape).astype(np.uint8), np.uint8(128)
            scale, axis = np.float32(self.rng.uniform(0.5, 1) * 0.01), {}
        else:
            numbers, zero = self.rng.integers(-127, 128, shape).astype(np.int8), np.zeros(features, np.int8)
            scale, axis = self.rng.uniform(0.5, 1, features).astype(np.float32) * np.float32(0.01), {"axis": 0}
        self.constants |= {f"{name}_n": numbers, f"{name}_s": scale, f"{name}_z": zero}
        self.nodes.append(node("DequantizeLinear", [f"{name}_n", f"{name}_s", f"{name}_z"], [name], **axis))
        return name, np.broadcast_to(scale, (features,))

    def bias(self, name: str, scale: np.ndarray) -> str:
        """As i32 of the scale of the sums, or plain floats."""
        values = self.rng.integers(-2000, 2000, len(scale))
        if self.style.startswith("torch"):
            self.constants[name] = values.astype(np.float32) * scale
            return name
        self.constants |= {f"{name}_n": values.astype(np.int32), f"{name}_s": scale,
                           f"{name}_z": np.zeros(len(scale), np.int32)}  # fmt: skip
        self.nodes.append(node("DequantizeLinear", [f"{name}_n", f"{name}_s", f"{name}_z"], [name], axis=0))
        return name

    def conv(self, name: str, given: str, shape: tuple[int, ...], relu: bool = False, **how: object) -> str:
        """A convolution, quantised to about its own spread."""
        w, scale = self.weights(f"{name}_w", shape)
        b = self.bias(f"{name}_b", scale * self.scales[given])
        self.nodes.append(node("Conv", [given, w, b], [name], **how))
        if relu:
            self.nodes.append(node("Relu", [name], [f"{name}_r"]))
            name = f"{name}_r"
        spread = float(self.scales[given]) * 64 * 0.7 * float(np.sqrt(np.prod(shape[1:])))
        return self.quantised(name, 1.5 * spread)


def written(style: str, seed: int) -> tuple[bytes, dict[str, np.float32]]:
    """A network with what quantised ones have, of five sums of products, and the scales of its tensors."""
    q = Quantiser(style, seed)
    x = q.quantised("x", 1.0)
    a = q.conv("a", x, (17, 3, 3, 3), relu=True, pads=[1, 1, 1, 1], strides=[2, 2])
    b = q.conv("b", a, (17, 1, 3, 3), pads=[1, 1, 1, 1], group=17)
    c = q.conv("c", b, (17, 17, 1, 1))
    q.nodes.append(node("Add", [a, c], ["sum"]))
    s = q.quantised("sum", 2 * float(q.scales[c]) * 127)
    q.nodes.append(node("MaxPool", [s], ["pooled"], kernel_shape=[2, 2], strides=[2, 2]))
    p = q.quantised("pooled", 0, "sum")
    q.constants |= {"pads": np.array([0, 0, 1, 1, 0, 3, 1, 1]), "shape": np.array([1, -1])}
    q.nodes += [node("Pad", [p, "pads"], ["padded"])]
    q.scales["padded_d"] = q.scales[q.quantised("padded", 0, "sum")]
    d = q.conv("d", "padded_d", (8, 10, 2, 3), relu=True, group=2)
    q.nodes += [node("Concat", [d, d], ["both"], axis=1)]
    e = q.quantised("both", 0, "d_r")
    q.nodes += [node("Reshape", [e, "shape"], ["flat"])]
    f = q.quantised("flat", 0, "d_r")
    w, scale = q.weights("g_w", (5, 16 * 7 * 5))
    bias = q.bias("g_b", scale * q.scales[f])
    q.nodes += [node("Gemm", [f, w, bias], ["g"], transB=1)]
    g = q.quantised("g", 64 * 4 * float(q.scales[f]))
    return model(q.nodes, {"x": ("float32", (1, 3, 26, 22))}, [d, g], q.constants), q.scales


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", STYLES)
def test_a_quantised_network_is_exact_everywhere(style, seed, tmp_path: Path):
    file = tmp_path / "m.onnx"
    data, scales = written(style, seed)
    file.write_bytes(data)
    frame = np.random.default_rng(seed).normal(0, 0.5, (1, 3, 26, 22)).astype(np.float32)
    body = body_of_model(file, {})
    sums = [n for n in postorder(body.roots) if n.op == "contract"]
    assert [str(n.dtype) for n in sums] == ["i32"] * 5
    made = NetworkProgram(body, Machine(), CpuExecutor(threads=1).compile)
    frames = [frame_of(frame)[np.newaxis]]
    found, expected = made.run(frames, {}), ReferenceProgram(body).run(frames, {})
    wanted = run(file, {"x": frame})
    session = judge(file)
    theirs = session.run(None, {"x": frame}) if session is not None else [None, None]
    for output, other in zip(body.outputs, theirs, strict=True):
        whole = wanted[output.name]
        assert np.array_equal(np.asarray(found[output.name]), np.asarray(expected[output.name]))
        assert len(np.unique(whole)) > 3  # not all at one limit
        if other is not None:
            off = np.rint(np.abs(whole - other) / scales[output.name])
            assert off.max() <= 1
            assert np.mean(off > 0) <= OFF or off.size < 1 / OFF
