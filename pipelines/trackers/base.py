"""What every tracker offers, and how trackers are found, built, paused and resumed.

A tracker is one class in one file of this folder, marked with `@tracker`. It is fed one frame at a time, in order,
and returns rows of `pipelines.features.TRACK_DTYPE`. Its state is a struct of arrays (`Columns`), never an object a
track: the cost of a frame is then a handful of array operations, whatever the number of tracks.

Inside a tracker lengths are pixels and times are frames; `Clock` turns the time stamps into frames (a dropped frame
makes a step of two) and the velocities that leave into px/s.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.loops.finite import finite
from kernels.param import Param, Value, resolve
from pipelines.features import FEATURE_DTYPE, TRACK_DTYPE, Features, Reason, State, Tracks, no_tracks
from pipelines.trackers.columns import Columns as Columns  # vibration.py takes it from here

Array = npt.NDArray[Any]
_COLUMNS = FEATURE_DTYPE.names or ()
Snapshot = dict[str, Array]


@dataclass(frozen=True, slots=True)
class TrackerInput:
    """One input of a tracker.

    Args:
        name: the key in the `inputs` of `Tracker.update`.
        kind: "features" (rows of FEATURE_DTYPE) or "image" (height, width).
        doc: one line of help.
        optional: True if the tracker works without it.
        columns: names that a table of features must have.
    """

    name: str
    kind: Literal["features", "image"]
    doc: str = ""
    optional: bool = False
    columns: tuple[str, ...] = ()


class Clock:
    """Frames and seconds between updates.

    Args:
        fps: frames a second, or None (NaN, 0) if unknown; then a step is the difference of the indices.
    """

    def __init__(self, fps: float | None) -> None:
        self.fps = float(fps) if fps is not None and math.isfinite(fps) and fps > 0 else 0.0
        self.index = -1
        self.time = math.nan
        self.rate = self.fps or 1.0

    def advance(self, index: int, time: float) -> float:
        """Step to the frame `index` at `time` seconds; return how many frames passed (0 on the first call).

        Time stamps that do not rise (some containers have them) count as the difference of the indices.

        Raises:
            ValueError: the index did not rise; frames come in order, each once.
        """
        if self.index < 0:
            step = 0.0
        else:
            if index <= self.index:
                raise ValueError(f"frame {index} came after frame {self.index}; a tracker takes frames in rising order")
            elapsed = time - self.time
            step = elapsed * self.fps
            if not (self.fps and math.isfinite(step) and step > 0.01):
                step = float(index - self.index)
            if not self.fps and math.isfinite(elapsed) and elapsed > 0:
                self.rate = step / elapsed
        self.index, self.time = index, time
        return step

    def snapshot(self) -> Snapshot:
        return {"clock": np.array([self.index, self.time, self.rate])}

    def restore(self, state: Mapping[str, Array]) -> None:
        index, self.time, self.rate = (float(value) for value in state["clock"])
        self.index = int(index)


class Tracker(ABC):
    """Follows things from frame to frame.

    Args:
        params: all parameters by name, checked (see `make_tracker`).
        shape: (height, width) of the picture in pixels.
        fps: frames a second, or None if unknown.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    params: ClassVar[tuple[Param, ...]] = ()
    inputs: ClassVar[tuple[TrackerInput, ...]] = ()
    _reported: tuple[Array | None, Sequence[Array]] = (None, ())
    retired: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Parameters of earlier versions, and what to do instead."""
    seconds: ClassVar[float] = 0.0
    """What a typical frame takes one core at 3 GHz or so, for plans: 100 detections or key points; of followed patches
    as many as there are by default. 0 for one that does not say."""

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        self.settings = dict(params)
        self.height, self.width = shape
        self.clock = Clock(fps)
        self.next_track = 0
        self._broken = False  # whether a picture had pixels that are not numbers

    @abstractmethod
    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        """The rows of frame `index`, one a live track (and one LOST row for each that ended), by rising id.

        Args:
            index: the frame's index in its source; rises from call to call.
            time: seconds.
            inputs: by the names of `self.inputs`; optional ones may be missing.

        Raises:
            DefinitionError: an input is missing or has the wrong shape.
        """

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        """The rows of several frames in order: what `update` gives for one after the other."""
        rows, seen, own = [], list[Array | None](), list[Array]()
        for one in zip(indices, times, inputs, strict=True):
            rows.append(self.update(*one))
            seen.append(self.seen_as())
            own += self.measured()
        # A tracker that does not say which features it saw in every frame says nothing for the batch.
        whole = [places for places in seen if places is not None]
        self._reported = np.concatenate(whole) if whole and len(whole) == len(seen) else None, own
        return rows

    def reported(self) -> tuple[Array | None, Sequence[Array]]:
        """What `seen_as` and `measured` say of all frames of the last call of `update_batch`."""
        by_frame = type(self).update_batch is Tracker.update_batch  # else it speaks of whole batches itself
        return self._reported if by_frame else (self.seen_as(), self.measured())

    @abstractmethod
    def skip(self, index: int, time: float) -> Tracks:
        """The rows of a frame that could not be read: every track predicted, reason BAD_FRAME."""

    def finish(self) -> Tracks:
        """The rows still held back after the last frame; none for a tracker that reports at once."""
        return no_tracks()

    def seen_as(self) -> Array | None:
        """Of all rows that the last call of `update`, `update_batch` or `skip` gave, one frame behind the other: which
        row of its frame's features each was seen as, by itself; -1 for none. None of a tracker that does not say."""
        return None

    def measured(self) -> Sequence[Array]:
        """Of the rows of each of these frames what the tracker itself measures: structured arrays with fields of
        `pipelines.measures.MEASURES`, NaN where nothing was."""
        return ()

    @classmethod
    def measures(cls, params: Mapping[str, Value]) -> tuple[str, ...]:
        """The fields that `measured` has with these parameters."""
        del params
        return ()

    def tables(self) -> dict[str, Array]:
        """Whatever else there is to tell at the end, by name: structured arrays with a field `track` (raw ids)."""
        return {}

    def stripes(self) -> dict[int, tuple[float, float]]:
        """The tracks whose motion is measured in one direction alone, by id (raw), and unit vectors (x, y) along which
        nothing is known of it."""
        return {}

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """The whole state as a flat dictionary of arrays (np.savez takes it); a copy."""

    @abstractmethod
    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to a snapshot of a tracker built alike; what follows is bit-identical."""

    @classmethod
    def looks_there(cls, params: Mapping[str, Value]) -> frozenset[str]:
        """Inputs that may be `pipelines.trackers.lying_images.LyingImage` with these parameters: images that lie on a
        GPU, where it looks at them as long as nothing unusual happens."""
        del params
        return frozenset()

    @classmethod
    def seconds_there(cls, params: Mapping[str, Value]) -> float:
        """What `seconds` is where the inputs `looks_there` stay on a GPU: what is left for a core, and how long it
        waits."""
        del params
        return cls.seconds

    @classmethod
    def sent(cls, params: Mapping[str, Value]) -> float:
        """Bytes a frame that come down where the inputs `looks_there` stay on a GPU."""
        del params
        return 0.0

    def number(self, name: str) -> float:
        """A numeric parameter."""
        value = self.settings[name]
        assert isinstance(value, int | float)
        return value

    def inside(self, x: Array, y: Array, margin: float = -0.5) -> Array:
        """True where (x, y) lies in the picture, `margin` px away from the outermost pixel centres."""
        return (x >= margin) & (x <= self.width - 1 - margin) & (y >= margin) & (y <= self.height - 1 - margin)

    def image(self, inputs: Mapping[str, Array], name: str = "image", *, scanned: bool = True) -> Array:
        """The input `name` as (height, width), real and finite: pixels that are not numbers count as 0.

        Args:
            inputs: of one frame.
            name: of the input.
            scanned: False: such pixels may be left, as long as none was found in any picture: who asks so sees them
                where they matter, and then asks again.
        """
        if name not in inputs:
            raise DefinitionError(f"tracker {self.name} needs the input {name!r}")
        picture = np.asarray(inputs[name])
        if picture.ndim == 3 and picture.shape[2] == 1:
            picture = picture[:, :, 0]
        if picture.shape != (self.height, self.width):
            raise DefinitionError(
                f"tracker {self.name} wants a grey picture of {self.height} x {self.width} (height x width) as "
                f"{name!r}, not an array of shape {picture.shape}; put a 'gray' stage before it or set its shape"
            )
        if picture.dtype.kind not in "buif":
            raise DefinitionError(f"tracker {self.name} wants real numbers as {name!r}, not {picture.dtype}")
        if not (scanned or self._broken):
            return picture
        whole = cleaned(picture)
        self._broken |= whole is not picture
        return whole

    def features(self, inputs: Mapping[str, Array], name: str = "features") -> Features:
        """The input `name` as rows of FEATURE_DTYPE.

        Args:
            inputs: of one frame.
            name: of the input.
        """
        found = inputs.get(name)
        if type(found) is np.ndarray and found.dtype is FEATURE_DTYPE and found.ndim == 1:
            return found  # as always; to ask further takes longer than to link ten of them
        if found is None:
            raise DefinitionError(f"tracker {self.name} needs the input {name!r}")
        found = np.asarray(found)
        if found.ndim == 1 and found.dtype != FEATURE_DTYPE and {*_COLUMNS} <= {*(found.dtype.names or ())}:
            rows = np.empty(len(found), FEATURE_DTYPE)  # of a table with more columns, such as key points
            for column in _COLUMNS:
                rows[column] = found[column]
            return rows
        if found.dtype != FEATURE_DTYPE or found.ndim != 1:
            raise DefinitionError(
                f"tracker {self.name} wants rows of features (x, y, mass ...) as {name!r}, not an array of shape "
                f"{found.shape} and type {found.dtype}; wire it to a stage that gives features, such as 'components'"
            )
        return found

    def new_ids(self, count: int) -> Array:
        """The next `count` track ids, never used before."""
        ids = np.arange(self.next_track, self.next_track + count, dtype=np.int32)
        self.next_track += count
        return ids

    def rows(self, t: Columns, state: Array, reason: Array, score: Array) -> Tracks:
        """TRACK_DTYPE rows of the columns track, x, y, vx, vy (px/frame) and p00 (px^2) at the clock's time."""
        out = np.zeros(len(t), TRACK_DTYPE)
        out["frame"], out["time"] = self.clock.index, self.clock.time
        out["track"], out["x"], out["y"] = t["track"], t["x"], t["y"]
        out["vx"], out["vy"] = t["vx"] * self.clock.rate, t["vy"] * self.clock.rate
        out["sigma"] = np.sqrt(np.maximum(t["p00"], 0.0))
        out["state"], out["reason"], out["score"] = state, reason, score
        return out


