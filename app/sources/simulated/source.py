"""Simulated scenes as a source of frames: "sim:vortex?particles=100&fps=2000&seed=3"."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from types import MappingProxyType

import numpy as np

from app.sources.simulated.scene import Scene
from app.spelling import spelled, suggest
from kernels.errors import DefinitionError, SourceError
from kernels.ir.image import ImageType, dtype_of
from pipelines.frame import FrameSource, PixelFormat, Pixels, SourceInfo, TimeBase

PREFIX = "sim:"


@cache
def scenes() -> Mapping[str, type[Scene]]:
    """The scenes by name: every Scene in the folder `scenes` (its `summary` and `params()` describe it)."""
    package = import_module(__name__.rpartition(".")[0] + ".scenes")
    found: dict[str, type[Scene]] = {}
    for module in iter_modules(package.__path__, package.__name__ + "."):
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, Scene) and not isabstract(thing):
                found[thing.name] = thing
    return MappingProxyType(dict(sorted(found.items())))


def make_scene(spec: str, *, fps: float | None = None) -> Scene:
    """The scene of a text such as "sim:beam?width=512&noise=false" (the "sim:" may be left out).

    Args:
        spec: name, then parameters by name; see `Scene.params`.
        fps: replaces the scene's frame rate when given.

    Raises:
        SourceError: no such scene or parameter, or a value that it refuses.
    """
    name, _, query = spec.removeprefix(PREFIX).partition("?")
    known = scenes()
    if name not in known:
        raise SourceError(f"{spec!r}: there is no scene {name!r}; {suggest(name, known)}")
    scene = known[name]
    params = {param.name: param for param in scene.params()}
    given: dict[str, object] = {}
    for piece in filter(None, query.split("&")):
        key, equals, text = piece.partition("=")
        if not equals:
            raise SourceError(f"{spec!r}: {piece!r} is not of the form name=value")
        if key not in params:
            raise SourceError(f"{spec!r}: the scene {name} has no parameter {key!r}; {suggest(key, params)}")
        if key in given:
            raise SourceError(f"{spec!r}: {key} is given twice")
        given[key] = spelled(params[key], text, spec)
    if fps is not None:
        given["fps"] = fps
    try:
        return scene(**given)  # type: ignore[arg-type]
    except DefinitionError as error:
        raise SourceError(f"{spec!r}: {error}") from None


class SimulatedSource:
    """A FrameSource that computes its frames; memory does not grow with their number."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        dtype = dtype_of(np.uint8 if scene.bits <= 8 else np.uint16)
        note = f"{scene.fps:g} frames/s, exact: the scene was simulated at this rate"
        description = scene.describe()
        self._info = SourceInfo(
            name=PREFIX + scene.name,
            kind="simulated",
            width=scene.width,
            height=scene.height,
            frames=scene.frames,
            image=ImageType(dtype, scene.height, scene.width, bits=scene.bits),
            format=PixelFormat("mono", scene.bits),
            time=TimeBase(scene.fps, "scene", note),
            declared_frames=scene.frames,
            metadata=description | {"exposure_s": scene.exposure / scene.fps},
            identity=description,
        )

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        frame = self.scene.render(index)
        if out is None:
            return frame
        np.copyto(out, frame, casting="no")
        return out

    def close(self) -> None:
        """Nothing is held."""


def open_scene(spec: str, *, fps: float | None = None) -> FrameSource:
    """Open a simulated scene; see `make_scene` for the spec and the errors."""
    return SimulatedSource(make_scene(spec, fps=fps))
