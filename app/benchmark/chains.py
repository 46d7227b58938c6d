"""The chains that are measured, as pipelines, and what they are fed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.definition import loads
from pipelines.graph import Pipeline, Ref


@dataclass(frozen=True, slots=True)
class Chain:
    """One measured chain.

    Args:
        name: what `fusetrack bench` calls it.
        summary: the stages, for people.
        text: the pipeline.
        output: the output that is compared.
        channels: of the u8 frames that it takes.
        tolerance: share of pixels in which a peer may differ, and why.
    """

    name: str
    summary: str
    text: str
    output: str
    channels: int
    tolerance: float
    why: str

    @property
    def pipeline(self) -> Pipeline:
        return loads(self.text, self.name)

    @property
    def ref(self) -> Ref:
        return Ref.parse(self.output)


ALPHA, LEVEL = 0.25, 60.0
K_HARRIS, RESPONSE = 0.04, 1e-5
LEARN, DEVIATIONS, MIN_SIGMA = 0.05, 4.0, 2.0
SIGMA, AMOUNT = 1.1, 1.5

CHAINS = {
    chain.name: chain
    for chain in (
        Chain(
            "seed",
            "RGBA -> gray -> IIR in time -> bytes -> binomial 5x5 -> Sobel L1 -> threshold",
            f"""
            taps = ["mask"]
            [stages.gray]
            [stages.steady]
            use = "iir_lowpass"
            alpha = {ALPHA}
            [stages.bytes]
            use = "convert"
            dtype = "u8"
            [stages.smooth]
            use = "binomial"
            [stages.edges]
            use = "gradient"
            [stages.mask]
            use = "threshold"
            inputs = "edges.l1"
            level = {LEVEL}
            """,
            "mask",
            4,
            1e-4,
            "OpenCV fuses multiply and add in accumulateWeighted, which moves a rounding to bytes now and then",
        ),
        Chain(
            "seed-f32",
            "RGBA -> gray -> IIR in time -> Gaussian 5x5 -> Sobel magnitude -> threshold, in f32",
            f"""
            taps = ["mask"]
            [stages.gray]
            [stages.steady]
            use = "iir_lowpass"
            alpha = {ALPHA}
            [stages.smooth]
            use = "gaussian"
            sigma = {SIGMA}
            size = 5
            [stages.edges]
            use = "gradient"
            [stages.mask]
            use = "threshold"
            inputs = "edges.magnitude"
            level = {LEVEL}
            """,
            "mask",
            4,
            1e-5,
            "the order of float sums",
        ),
        Chain(
            "harris",
            "binomial 5x5 -> Harris 3x3 -> 3x3 non-maximum suppression -> threshold",
            f"""
            taps = ["mask"]
            [stages.smooth]
            use = "binomial"
            [stages.corner]
            use = "harris"
            block = 3
            k = {K_HARRIS}
            [stages.peaks]
            use = "nms"
            [stages.mask]
            use = "threshold"
            level = {RESPONSE}
            """,
            "mask",
            1,
            1e-4,
            "the order of float sums; of equal neighbours OpenCV's dilate keeps all",
        ),
        Chain(
            "background",
            "running mean and variance -> foreground -> opening 3x3",
            f"""
            taps = ["mask"]
            [stages.moving]
            use = "background"
            alpha = {LEARN}
            k = {DEVIATIONS}
            min_sigma = {MIN_SIGMA}
            [stages.mask]
            use = "open"
            inputs = "moving.foreground"
            """,
            "mask",
            1,
            1e-4,
            "OpenCV fuses multiply and add in accumulateWeighted",
        ),
        Chain(
            "unsharp",
            "unsharp mask by a Gaussian, back to bytes",
            f"""
            taps = ["bytes"]
            [stages.sharp]
            use = "unsharp"
            sigma = {SIGMA}
            amount = {AMOUNT}
            [stages.bytes]
            use = "convert"
            dtype = "u8"
            """,
            "bytes",
            1,
            1e-4,
            "the order of float sums",
        ),
    )
}
"""By name."""


def frames(chain: Chain, count: int, height: int, width: int, seed: int = 1) -> npt.NDArray[Any]:
    """Frames (count, height, width[, 4]), u8: moving discs over a textured ground, with noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    ground = 70 + 25 * np.sin(x / 9) * np.cos(y / 7) + 40 * ((x // 32 + y // 32) % 2)
    clip = np.empty((count, height, width), np.uint8)
    for t in range(count):
        frame = ground + rng.normal(0, 2, ground.shape)
        for k in range(12):
            cx = (k * 0.618 % 1) * width + 1.7 * t
            cy = (k * 0.382 % 1) * height + 0.9 * t
            frame[np.hypot(x - cx % width, y - cy % height) < 5 + k % 4] = 220
        clip[t] = np.clip(frame, 0, 255)
    if chain.channels == 1:
        return clip
    tint = np.array([1.0, 0.9, 0.8, 1.0], np.float32)
    tinted: npt.NDArray[Any] = np.clip(clip[..., np.newaxis] * tint, 0, 255).astype(np.uint8)
    return tinted