def cleaned(picture: Array) -> Array:
    """The picture with 0 for pixels that are not numbers; the same array where there are none."""
    if picture.dtype.kind == "f" and not finite(picture):
        return np.where(np.isfinite(picture), picture, 0.0)
    return picture


_REGISTRY: dict[str, type[Tracker]] = {}
T = TypeVar("T", bound=type[Tracker])


def tracker(cls: T) -> T:
    """Register a tracker class under its `name`."""
    other = _REGISTRY.get(cls.name)
    if not cls.name or not cls.summary or not cls.inputs:
        raise ValueError(f"{cls.__qualname__} needs a name, a summary and inputs")
    if missing := sorted(getattr(cls, "__abstractmethods__", ())):
        raise ValueError(f"{cls.__qualname__} needs the methods {', '.join(missing)}, too (pipelines/README.md)")
    measures = inspect.getattr_static(cls, "measures", None)
    # Called through the class, with the parameters alone: plans ask before a tracker is built.
    try:
        fits = isinstance(measures, classmethod) and bool(inspect.signature(measures.__func__).bind(cls, {}))
    except TypeError:
        fits = False
    if not fits:
        raise ValueError(f"{cls.__qualname__}.measures must be a class method: @classmethod def measures(cls, params)")
    if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
        raise ValueError(f"two trackers are called {cls.name!r}: {other.__module__} and {cls.__module__}")
    _REGISTRY[cls.name] = cls
    return cls


