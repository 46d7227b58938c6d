"""Whether what schedules of networks are predicted to take is true of networks that the prices were not found from.

    python tests/measure_prices.py ../shared/nets/*.onnx       # prices found from all networks but one, of that one
    python tests/measure_prices.py --random 12 --seed 100      # the prices of the program, on networks drawn at random

Of each network: its layers one by one, with their rows at hand; and its schedules (layer by layer, DW+PW pairs, chosen,
all streamed), in turns. Least processor time of all rounds on one thread, so that what else runs on the machine counts
little. A line a network: microseconds and measured by predicted of each schedule, the same of the groups of the chosen
one (median, worst), by how much that was slower than the fastest, and schedules that came in another order.

With files, the prices (`kernels.codegen.layers_work.Prices`) are then found once more from the layers of all networks
but one, by nonnegative least squares of the relative error, and that one is predicted with them: the same figures, and
the share of its layers that are told within a quarter.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import accumulate, combinations
from pathlib import Path
from time import thread_time

import numpy as np
import numpy.typing as npt

from app.benchmark.networks.made import Graph
from app.commands.plan_network import frame_of, pipeline_of
from app.commands.schedules import against, networks
from kernels.codegen.layers_work import Prices, prices_for, weighed, work
from kernels.executors.layers_timed import Comparison, compared
from kernels.executors.networks import NetworkProgram
from kernels.fusion.layers_runs import map_bytes, stretches
from kernels.fusion.layers_schedule import Unit
from pipelines.fusing import fuse
from pipelines.graph import bind
from pipelines.planning.devices import this_cpu
from pipelines.planning.planner import planner_of

ROUNDS, SECONDS = 25, 2.0
"""Of the layers of a network, and of its schedules."""
SIZE = 160
"""Height and width of pictures that a file leaves open, px."""
NEAR = 0.5
"""Of the first cache, that rows of a layer by itself may take."""
LONG = 150_000
"""Slots of a layer by itself, at least: some 30 us, so that looking at the clock counts little."""
NOISE = 0.03
"""Schedules whose times differ by less than this share were as fast as each other."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Subject:
    """A network that was measured.

    Args:
        amounts: (layers, 4) of what prices are for; `took`, seconds of each layer; of those that compute.
    """

    name: str
    program: NetworkProgram
    made: Comparison
    amounts: Floats
    took: Floats


def subjects(file: Path) -> Iterator[Subject]:
    """The networks of a file."""
    kind = frame_of(str(file), None, None, None)
    if kind.width == 1024:
        kind = frame_of(str(file), (SIZE, SIZE), None, None)
    pipeline = pipeline_of(str(file), kind)
    bound = bind(pipeline, kind)
    plan = planner_of(bound, this_cpu(), pipeline.digest).plan()
    for _, program, given, machine in networks(bound, fuse(bound, plan.partition, bound.taps)):
        amounts, took = layers_of(program, given)
        yield Subject(file.stem, program, compared(program, given, machine, SECONDS), amounts, took)


def layers_of(program: NetworkProgram, given: dict[int, npt.NDArray[np.generic]]) -> tuple[Floats, Floats]:
    """What some rows of each layer ask for, and the seconds that they take with all that they look at near."""
    network = program.layers.network
    seen, target = weighed(network), network.target
    phases: list[list[list[Unit]]] = []
    counts = []
    for number, (layer, real) in enumerate(zip(seen.layers, network.settled(), strict=True)):
        row = layer.row_bytes + sum(map_bytes(seen.maps[look.map]) / seen.maps[look.map].height * look.stride[0]
                                    for look in layer.looks)  # fmt: skip
        room = NEAR * program.core.first - layer.weight_bytes
        rows = int(min(layer.size[0], max(2, room / row)))
        often = math.ceil(LONG / max(1.0, rows * layer.slots))
        units = often * [(number, y) for y in range(rows)]
        phases += [[[(number, y) for y in range(layer.size[0])]], [units], [units]]
        counts.append([often * rows * amount for amount in work(real, target).amounts])
    twin = program.layers.twin(phases)
    for number, values in program.constants.items():
        twin.rows(number)[:] = values
    twin.run(given)
    least = np.full(len(phases) + 1, np.inf)
    for _ in range(ROUNDS):
        least = np.minimum(least, twin.timed(thread_time))
    parts = np.maximum(least[1:] - least[0], 1e-9).reshape(-1, 3)[:, 1:].min(1)
    computing = np.asarray([layer.slots > 0 for layer in seen.layers])
    return np.asarray(counts)[computing], parts[computing]


