"""How much of a core's peak the row kernels of network layers reach; `fusetrack bench --networks` compares with others.

    python tests/measure_layers.py                    # all rows, f32, one thread
    python tests/measure_layers.py --only dwpw_128 --repeat 400 --isa avx2

The peak is measured in the same run: fused multiply-adds of as many independent sums as a register tile holds, nothing
else. Each row is a chain of layers, timed layer by layer and with rows pulled through the chain (rings of as few rows
as it needs), in turns; a figure is the least processor time of all repetitions. Both must give the same bits.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from kernels.codegen.layers_epilogue import SUM, Epilogue, beside
from kernels.codegen.layers_network import Ending, Network, Taps
from kernels.codegen.layers_target import Target
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.machine import Machine
from kernels.executors.peak import PeakLoop
from kernels.fusion.layers import Look
from kernels.fusion.layers_schedule import pulled
from kernels.ir.expr import maximum, minimum

IN_A_ROW = 3
"""Runs of one contender before the next has its turn."""
EPILOGUES = {"": Epilogue(), "relu": Epilogue(maximum(SUM, 0)), "relu6": Epilogue(minimum(maximum(SUM, 0), 6))}


@dataclass(frozen=True)
class Convolution:
    """A layer of a chain: `made` channels by taps x taps, in one group or (depthwise) in as many as there are channels;
    `residual` adds the chain's input."""

    made: int
    taps: int
    depthwise: bool = False
    stride: int = 1
    activation: str = "relu"
    residual: bool = False


def depthwise_pointwise(c: int, f: int) -> list[Convolution]:
    return [Convolution(c, 3, True), Convolution(f, 1)]


def inverted(c: int) -> list[Convolution]:
    return [Convolution(6 * c, 1, activation="relu6"), Convolution(6 * c, 3, True, activation="relu6"),
            Convolution(c, 1, activation="", residual=True)]  # fmt: skip


ROWS: dict[str, tuple[int, int, list[Convolution]]] = {
    "dwpw_128x32_64": (128, 32, depthwise_pointwise(32, 64)),
    "dwpw_64x64_128": (64, 64, depthwise_pointwise(64, 128)),
    "dwpw_32x128_128": (32, 128, depthwise_pointwise(128, 128)),
    "pwdw_128x32_64": (128, 32, [Convolution(64, 1), Convolution(64, 3, True)]),
    "pwpw_64x64_128_64": (64, 64, [Convolution(128, 1), Convolution(64, 1)]),
    "invres_56x24": (56, 24, inverted(24)),
    "invres_28x32": (28, 32, inverted(32)),
    "dense3_64x32_32": (64, 32, [Convolution(32, 3)]),
    "dense3_28x128_96": (28, 128, [Convolution(96, 3)]),
    "dense3_96x8_8": (96, 8, [Convolution(8, 3)]),
    "dense5_s2_128x3_24": (128, 3, [Convolution(24, 5, stride=2)]),
    "dw_128x32": (128, 32, [Convolution(32, 3, True)]),
    "pw_128x32_64": (128, 32, [Convolution(64, 1)]),
    "dw_32x128": (32, 128, [Convolution(128, 3, True)]),
    "pw_32x128_128": (32, 128, [Convolution(128, 1)]),
    "pw_56x144_24": (56, 144, [Convolution(24, 1)]),
    "pw_56x24_144": (56, 24, [Convolution(144, 1)]),
}
"""Name -> (height and width, channels, layers); the first are those of the published comparisons."""


def weights_of(channels: int, layers: list[Convolution]) -> list[tuple[np.ndarray, np.ndarray]]:
    """(weights (F, rows, columns, C / groups), bias) of each layer; of a size that keeps values near 1."""
    rng = np.random.default_rng(7)
    made = []
    for layer in layers:
        each = 1 if layer.depthwise else channels
        scale = (each * layer.taps**2) ** -0.5
        shape = layer.made, layer.taps, layer.taps, each
        made.append((rng.normal(0, scale, shape).astype(np.float32), rng.normal(0, 0.1, layer.made).astype(np.float32)))
        channels = layer.made
    return made


