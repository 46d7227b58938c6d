"""What a scene is: parameters, a picture of any frame, and the truth about it.

A scene is a frozen dataclass. Frame `i` follows from (parameters, i) alone, so that reading at random equals reading
in order, twice the same call gives twice the same bytes, and memory does not grow with the length.

Time and truth: frame `i` is exposed for `exposure` / fps seconds *centred* on i / fps; its truth is the position
averaged over that exposure (which is where the centroid of the blurred picture lies), not the position at one moment.
`visible` is false while an object is hidden, wholly or in part, or cut by the picture's border: what is found there is
neither right nor wrong. An object that is outside has no row.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from app.sources.simulated import sensor
from kernels.param import Param, Value
from pipelines.truth import TRUTH_DTYPE

Image = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Truth = npt.NDArray[Any]

_COMMON = (
    Param("width", "int", 384, "width of the picture", "px", 32, 8192),
    Param("height", "int", 288, "height of the picture", "px", 32, 8192),
    Param("fps", "float", 1000.0, "frames a second", "1/s", 1, 10_000_000),
    Param("frames", "int", 1000, "frames in the clip", "frames", 1, 10**9),
    Param("seed", "int", 1, "chooses the noise and whatever is random in the scene", "", 0, 2**63 - 1),
    Param("bits", "int", 8, "bits of the converter; above 8 the picture is u16", "", 8, 16),
    Param("noise", "bool", True, "shot noise and read noise"),
    Param("brightness", "float", 1.0, "lamp level; 0.0625 is dim light", "1", 0.001, 4),
    Param("flicker", "float", 0.0, "depth of the lamp's ripple", "1", 0, 1),
    Param("lamp", "float", 100.0, "frequency of the lamp's ripple: 100 on 50 Hz mains, 120 on 60 Hz", "Hz", 0, 100_000),
    Param("exposure", "float", 0.5, "exposure time as a share of the frame interval", "1", 0, 1),
)
_BY_NAME = {param.name: param for param in _COMMON}


def setting(name: str, default: Value, doc: str, unit: str = "", low: float = -math.inf, high: float = math.inf) -> Any:
    """A dataclass field for a parameter that only this scene has; its kind follows from the default."""
    kind = "bool" if isinstance(default, bool) else "int" if isinstance(default, int) else "float"
    param = Param(name, kind, default, doc, unit, low, high)
    return field(default=param.default, metadata={"param": param})


def common(name: str, default: Value | None = None) -> Any:
    """A dataclass field for a parameter that every scene has, with this scene's own default."""
    param = _BY_NAME[name] if default is None else replace(_BY_NAME[name], default=default)
    return field(default=param.default, metadata={"param": param})


@dataclass(frozen=True, kw_only=True)
class Scene(ABC):
    """Base of the scenes.

    Raises:
        DefinitionError: a parameter has the wrong type or lies outside its range.
    """

    width: int = common("width")
    height: int = common("height")
    fps: float = common("fps")
    frames: int = common("frames")
    seed: int = common("seed")
    bits: int = common("bits")
    noise: bool = common("noise")
    brightness: float = common("brightness")
    flicker: float = common("flicker")
    lamp: float = common("lamp")
    exposure: float = common("exposure")

    name: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for the list of scenes."""
    moments: ClassVar[int] = 1
    """Pictures that are summed over one exposure; 1 where nothing moves by a good part of a pixel meanwhile."""

    def __post_init__(self) -> None:
        for param in self.params():
            object.__setattr__(self, param.name, param.check(getattr(self, param.name), f"{self.name}.{param.name}"))

    @classmethod
    def params(cls) -> tuple[Param, ...]:
        """The parameters with this scene's defaults, its own ones last."""
        return tuple(f.metadata["param"] for f in fields(cls) if "param" in f.metadata)

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)."""
        return self.height, self.width

    def describe(self) -> dict[str, Any]:
        """Name, parameters and scales, JSON-able."""
        return {"scene": self.name, **asdict(self)}

    def time(self, index: int) -> float:
        """Centre of the exposure of frame `index`, s."""
        return index / self.fps

    def times(self, index: int) -> Floats:
        """The `moments` instants of frame `index`'s exposure, evenly spread, s."""
        share = (np.arange(self.moments) + 0.5) / self.moments - 0.5
        return self.time(index) + share * (self.exposure / self.fps)

    def random(self, *stream: int) -> np.random.Generator:
        """A generator of its own for each purpose (and frame): a function of the seed and of `stream` alone."""
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence([self.seed, *stream])))

    @abstractmethod
    def light(self, index: int) -> Image:
        """The picture under the full, steady lamp, as share of the full well: (height, width) f32, a new array."""

    @abstractmethod
    def truth(self, index: int) -> Truth:
        """Rows of TRUTH_DTYPE for frame `index`, ordered by track."""

    def irradiance(self, index: int) -> Image:
        """What falls on the sensor: `light` under this frame's lamp level, without noise and rounding."""
        level = sensor.lamp(self.time(index), self.lamp, self.flicker, self.exposure / self.fps)
        return self.light(index) * np.float32(self.brightness * level)

    def render(self, index: int) -> npt.NDArray[np.uint8 | np.uint16]:
        """The picture of frame `index` as the camera delivers it: (height, width), u8 or u16.

        Raises:
            IndexError: no such frame.
        """
        if not 0 <= index < self.frames:
            raise IndexError(f"sim:{self.name} has frames 0..{self.frames - 1}, not {index}")
        rng = self.random(_NOISE, index) if self.noise else None
        return sensor.expose(self.irradiance(index), self.bits, rng)

    def rows(
        self, index: int, track: Sequence[int] | npt.NDArray[np.int64], x: Floats, y: Floats,
        visible: npt.NDArray[np.bool_] | bool = True,
    ) -> Truth:  # fmt: skip
        """Truth rows out of columns."""
        table = np.zeros(len(x), TRUTH_DTYPE)
        table["frame"], table["time"] = index, self.time(index)
        table["track"], table["x"], table["y"], table["visible"] = track, x, y, visible
        return table

    def within(self, x: Floats, y: Floats, margin: float) -> npt.NDArray[np.bool_]:
        """Which points lie in the picture, `margin` px from its border or more (negative: or so much outside)."""
        return np.asarray(
            (x >= margin) & (x <= self.width - 1 - margin) & (y >= margin) & (y <= self.height - 1 - margin)
        )


_NOISE = 0x5EED