def prices_of(some: Iterable[Subject]) -> Prices:
    """Prices of least squares of the relative error, none negative: of all sets of prices that are 0 the best."""
    amounts = np.concatenate([one.amounts / (one.took * one.made.core.slots)[:, np.newaxis] for one in some])
    best, found = np.inf, np.zeros(4)
    for size in range(1, 5):
        for used in map(list, combinations(range(4), size)):
            values = np.linalg.lstsq(amounts[:, used], np.ones(len(amounts)), rcond=None)[0]
            error = float(((amounts[:, used] @ values - 1) ** 2).sum())
            if values.min() >= 0 and error < best:
                best, found = error, np.zeros(4)
                found[used] = values
    return Prices(*found.tolist())


def ratios(one: Subject, prices: Prices) -> tuple[dict[str, float], list[float], float]:
    """Measured by predicted with some prices: of each schedule, of the groups of the chosen one; and the share of
    layers that is told within a quarter."""
    seen = weighed(one.program.layers.network, prices)
    whole, groups = {}, []
    for made in one.made.schedules:
        order = [number for group in made.stretches for number in group.layers]
        ends = list(accumulate(len(group.layers) for group in made.stretches))[:-1]
        predicted = [part.seconds(one.made.core) for part in stretches(seen, ends, one.made.core, order)]
        whole[made.name] = made.measured / sum(predicted)
        if made.name == "chosen":
            groups = [group.measured / part for group, part in zip(made.stretches, predicted, strict=True)]
    told = one.amounts @ np.asarray(astuple(prices)) / one.made.core.slots / one.took
    return whole, groups, float((np.abs(told - 1) <= 0.25).mean())


# Networks drawn at random


def mobile(g: Graph, rng: np.random.Generator) -> str:
    """Depthwise and pointwise layers and inverted residuals, as MobileNet V1 and V2 (Howard et al. 2017, Sandler et al.
    2018)."""
    x = g.conv("input", int(rng.choice((8, 16, 24))), 3, 2)
    expand = int(rng.choice((0, 4, 6)))
    for _ in range(int(rng.integers(4, 12))):
        stride = int(rng.choice((1, 1, 2)))
        given = g.made[x]
        features = min(384, int(rng.choice((given, given, 8 * round(given * 1.5 / 8), 2 * given))))
        wide = g.conv(x, expand * given, activation="relu6") if expand else x
        made = g.conv(g.dw(wide, int(rng.choice((3, 3, 5))), stride, "relu6"), features,
                      activation="" if expand else "relu")  # fmt: skip
        x = g.plus(x, made) if expand and stride == 1 and features == given else made
    return x


def residual(g: Graph, rng: np.random.Generator) -> str:
    """Basic blocks of ResNet (He et al. 2016)."""
    x = g.conv("input", int(rng.choice((12, 16, 32))), int(rng.choice((3, 7))), 2)
    for level in range(int(rng.integers(2, 4))):
        for block in range(int(rng.integers(1, 3))):
            stride, given = (2, g.made[x]) if level and not block else (1, g.made[x])
            features = 2 * given if stride == 2 else given
            beside = g.conv(x, features, 1, stride, activation="") if stride == 2 else x
            x = g.plus(g.conv(g.conv(x, features, 3, stride), features, 3, activation=""), beside, "relu")
    return x


def raised(g: Graph, x: str) -> str:
    """Of twice the height and width."""
    scales = g.constant(np.array([1, 1, 2, 2], np.float32))
    return g.add("Resize", [x, "", scales], g.made[x], mode="nearest", coordinate_transformation_mode="asymmetric",
                 nearest_mode="floor")  # fmt: skip


def halved(g: Graph, x: str) -> str:
    """Max pool of 2x2."""
    return g.add("MaxPool", [x], g.made[x], kernel_shape=[2, 2], strides=[2, 2])


def unet(g: Graph, rng: np.random.Generator) -> str:
    """Two convolutions a level, max pools down, nearest neighbours up (Ronneberger et al. 2015)."""
    first, deep = int(rng.choice((6, 8, 12, 16))), int(rng.integers(2, 4))
    x, skips = "input", []
    for level in range(deep):
        x = g.conv(g.conv(x, first << level, 3), first << level, 3)
        skips.append(x)
        x = halved(g, x)
    x = g.conv(x, first << deep, 3)
    for level in reversed(range(deep)):
        up = raised(g, x)
        both = g.add("Concat", [skips[level], up], g.made[up] + g.made[skips[level]], axis=1)
        x = g.conv(both, first << level, 3)
    return g.conv(x, 8, activation="")


