"""Networks for the tests of schedules: layers of which nothing is computed."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from kernels.fusion.layers import Look, Map, Place


@dataclass
class Row:
    size: tuple[int, int]
    place: Place
    looks: tuple[Look, ...]
    slots: float = 0
    weight_bytes: int = 0
    module: str = ""

    @property
    def row_bytes(self) -> int:
        return 32 * self.size[1]


@dataclass
class Net:
    maps: list[Map] = field(default_factory=list)
    layers: list[Row] = field(default_factory=list)

    def layer(self, size: tuple[int, int], *looks: Look, slots: float = 0, weights: int = 0, module: str = "") -> int:
        """A layer and its map of 8 channels."""
        self.maps.append(Map(*size, 8, 8))
        self.layers.append(Row(size, Place(len(self.maps) - 1), looks, slots, weights, module))
        return len(self.maps) - 1


def chain() -> Net:
    """Depthwise 3x3, pointwise, depthwise 5x1."""
    net = Net([Map(32, 20, 8, 8, kept=True)])
    middle = net.layer((32, 20), Look(0, (3, 3), (-1, -1)))
    wide = net.layer((32, 20), Look(middle))
    last = net.layer((28, 20), Look(wide, (5, 1)))
    net.maps[last].kept = True
    return net


@st.composite
def nets(draw: st.DrawFn, most: int = 8) -> Net:
    """Layers that look at one or two of those before, with strides, taps and weights of any size."""
    side = draw(st.sampled_from((16, 33, 64)))
    net = Net([Map(side, side, 8, 8, kept=True)])
    for _ in range(draw(st.integers(1, most))):
        at = draw(st.integers(max(0, len(net.maps) - 3), len(net.maps) - 1))
        taps, stride = draw(st.sampled_from((1, 3, 5))), draw(st.sampled_from((1, 1, 2)))
        height = -(-net.maps[at].height // stride)
        looks = [Look(at, (taps, taps), (-(taps // 2), -(taps // 2)), (stride, stride))]
        same = [m for m in range(len(net.maps)) if net.maps[m].height == height]
        if same and draw(st.booleans()):
            looks.append(Look(draw(st.sampled_from(same))))
        slots, weights = draw(st.sampled_from((0, 1_000, 100_000))), draw(st.sampled_from((64, 20_000, 400_000)))
        net.layer((height, height), *looks, slots=slots, weights=weights)
    net.maps[-1].kept = True
    return net