def network_of(target: Target, size: int, channels: int, layers: list[Convolution]) -> tuple[Network, int, int]:
    """The network, its input map and its output map."""
    network = Network(target)
    first = now = network.map(size, size, channels, kept=True)
    for layer, (weights, bias) in zip(layers, weights_of(channels, layers), strict=True):
        here = network.maps[now]
        pad = layer.taps // 2
        out = (here.height + 2 * pad - layer.taps) // layer.stride + 1
        epilogue = EPILOGUES[layer.activation]
        if layer.residual:
            epilogue = Epilogue(epilogue.root + beside(0))
        now = network.convolution(
            now, weights, bias, (out, out),
            Taps(at=(-pad, -pad), stride=(layer.stride, layer.stride), groups=here.channels if layer.depthwise else 1),
            Ending(epilogue=epilogue, beside=[Look(first)] if layer.residual else []),
        )  # fmt: skip
    network.maps[now].kept = True
    return network, first, now


def macs(size: int, channels: int, layers: list[Convolution]) -> int:
    """Multiply-adds of a chain."""
    total = 0
    for layer in layers:
        pad = layer.taps // 2
        size = (size + 2 * pad - layer.taps) // layer.stride + 1
        total += size * size * layer.made * layer.taps**2 * (1 if layer.depthwise else channels)
        channels = layer.made
    return total


def least(functions: dict[str, Callable[[], Any]], repeat: int) -> dict[str, float]:
    """Seconds of processor time of each, the least of `repeat` interleaved turns of IN_A_ROW runs: the first of a turn
    finds the caches full of the others' maps."""
    best = dict.fromkeys(functions, float("inf"))
    for function in functions.values():
        function()
    for _ in range(repeat):
        for name, function in functions.items():
            for _ in range(IN_A_ROW):
                begin = time.process_time()
                function()
                best[name] = min(best[name], time.process_time() - begin)
    return best


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="", help="rows whose names begin so")
    options.add_argument("--repeat", type=int, default=100)
    options.add_argument("--isa", default="auto")
    given = options.parse_args()
    machine = Machine(given.isa)
    target = target_of(machine)
    peak = PeakLoop(machine)
    print(f"{machine.cpu}, tiles of {target.vectors} vectors of {target.lanes} x {target.pixels} pixels")
    print(f"{'row':20} {'MMAC':>7} {'GMAC/s':>7} {'limit us':>9} {'by layer':>9} {'pulled':>9} {'of peak':>8}")
    for name, (size, channels, layers) in ROWS.items():
        if not name.startswith(given.only):
            continue
        network, first, last = network_of(target, size, channels, layers)
        programs = {"by layer": LayerProgram(network, [[pulled(network, range(1, len(layers)))]], machine),
                    "pulled": LayerProgram(network, [[pulled(network)]], machine)}  # fmt: skip
        image = np.random.default_rng(1).normal(size=(size, size, channels)).astype(np.float32)
        timed: dict[str, Callable[[], Any]] = {"peak": peak}
        for kind, program in programs.items():
            program.rows(first)[:] = image
            timed[kind] = program.run
        for function in timed.values():
            function()
        by_layer, in_turn = (program.rows(last) for program in programs.values())
        if not (by_layer == in_turn).all():
            print(f"{name}: outputs differ", file=sys.stderr)
            return 1
        best = least(timed, given.repeat)
        rate = peak.macs / best["peak"]
        work = macs(size, channels, layers)
        us = {kind: 1e6 * seconds for kind, seconds in best.items()}
        mine = min(us["by layer"], us["pulled"])
        print(f"{name:20} {work / 1e6:7.2f} {rate / 1e9:7.1f} {1e6 * work / rate:9.0f} {us['by layer']:9.0f} "
              f"{us['pulled']:9.0f} {1e6 * work / rate / mine:8.1%}", flush=True)  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