def registry() -> Mapping[str, type[Tracker]]:
    """All trackers by name; the modules of this folder are imported on the first call."""
    _import_all()
    return dict(sorted(_REGISTRY.items()))


@cache
def _import_all() -> None:
    package = __name__.rpartition(".")[0]
    for module in sorted(info.name for info in pkgutil.iter_modules([str(Path(__file__).parent)])):
        importlib.import_module(f"{package}.{module}")


def find_tracker(name: str) -> type[Tracker]:
    """The tracker called `name`. A shipped one is found by its file, which bears its name: programs that use one do not
    wait for all to load.

    Raises:
        DefinitionError: there is none; names the nearest.
    """
    if name not in _REGISTRY and name.isidentifier():
        module = f"{__name__.rpartition('.')[0]}.{name}"
        if importlib.util.find_spec(module) is not None:
            importlib.import_module(module)
    if name in _REGISTRY:
        return _REGISTRY[name]
    known = registry()
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
        raise DefinitionError(f"there is no tracker {name!r}; {hint}")
    return known[name]


def make_tracker(name: str, params: Mapping[str, object], shape: tuple[int, int], fps: float | None = None) -> Tracker:
    """Build the tracker `name`.

    Args:
        name: a key of `registry()`.
        params: parameters that differ from their defaults.
        shape: (height, width) of the picture in pixels.
        fps: frames a second, or None if unknown.

    Raises:
        DefinitionError: no such tracker, an unknown parameter, or a bad value.
    """
    kind = find_tracker(name)
    return kind(resolve(kind.params, params, name, kind.retired), shape, fps)


