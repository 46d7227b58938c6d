"""The chains that are measured, as pipelines."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pipelines.definition import loads
from pipelines.graph import Pipeline, Ref

ALPHA, LEVEL = 0.25, 60.0
K_HARRIS, RESPONSE = 0.04, 1e-5
LEARN, DEVIATIONS, MIN_SIGMA = 0.05, 4.0, 2.0
SIGMA, AMOUNT, REACH = 1.1, 1.5, 5
BOXES, BOX = 16, 64

BYTE_EDGES = """
bytes(convert: dtype="u8")
smooth(binomial)
edges(gradient)
mask(threshold: inputs="edges.l1", level={LEVEL})
"""
SEED = "gray\nsteady(iir_lowpass: alpha={ALPHA})" + BYTE_EDGES


@dataclass(frozen=True, slots=True)
class Chain:
    """One measured chain.

    Args:
        name: what `fusetrack bench` calls it.
        summary: the stages, for people.
        stages: one a line, `node(stage: key=value, ...)`; see `text`.
        output: the output that is compared.
        channels: of the u8 frames that it takes.
        tolerance: share of pixels (of a table: of its sums) in which a peer may differ, and `why`.
        boxed: the node whose parameter `boxes` takes `boxes(size)`; "" for none.
        part: an earlier output up to which the chain is timed too, to see what the rest costs; "" for none.
    """

    name: str
    summary: str
    stages: str
    output: str
    channels: int
    tolerance: float
    why: str
    boxed: str = ""
    part: str = ""

    @property
    def text(self) -> str:
        """The pipeline as a TOML file has it.

        >>> print(CHAINS["unsharp"].text)
        taps = ["bytes"]
        [stages.sharp]
        use = "unsharp"
        sigma = 1.1
        amount = 1.5
        [stages.bytes]
        use = "convert"
        dtype = "u8"
        """
        lines = [f'taps = ["{self.output}"]']
        for stage in self.stages.format(**globals()).split("\n"):
            node, _, rest = stage.strip().partition("(")
            if not node:
                continue
            use, _, params = rest.removesuffix(")").partition(":")
            lines += [f"[stages.{node}]", *([f'use = "{use}"'] if use else [])]
            lines += [f"{key.strip()} = {value}" for key, _, value in
                      (param.partition("=") for param in params.split(",") if param)]  # fmt: skip
        return "\n".join(lines)

    def pipeline(self, size: int) -> Pipeline:
        """The pipeline for frames of size x size pixels."""
        made = loads(self.text, self.name)
        return made.with_settings({f"{self.boxed}.boxes": boxes(size)}) if self.boxed else made

    def until(self, size: int, output: str) -> Pipeline:
        """The same pipeline, as far as `output` needs it."""
        return replace(self.pipeline(size), taps=(Ref.parse(output),))

    @property
    def ref(self) -> Ref:
        return Ref.parse(self.output)


def boxes(size: int) -> tuple[tuple[int, int, int, int], ...]:
    """The regions of the chain `features`: 16 squares of 64 x 64 px (less in small frames), spread over the frame.

    >>> boxes(256)[:2], boxes(1024)[5]
    (((0, 0, 64, 64), (64, 0, 64, 64)), (352, 352, 64, 64))
    """
    across = round(BOXES**0.5)
    cell = size // across
    side = min(BOX, cell)
    margin = (cell - side) // 2
    return tuple((x * cell + margin, y * cell + margin, side, side) for y in range(across) for x in range(across))


CHAINS = {
    chain.name: chain
    for chain in (
        Chain(
            "seed",
            "RGBA -> gray -> IIR in time -> bytes -> binomial 5x5 -> Sobel L1 -> threshold",
            SEED,
            "mask",
            4,
            1e-4,
            "OpenCV fuses multiply and add in accumulateWeighted, which moves a rounding to bytes now and then",
        ),
        Chain(
            "seed-f32",
            "RGBA -> gray -> IIR in time -> Gaussian 5x5 -> Sobel magnitude -> threshold, in f32",
            """
            gray
            steady(iir_lowpass: alpha={ALPHA})
            smooth(gaussian: sigma={SIGMA}, size=5)
            edges(gradient)
            mask(threshold: inputs="edges.magnitude", level={LEVEL})
            """,
            "mask",
            4,
            1e-5,
            "the order of float sums",
        ),
        Chain(
            "harris",
            "binomial 5x5 -> Harris 3x3 -> 3x3 non-maximum suppression -> threshold",
            """
            smooth(binomial)
            corner(harris: block=3, k={K_HARRIS})
            peaks(nms)
            mask(threshold: level={RESPONSE})
            """,
            "mask",
            1,
            1e-4,
            "the order of float sums; of equal neighbours the peers keep all",
        ),
        Chain(
            "background",
            "running mean and variance -> foreground -> opening 3x3",
            """
            moving(background: alpha={LEARN}, k={DEVIATIONS}, min_sigma={MIN_SIGMA})
            mask(open: inputs="moving.foreground")
            """,
            "mask",
            1,
            1e-4,
            "OpenCV fuses multiply and add in accumulateWeighted",
        ),
        Chain(
            "unsharp",
            "unsharp mask by a Gaussian, back to bytes",
            """
            sharp(unsharp: sigma={SIGMA}, amount={AMOUNT})
            bytes(convert: dtype="u8")
            """,
            "bytes",
            1,
            1e-4,
            "the order of float sums",
        ),
        Chain(
            "features",
            f"the seed chain on mono frames -> moments of {BOXES} regions; only the table leaves",
            SEED + 'features(moments: regions="boxes", capacity={BOXES})',
            "features",
            1,
            1e-3,
            "that of the mask, summed",
            boxed="features",
            part="mask",
        ),
    )
}
"""By name."""