def hourglass(g: Graph, rng: np.random.Generator) -> str:
    """Bottlenecks down and up, sums across (Newell et al. 2016), once or twice."""
    wide = int(rng.choice((16, 24, 32, 48)))
    deep = int(rng.integers(2, 4))

    def bottleneck(x: str) -> str:
        return g.plus(g.conv(g.conv(g.conv(x, wide // 2), wide // 2, 3), wide, activation=""), x, "relu")

    x = g.conv("input", wide, 3, 2)
    for _ in range(int(rng.integers(1, 3))):
        skips = []
        for _ in range(deep):
            skips.append(bottleneck(x))
            x = bottleneck(halved(g, x))
        for skip in reversed(skips):
            x = g.plus(raised(g, bottleneck(x)), skip)
    return g.conv(x, 8, activation="")


KINDS: Sequence[Callable[[Graph, np.random.Generator], str]] = (mobile, unet, residual, hourglass)


def drawn(seed: int) -> tuple[str, bytes]:
    """A network: name and file."""
    rng, kind = np.random.default_rng(seed), KINDS[seed % len(KINDS)]
    side = 16 * int(rng.integers(4, 20))
    g = Graph(int(rng.choice((1, 3))), side, side)
    return f"{kind.__name__}-{side} {seed}", g.written(kind(g, rng))


# Tables


def show_held_out(some: Sequence[Subject]) -> None:
    """Of each network what prices of all others say of it."""
    every = prices_of(some)
    print(f"prices of all {len(some)}: " + ", ".join(f"{n} {v:.3g}" for n, v in zip(Prices.__slots__, astuple(every),
                                                                                 strict=True)))  # fmt: skip
    print(f"{'network':34} {'layers':>6} {'pairs':>6} {'chosen':>6} {'stream':>6} | {'groups':>6} {'median':>6} "
          f"{'worst':>6} | {'told':>5} | prices held out")  # fmt: skip
    found: list[float] = []
    for k, one in enumerate(some):
        prices = prices_of([*some[:k], *some[k + 1 :]])
        whole, groups, told = ratios(one, prices)
        worst = max(groups, key=lambda r: abs(np.log(r)))
        found += groups
        print(f"{one.name:34} " + " ".join(f"{whole[n]:6.2f}" for n in ("layers", "pairs", "chosen", "streamed"))
              + f" | {len(groups):6} {np.median(groups):6.2f} {worst:6.2f} | {told:5.0%} | "
              + " ".join(f"{v:.3g}" for v in astuple(prices)), flush=True)  # fmt: skip
    inside = np.mean([0.75 <= r <= 1.25 for r in found])
    print(f"groups of chosen schedules: median {np.median(found):.2f}, worst {min(found):.2f} and {max(found):.2f}, "
          f"{inside:.0%} within 25 %")  # fmt: skip


def show_order(one: Subject) -> bool:
    """Of one network what the program's prices say, and whether schedules came in their order."""
    whole, groups, _ = ratios(one, prices_for(one.program.layers.network.target))
    took = {made.name: made.measured for made in one.made.schedules}
    over = took["chosen"] / min(took.values()) - 1
    best = min(took, key=lambda name: took[name])
    wrong = against(one.made)
    print(f"{one.name:34} " + " ".join(f"{1e6 * took[n]:7.0f} {whole[n]:5.2f}" for n in took)
          + f" | {len(groups):3} groups {np.median(groups):.2f} "
          f"{max(groups, key=lambda r: abs(np.log(r))):.2f} | chosen {over:+.1%}"
          + (f" over {best}" if over > NOISE else "") + (f"; order: {', '.join(wrong)}" if wrong else ""),
          flush=True)  # fmt: skip
    return over <= NOISE and not wrong


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--random", type=int, default=0, metavar="N", help="networks drawn at random")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    some: list[Subject] = []
    for file in given.files:
        for one in subjects(file):
            show_order(one)
            some.append(one)
    if len(some) > 1:
        show_held_out(some)
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.seed, given.seed + given.random):
            name, data = drawn(seed)
            file = Path(folder) / f"{name}.onnx"
            file.write_bytes(data)
            found = [show_order(one) for one in subjects(file)]
            right += all(found)
    if given.random:
        print(f"{right} of {given.random} in the predicted order, the chosen schedule as fast as any")
    return 0


if __name__ == "__main__":
    sys.exit(main())