def confirmed(tracks: Tracks, *, leading: bool = True) -> Tracks:
    """Drop the tracks that were never believed, that is, have no TRACKED row.

    Args:
        tracks: the rows of a whole run, in any order.
        leading: keep the TENTATIVE rows with which a believed track began.
    """
    ids, state = tracks["track"].copy(), tracks["state"].copy()  # side by side, as all that follows takes them
    tracked = ids.compress(state == int(State.TRACKED))
    # Ids are numbers from 0: a table of truth values looks each row up in place of a search.
    if len(tracked) and ids.min() >= 0 and ids.max() < 4 * len(ids):  # as a run numbers them
        believed = np.zeros(4 * len(ids), np.bool_)
        believed[tracked] = True
        keep = believed.take(ids)
    else:
        keep = np.isin(ids, tracked)
    if not leading:
        keep &= state != int(State.TENTATIVE)
    # As plain bytes: field after field takes four times as long.
    kept: Tracks = tracks.view(f"V{tracks.dtype.itemsize}")[keep].view(tracks.dtype)
    return kept


def coasting(tracker: Tracker, t: Columns) -> Tracks:
    """The rows of a bad frame, after the prediction: PREDICTED, or LOST (and dropped) outside the picture."""
    out = ~tracker.inside(t["x"], t["y"])
    state = np.where(out, int(State.LOST), int(State.PREDICTED))
    reason = np.where(out, int(Reason.LEFT_IMAGE), int(Reason.BAD_FRAME))
    rows = tracker.rows(t, state, reason, np.zeros(len(t)))
    t.keep(~out)
    return rows
