"""What a simulated camera is asked to be: "cam:sim?scene=vortex&size=512x512&fps=1000&drop=0.01&seed=3"."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.cameras.controls import of_params
from app.cameras.query import Address, Values, parse_size, typed
from app.cameras.simulated.faults import Fault, Schedule, parse_when
from app.cameras.simulated.memory import Layout
from app.sources.opening import open_source
from app.sources.simulated.scene import Scene
from app.sources.simulated.source import SimulatedSource, scenes
from app.spelling import suggest
from kernels.errors import DefinitionError, SourceError
from kernels.param import Param, Value
from pipelines.frame import FrameSource, PixelFormat, SourceInfo, TimeBase

RING_SECONDS = 0.5
RING_BYTES = 512 << 20
PICTURES = 64
PICTURE_BYTES = 128 << 20
"""Pictures that are prepared unless something else is asked for: as many as this, in as much memory."""
SIDE = "512x512"
TINT = (0.9, 1.0, 0.6)
"""Share of red, green and blue of a scene in colour."""

PARAMS = (
    Param("scene", "text", "vortex", "the rendered scene; its own parameters may follow (particles=100)"),
    Param("clip", "text", "", "a clip to play, over and over, in place of a scene"),
    Param("size", "text", SIDE, "width and height of a scene's pictures", "px"),
    Param("fps", "float", 0.0, "frames a second; 0 for the clip's own, or 1000", "1/s", 0, 1e6),
    Param("frames", "int", 0, "end after so many; 0 for never", "frames", 0),
    Param("seed", "int", 1, "chooses the scene's noise and the faults", "", 0),
    Param("jitter", "float", 0.0, "how far exposures stray from the beat, a share of the frame interval", "1", 0, 0.9),
    Param("drop", "text", "0", "frames that are lost: a probability each (0.01) or numbers (@5,100-120)"),
    Param("duplicate", "text", "0", "frames that come twice; likewise"),
    Param("stall", "text", "0", "frames before which the camera pauses; likewise"),
    Param("stall_time", "float", 0.1, "length of a pause", "s", 0, 3600),
    Param("disconnect", "text", "0", "frames at which the camera is lost; likewise"),
    Param("away", "float", 0.2, "time for which it then cannot be reached", "s", 0, 3600),
    Param("resize", "text", "0", "frames at which the size changes; likewise"),
    Param("resized", "text", "", "the other size; empty for half the size", "px"),
    Param("returns", "choice", "same", "which size it has after a disconnection", choices=("same", "resized")),
    Param("drift", "float", 0.0, "how much too fast the camera's clock runs", "ppm", -1e5, 1e5),
    Param("exposure", "float", 1.0, "light of a scene's pictures, by what the scene has", "1", 0, 100),
    Param("color", "choice", "mono", "of a scene's pictures", choices=("mono", "rgb")),
    Param("pictures", "int", 0, "pictures to prepare; 0 for 64, fewer if they are large", "", 0, 100_000),
    Param("loop", "choice", "bounce", "how they are repeated: forth and back, or from the start",
          choices=("bounce", "wrap")),
    Param("ring", "int", 0, "frames that fit between the camera and the program; 0 for half a second of them",
          "frames", 0, 1_000_000),
)  # fmt: skip
SET_MOST = ("size", "fps", "exposure", "color")
"""What a camera of glass has, too; the others are faults and what it looks at."""
_SCENE_OWN = ("width", "height", "fps", "frames", "seed")
"""Parameters of a scene that the camera's own stand for."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A simulated camera, whole; `read_settings` makes it.

    Args:
        text: as the user wrote it.
        infos: what it delivers in each of its one or two sizes.
        scenes: the scene in each size; () for a clip.
        clip: the clip's path.
        fps: frames a second.
        frames: after how many it ends, 0 for never.
        schedule: its faults.
        values: all parameters.
        layout: of its ring.
        pictures: how many are prepared.
    """

    text: str
    infos: tuple[SourceInfo, ...]
    scenes: tuple[Scene, ...]
    clip: str
    fps: float
    frames: int
    schedule: Schedule
    values: Values
    layout: Layout
    pictures: int

    def order(self, index: int) -> int:
        """Which of the prepared pictures frame `index` shows."""
        n = self.pictures
        if self.values["loop"] == "wrap" or n < 2:
            return index % n
        # Forth and back: the first and the last picture once each.
        k = index % (2 * n - 2)
        return min(k, 2 * n - 2 - k)

    def seen(self, picture: npt.NDArray[Any], kind: int, share: float) -> npt.NDArray[Any]:
        """A prepared picture with so much light, whole at white, and in colour where it is asked for.

        Args:
            picture: of `prepare`.
            kind: which of the sizes it has.
            share: of the light that the scene has; of a clip's pictures it is as it is.
        """
        if self.clip:
            return picture
        info = self.infos[kind]
        if share != 1.0:
            picture = np.rint(np.minimum(picture * share, info.image.white)).astype(picture.dtype)
        return _tinted(picture, info)

    def prepare(self) -> list[list[npt.NDArray[Any]]]:
        """The pictures in each size, in memory, with the light that the scene has and without colour.

        Raises:
            FusetrackError: the clip cannot be read.
        """
        if not self.clip:
            return [[scene.render(k) for k in range(self.pictures)] for scene in self.scenes]
        with closing(open_source(self.clip)) as source:
            whole = [np.array(source.read(k)) for k in range(self.pictures)]
        return [[np.ascontiguousarray(p[: i.image.height, : i.image.width]) for p in whole] for i in self.infos]


def read_settings(address: Address, fps: float | None = None) -> Settings:
    """The camera that an address asks for.

    Args:
        address: of kind "sim"; its place may name the scene (cam:sim:beam).
        fps: replaces the rate.

    Raises:
        SourceError: one sentence that says which parameter is wrong and what there is.
    """
    text, query = address.text, dict(address.query)
    if address.place:
        query.setdefault("scene", address.place)
    if query.get("clip") and "scene" in query:
        raise SourceError(f"{text!r}: a camera shows a scene or a clip, not both")
    if fps is not None:
        query["fps"] = repr(float(fps))
    scene_class = _scene(query.get("scene", "vortex"), text)
    own = {param.name: param for param in PARAMS}
    its = {} if query.get("clip") else {p.name: p for p in scene_class.params() if p.name not in _SCENE_OWN}
    for name in query:
        if name not in own and name not in its:
            raise SourceError(f"{text!r}: this camera has no parameter {name!r}; {suggest(name, (*own, *its))}")
    # Faults and the scene have parameters of their own; these are the camera's.
    values = typed(PARAMS, Address(text, "sim", "", {n: v for n, v in query.items() if n in own}))
    when = tuple((fault, parse_when(str(values[fault.name.lower()]), f"{text!r}: {fault.name.lower()}"))
                 for fault in Fault if fault is not Fault.NONE)  # fmt: skip
    schedule = Schedule(values.count("seed"), when, values.number("jitter"))
    both = dict(when)[Fault.RESIZE].ever or values["returns"] == "resized"
    if values["clip"]:
        infos, rate, made = _clip(text, values, both)
    else:
        given = typed(tuple(its.values()), Address(text, "sim", "", {n: v for n, v in query.items() if n in its}))
        made, rate = _scenes(scene_class, given, values, both, text), values.number("fps") or 1000.0
        infos = tuple(_colored(SimulatedSource(scene).info, values.text("color")) for scene in made)
    frames = values.count("frames")
    most = max(info.image.nbytes for info in infos)
    there = min(made[0].frames if made else infos[0].frames, frames or 2**31)
    pictures = min(there, values.count("pictures") or max(2, min(PICTURES, PICTURE_BYTES // most)))
    slots = values.count("ring") or max(16, min(math.ceil(rate * RING_SECONDS), RING_BYTES // most))
    finished = tuple(_info(info, rate, address, values) for info in infos)
    return Settings(text, finished, made, values.text("clip"), rate, frames, schedule, values,
                    Layout(slots, most), pictures)  # fmt: skip


def _scene(name: str, text: str) -> type[Scene]:
    known = scenes()
    if name not in known:
        raise SourceError(f"{text!r}: there is no scene {name!r}; {suggest(name, known)}")
    return known[name]


def _scenes(
    scene_class: type[Scene], given: dict[str, Value], values: Values, both: bool, text: str
) -> tuple[Scene, ...]:
    sizes = [parse_size(values.text("size"), text)]
    if both:
        sizes.append(_other(sizes[0], values.text("resized"), text))
    rate = values.number("fps") or 1000.0
    try:
        return tuple(
            scene_class(**{**given, "width": width, "height": height, "fps": max(1.0, rate), "seed": values["seed"]})  # type: ignore[arg-type]
            for width, height in sizes
        )
    except DefinitionError as error:
        raise SourceError(f"{text!r}: {error}") from None


def _other(size: tuple[int, int], text: str, where: str) -> tuple[int, int]:
    other = parse_size(text, where) if text else (max(1, size[0] // 2), max(1, size[1] // 2))
    if other == size:
        raise SourceError(f"{where!r}: resized is the size that the pictures have anyway")
    return other


def _clip(text: str, values: Values, both: bool) -> tuple[tuple[SourceInfo, ...], float, tuple[Scene, ...]]:
    with closing(open_source(values.text("clip"))) as source:
        info = _checked(source, text).info
    own = info.time.fps if math.isfinite(info.time.fps) and info.time.fps > 0 else 1000.0
    infos: tuple[SourceInfo, ...] = (info,)
    if both:
        width, height = _other((info.width, info.height), values.text("resized"), text)
        if width > info.width or height > info.height or info.format.packing != "none":
            raise SourceError(f"{text!r}: the other size of a clip is cut from its pictures: smaller, and not packed")
        image = info.image.with_(width=width, height=height)
        infos = (info, replace(info, width=width, height=height, image=image))
    return infos, values.number("fps") or own, ()


def _checked(source: FrameSource, text: str) -> FrameSource:
    if source.info.frames < 1:
        raise SourceError(f"{text!r}: the clip has no frames")
    return source


def _colored(info: SourceInfo, color: str) -> SourceInfo:
    if color == "mono":
        return info
    return replace(info, image=info.image.with_(channels=3), format=PixelFormat("rgb", info.format.bits))


def _tinted(picture: npt.NDArray[Any], info: SourceInfo) -> npt.NDArray[Any]:
    if info.image.channels == 1:
        return picture
    return np.stack([np.rint(picture * share).astype(picture.dtype) for share in TINT], axis=-1)


def _info(info: SourceInfo, rate: float, address: Address, values: Values) -> SourceInfo:
    """What the camera says about itself, from what its pictures' source says."""
    named = [param for param in PARAMS if param.name in SET_MOST]
    camera = {"camera": "simulated", "address": address.text, "clock": "ns, its own beginning", **values,
              "controls": of_params(named, {**values, "fps": rate}, live=not values["clip"])}  # fmt: skip
    note = f"{rate:g} frames/s, the beat of the simulated camera; each frame has the camera's time stamp"
    return replace(
        info, name="cam:sim", kind="camera", frames=0, declared_frames=0, first_number=0,
        time=TimeBase(rate, "scene", note), metadata={**camera, "pictures_of": dict(info.metadata)},
        identity={"address": address.text, "seed": values["seed"]},
    )  # fmt: skip
