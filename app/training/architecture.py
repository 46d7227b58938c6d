"""Small networks as lists of layers: trained by torch, written as ONNX.

Layers are convolutions with a bias, depthwise separable where they can be (Howard et al., MobileNets, 2017). The last
one hands the pixels of each place out as channels (Shi et al., sub-pixel convolution, CVPR 2016).
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from kernels.networks.onnx_writer import field, model, node

Array = npt.NDArray[Any]
Weights = Mapping[str, Array]
IMAGE = "image"
"""What the first layer takes."""


@dataclass(frozen=True)
class Layer:
    """A convolution with bias, zeros beyond the border.

    Args:
        name: of what it makes.
        takes: name of what it takes.
        shape: (channels made, channels taken by each, height, width) of its kernel.
        stride: in both directions.
        adds: name of what is added to its result, if any.
        relu: whether negative results become 0.
        up: its result is made twice as large, each number four times, before anything is added.
    """

    name: str
    takes: str
    shape: tuple[int, int, int, int]
    stride: int = 1
    adds: str = ""
    relu: bool = False
    up: bool = False

    @property
    def groups(self) -> int:
        """As many as channels in a depthwise layer, else 1."""
        return self.shape[0] if self.takes != IMAGE and self.shape[1] == 1 else 1


@dataclass(frozen=True)
class Architecture:
    """A network up to the channels that hold the pixels of its heat maps, before the sigmoid.

    Args:
        layers: the first takes IMAGE, a gray picture; the last makes phases**2 channels a heat map.
        phases: along each side, how many pixels of a heat map a place of the last layer stands for.
    """

    layers: Sequence[Layer]
    phases: int

    def drawn(self, seed: int) -> dict[str, Array]:
        """Weights to begin with: He's for each layer, those that end a residual block small (as in Fixup)."""
        rng, found = np.random.default_rng(seed), {}
        for layer in self.layers:
            scale = math.sqrt(2 / math.prod(layer.shape[1:])) * (0.3 if layer.adds else 1.0)
            found[f"{layer.name}.weight"] = (scale * rng.standard_normal(layer.shape)).astype(np.float32)
            found[f"{layer.name}.bias"] = np.zeros(layer.shape[0], np.float32)
        last = self.layers[-1].name
        found[f"{last}.weight"] *= np.float32(0.1)
        found[f"{last}.bias"] -= np.float32(3)  # most pixels are not looked for
        return found

    def forward(self, torch: Any, weights: Mapping[str, Any], pictures: Any) -> Any:
        """Logits of the heat maps (n, maps, height, width) of pictures (n, height, width)."""
        functional = torch.nn.functional
        made = {IMAGE: pictures[:, None]}
        for layer in self.layers:
            weight, bias = weights[f"{layer.name}.weight"], weights[f"{layer.name}.bias"]
            pad = layer.shape[2] // 2
            value = functional.conv2d(made[layer.takes], weight, bias, layer.stride, pad, 1, layer.groups)
            if layer.up:
                value = functional.interpolate(value, scale_factor=2, mode="nearest")
            if layer.adds:
                value = value + made[layer.adds]
            made[layer.name] = value.relu() if layer.relu else value
        return functional.pixel_shuffle(made[self.layers[-1].name], self.phases)

    def onnx(self, weights: Weights, notes: str, size: tuple[int | str, int | str] = ("height", "width")) -> bytes:
        """The network as an ONNX file; its output is `heat`.

        Args:
            weights: by name.
            notes: the file's doc_string.
            size: height and width of the picture; a text leaves it open.
        """
        nodes: list[bytes] = []
        weights = dict(weights)
        if any(layer.up for layer in self.layers):
            weights["twice"] = np.array([1, 1, 2, 2], np.float32)
        for layer in self.layers:
            rest = [name for name, given in (("up", layer.up), ("sum", layer.adds), ("relu", layer.relu)) if given]
            names = [f"{layer.name}.{step}" for step in ("conv", *rest)]
            names[-1] = layer.name
            kernel, before = layer.shape[2], names[0]
            nodes.append(node("Conv", [layer.takes, f"{layer.name}.weight", f"{layer.name}.bias"], [before],
                              kernel_shape=[kernel, kernel], pads=[kernel // 2] * 4, strides=[layer.stride] * 2,
                              group=layer.groups))  # fmt: skip
            for step, made in zip(rest, names[1:], strict=True):
                if step == "up":
                    nodes.append(node("Resize", [before, "", "twice"], [made], mode="nearest", nearest_mode="floor",
                                      coordinate_transformation_mode="asymmetric"))  # fmt: skip
                elif step == "sum":
                    nodes.append(node("Add", [before, layer.adds], [made]))
                else:
                    nodes.append(node("Relu", [before], [made]))
                before = made
        nodes.append(node("Sigmoid", [self.layers[-1].name], ["parts"]))  # here, where vectors of channels go through
        nodes.append(node("DepthToSpace", ["parts"], ["heat"], blocksize=self.phases, mode="CRD"))
        # what is last in a file of protobuf belongs to the outermost message: the model's doc_string
        return model(nodes, {IMAGE: ("float32", (1, 1, *size))}, ["heat"], weights) + field(6, notes)


MISSING = 'training needs torch; install it with: pip install "fusetrack[train]"'


def torch_module() -> Any:
    """The package torch.

    Raises:
        InputError: it is not installed.
    """
    try:
        return importlib.import_module("torch")
    except ImportError:
        raise InputError(MISSING) from None


def check_torch() -> None:
    """See that torch is there, without loading it, which takes a second.

    Raises:
        InputError: it is not installed.
    """
    if importlib.util.find_spec("torch") is None:
        raise InputError(MISSING)
