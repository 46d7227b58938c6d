"""The scenes on which trackers are compared, and their frames in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from app.sources.simulated.source import make_scene
from kernels.ir.image import ImageType, dtype_of
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase

Array = npt.NDArray[Any]
Kind = Literal["things", "points"]
"""Things are found by whoever follows them; points are given in the first frame."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A clip to be.

    Args:
        spec: of the simulated scene, without "sim:".
        kind: what is to be followed.
        frames: how many.
        radius: of a thing, px (what a person would measure in a picture); 0 for points.
        reach: fastest motion, px a frame.
        turns: things turn by more than a window stands.
        dark: things are darker than their ground.
        window: side of the windows around points, px: what a person would draw around a marker, or around texture.
        hidden: frames for which points are out of sight at most.
        dropped: share of the frames that the camera has lost, in gaps of one to three; their time stamps tell.
    """

    spec: str
    kind: Kind
    frames: int = 240
    radius: float = 0.0
    reach: float = 4.0
    turns: bool = False
    dark: bool = False
    window: int = 21
    hidden: int = 12
    dropped: float = 0.0


SCENES: Mapping[str, Scene] = MappingProxyType({
    "blobs-4": Scene("blobs?count=60&snr=4&width=320&height=320&bits=12", "things", 200, 3.0),
    "blobs-10": Scene("blobs?count=60&snr=10&width=320&height=320", "things", 200, 3.0),
    "blobs-40": Scene("blobs?count=60&snr=40&width=320&height=320", "things", 200, 3.0),
    "blobs-dropped": Scene("blobs?count=60&snr=10&width=320&height=320", "things", 200, 3.0, 12.0, dropped=0.15),
    "bars-4": Scene("bars?snr=4", "things", 300, 3.0),
    "bars-10": Scene("bars?snr=10", "things", 300, 3.0),
    "bars-40": Scene("bars?snr=40", "things", 300, 3.0),
    "bars-wide": Scene("bars?count=60&snr=10&bars=5&widest=20", "things", 300, 3.0),
    "vortex": Scene("vortex", "things", 200, 3.5, 5.0),
    "insects": Scene("insects", "things", 200, 4.0, 8.0, dark=True),
    "face": Scene("face", "things", 240, 4.0, 4.0),
    "plate": Scene("plate", "points"),
    "plate-flicker": Scene("plate?flicker=0.25", "points"),
    "plate-dim": Scene("plate?brightness=0.0625", "points"),
    "plate-12": Scene("plate?bits=12", "points"),
    "beam": Scene("beam", "points"),
    "face-points": Scene("face", "points", 320, window=11, hidden=160),
    "disk": Scene("disk", "points", 200, turns=True),
})  # fmt: skip
SMALL_MOTIONS = ("plate", "plate-flicker", "plate-dim", "plate-12", "beam", "speed")
"""The scenes of points that move by a few pixels and do not turn."""
COUNTS = (10, 100, 1000)
"""Features in the pictures that are timed."""


def seeded(scene: Scene, seed: int) -> Scene:
    """The same scene with other noise and other random motions; 1 is the seed of a scene that names none.

    >>> seeded(SCENES["blobs-4"], 2).spec
    'blobs?count=60&snr=4&width=320&height=320&bits=12&seed=2'
    """
    return replace(scene, spec=f"{scene.spec}{'&' if '?' in scene.spec else '?'}seed={seed}")


def timed(kind: Kind, count: int, size: int = 512) -> Scene:
    """The scene in which `count` features are timed; a plate's points are a square number."""
    if kind == "things":
        return Scene(f"blobs?count={count}&snr=40&hidden=0&width={size}&height={size}", "things", 48, 3.0)
    return Scene(f"plate?points={count}&width={size}&height={size}", "points", 48)


def delivered(frames: int, dropped: float) -> list[int]:
    """Which frames a camera delivers that drops this share of them, in gaps of one to three; always the same ones.

    >>> delivered(4, 0.0)
    [0, 1, 2, 3]
    """
    draw, kept, missing = np.random.default_rng(4), [0], 0
    for index in range(1, frames):
        if not missing and draw.random() < dropped / 2:  # a gap has two on average
            missing = int(draw.integers(1, 4))
        if missing:
            missing -= 1
        else:
            kept.append(index)
    return kept[:frames]


class Clip:
    """Frames and truth of a scene, in memory; also a source of frames for pipelines.

    Args:
        scene: what is rendered.
        frames: the first so many; None for all that the scene names.
    """

    def __init__(self, scene: Scene, frames: int | None = None) -> None:
        made = make_scene(f"{scene.spec}{'&' if '?' in scene.spec else '?'}frames={frames or scene.frames}")
        kept = delivered(made.frames, scene.dropped)
        count = len(kept)
        self.scene, self.fps = scene, float(made.fps)
        self.pixels: Array = np.stack([made.render(i) for i in kept])
        self.truth: Array = np.concatenate([made.truth(i) for i in kept])
        self.truth["frame"] = np.searchsorted(kept, self.truth["frame"])
        first = self.truth[self.truth["frame"] == 0]
        self.points = np.stack((first["x"], first["y"]), axis=1)
        """True places in the first frame, (n, 2), px."""
        self.bits = int(made.bits)
        dtype = dtype_of(self.pixels.dtype)
        self._info = SourceInfo(
            name=scene.spec, kind="simulated", width=made.width, height=made.height, frames=count,
            image=ImageType(dtype, made.height, made.width, bits=made.bits), format=PixelFormat("mono", made.bits),
            time=TimeBase(self.fps, "scene", "simulated", np.array(kept) / self.fps), declared_frames=count,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.pixels)

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        if out is None:
            frame: Pixels = self.pixels[index]
            return frame
        np.copyto(out, self.pixels[index], casting="no")
        return out

    def view(self, first: int, end: int) -> Pixels:
        """As `pipelines.frame.InMemory.view`."""
        frames: Pixels = self.pixels[first:end]
        return frames

    def close(self) -> None:
        """The memory goes with the clip."""

    def eight_bit(self) -> Array:
        """The frames as u8, for those that take nothing else."""
        frames: Array = self.pixels if self.bits <= 8 else (self.pixels >> (self.bits - 8)).astype(np.uint8)
        return frames
