"""Windows that only move, and learn no more, followed on a GPU, where their frames lie (`windows.device_windows`).

Each window goes through the frames of a batch by itself (`batch_tracking_loops.follow_one`), as far as it needs no
more than that. Of each frame its place, score and variance come down, 32 bytes, and the host goes through the batch by
these (`batch_tracking_loops.frames`), up to the first frame in which a window needed more. References go up when they
change, what is known of windows, 192 bytes each, with every batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.cuda_loops import TEAM, passed, structure
from kernels.loops.structs import flat
from pipelines.trackers.lying_images import LyingImage, LyingImages
from pipelines.trackers.registration.batch.batch_tracking_loops import SIGHTING, follow_one
from pipelines.trackers.registration.batch.structs import Accept, Limits, Sightings, Trial, Windows
from pipelines.trackers.registration.noise.structs import NoiseModel
from pipelines.trackers.registration.reference.corners import Corners
from pipelines.trackers.registration.reference.reference_subset import Anchors
from pipelines.trackers.registration.reference.structs import Schedule
from pipelines.trackers.registration.warp.fit import Layout, References
from pipelines.trackers.registration.warp.fit_loops import SPAN
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.device_windows import DeviceWindows, blocks_of, window_program
from pipelines.trackers.registration.windows.structs import Batch, ReferenceSet
from pipelines.trackers.registration.windows.taps import TABLE

Array = npt.NDArray[Any]

NUMBERS = ("motion.x", "motion.y", "motion.vx", "motion.vy", "motion.p00", "motion.p01", "motion.p11", "motion.px",
           "motion.py", "motion.gap", "motion.pvar", "motion.drift", "motion.level", "deformation.tested",
           "deformation.misfit", "learnt.grain", "learnt.offset")  # fmt: skip
WHOLE = ("learnt.slot", "learnt.averaged")
SHORT = ("learnt.looks", "learnt.closed")
"""Columns that go up with a batch: f64, i64, and i32, of which two lie in one word. Of the others nothing is asked."""
WORDS = len(NUMBERS) + len(WHOLE) + 1 + 1
"""Words of a window that go up: these, and its number."""
REFERENCES = ("pixels", "norm", "jacobian", "inverse", "textured")
FOUND = 7
"""Words of a window in which it is fitted."""
_POINTERS = {"F64": "double *", "I64": "long long *", "I32": "int *"}


def _values(layout: Layout) -> int:
    """Numbers of `Trial.values`."""
    return 7 * layout.area + 128


def _work(layout: Layout) -> int:
    """Numbers of `Trial.work`, for a fit with six parameters."""
    o = layout
    return 64 + (o.w + SPAN) * (o.pitch + 16) + (o.w + 7) * o.pitch + 9 * (o.pitch + 8)


@cache
def tracking(window: int, side: int, stride: int, edge: int, pixels: str, height: int, width: int) -> CudaProgram:
    """The kernel that follows windows.

    Args:
        window: side, px.
        side, stride, edge: of tiles, as `Tiles` has them.
        pixels: type of the frames.
        height, width: of a frame, px.
    """
    layout = Layout.of(window, 2)
    columns = {name: f"({_POINTERS[str(kind)]})0" for name, kind in _parts(Windows)}
    for k, name in enumerate((*NUMBERS, *WHOLE)):
        columns[name] = f"columns + {k}LL * count" if name in NUMBERS else f"(long long *)(columns + {k}LL * count)"
    short = f"(int *)(columns + {len(NUMBERS) + len(WHOLE)}LL * count)"
    columns |= {name: f"{short} + {k} * count" for k, name in enumerate(SHORT)}
    structs: list[tuple[Any, dict[str, str]]] = [
        (Batch, {"images": "images", "height": f"{height}", "width": f"{width}", "starts": "(long long *)given",
                 "steps": "given + frames", "frames": "frames"}),
        (Schedule, {"count": "count", "most": "most", "age": "age"}),
        (Windows, columns),
    ]  # fmt: skip
    last: list[tuple[Any, dict[str, str]]] = [
        (ReferenceSet, {
            "refs.w": f"{window}", "refs.pitch": f"{layout.pitch}", "refs.p": "2", "refs.mask": "mask",
            "refs.lever": "lever", **{f"refs.{name}": name for name in REFERENCES}, "tiles.values": "tiles",
            "tiles.side": f"{side}", "tiles.stride": f"{stride}", "tiles.edge": f"{edge}",
            "tiles.size": f"{side - 2 * edge}", "tiles.across": f"{layout.across}", "tiles.middle": "(double *)0",
            "tiles.table": "table"}),
        (Limits, {"accept": f"*({structure(Accept.layout)} *)limits",
                  "noise": f"*({structure(NoiseModel.layout)} *)(limits + {len(Accept.layout.fields)})",
                  **dict.fromkeys(("stripes.share", "stripes.slopes", "stripes.middle"), "0.0")}),
    ]  # fmt: skip
    found = {"x": "found", "y": "found + count", "bend": "(double *)0", "score": "found + 2LL * count",
             "phase": "found + 3LL * count", "rest": "found + 4LL * count",
             "converged": "(long long *)(found + 5LL * count)"}  # fmt: skip
    trial = {"values": "values", "flags": "flags", "work": f"values + {_values(layout)}"}
    sightings = {"given": "0", "records": "made + 2LL * count", "done": "(long long *)made",
                 "turned": "(long long *)made + count"}  # fmt: skip
    parameters = (
        "double *given, double *made, double *pixels, double *norm, double *jacobian, double *inverse,\n"
        "    long long *textured, double *tiles, double *mask, double *lever, double *table, double *limits,\n"
        "    double *found, double *room, long long *flags_all,\n"
        "    const int frames, const int count, const long long most, const long long age"
    )
    arguments = ",\n            ".join([
        "p", *(passed(kind.shape, values) for kind, values in structs), "table",
        *(passed(kind.shape, values) for kind, values in last), f"(long long *)(columns + {WORDS - 1}LL * count)",
        passed(Fit.shape, found), "found + 6LL * count", passed(Trial.shape, trial),
        passed(Sightings.shape, sightings)])  # fmt: skip
    body = f"""\
    if (threadIdx.x >= {TEAM}) return;
    double *const columns = given + 2 * frames;
    double *const values = room + (size_t)blockIdx.x * {_values(layout) + _work(layout)};
    long long *const flags = flags_all + 8LL * blockIdx.x;
    for (int p = blockIdx.x; p < count; p += gridDim.x) {{
        loop_follow_one(
            {arguments});
        team_wait();
    }}
"""
    return window_program(follow_one, pixels, parameters, body, wide=False)


class DeviceTracking(DeviceWindows):
    """What follows the windows of one tracker on a device.

    Args:
        device: where the frames lie (`kernels.executors.device.Device`).
        type_: of the frames.
        anchors: references, of windows that only move.
        limits: as `batch_tracking_loops.frames` takes them.
    """

    def __init__(self, device: Any, type_: Any, anchors: Anchors, limits: Limits) -> None:
        o = self.layout = anchors.layout
        super().__init__(device, type_, tracking(o.w, anchors.side, anchors.stride, anchors.edge,
                                                 type_.dtype.numpy.name, type_.height, type_.width))  # fmt: skip
        self._version = -1
        numbers = np.concatenate((limits.accept.block, limits.noise.block))
        for name, array in (("mask", o.mask), ("lever", o.lever), ("table", TABLE), ("limits", numbers)):
            self.put(name, np.asarray(array))

    def follow(
        self, images: LyingImages, steps: Sequence[float], corners: Corners, refs: References, windows: Windows,
        age: int, most: int,
    ) -> Sightings:  # fmt: skip
        """Where windows are in frames.

        Args:
            steps: frames since the frame before, each.
            corners: the windows; refs: their references; windows: their columns.
            age: frames since the first one, before these.
            most: frames averaged in references.
        """
        count, frames, anchors = len(corners.t), len(images), corners.anchors
        each = _values(self.layout) + _work(self.layout)
        blocks = blocks_of(count, 8 * each)
        if anchors.version != self._version:
            slots = int(corners.t["slot"].max()) + 1
            for name in REFERENCES:
                self.put(name, getattr(refs, name)[:slots])
            self.put("tiles", anchors.tiles[:slots])
            self._version = anchors.version
        short = np.concatenate([_column(windows, name)[:count].astype(np.int32) for name in SHORT])
        given = np.concatenate([
            self.starts(images).view(np.float64), np.array(steps, np.float64),
            *(_column(windows, name)[:count] for name in NUMBERS),
            *(_column(windows, name)[:count].view(np.float64) for name in WHOLE), short.view(np.float64),
            np.arange(count).view(np.float64)])  # fmt: skip
        size = 8 * count * (2 + SIGHTING * frames)
        up, down = self.put("given", given), self.room("made", size)
        memory = [up, down, *(self.there(name) for name in (*REFERENCES, "tiles", "mask", "lever", "table", "limits")),
                  self.room("found", 8 * FOUND * count), self.room("room", 8 * blocks * each),
                  self.room("flags", 64 * blocks)]  # fmt: skip
        numbers = (np.int32(frames), np.int32(count), np.int64(most), np.int64(age))
        made = self.run(images, blocks, (*memory, *numbers), down, size)
        ends = made[: 16 * count].view(np.int64)
        return Sightings(1, made[16 * count :].view(np.float64), ends[:count], ends[count:])


    def keep(self, image: LyingImage) -> KeptThere:
        """A frame, to be looked at when its batch is there no longer, until the next one is kept."""
        size = self.type.nbytes
        place = image.images.first + image.place
        self.copied(image.images, self.room("kept", size), place * size, size)
        return KeptThere(self, image.shape, image.dtype)


class KeptThere:
    """A picture on a device that somebody may want here.

    Args:
        device: what keeps it.
        shape, dtype: of the array.
    """

    def __init__(self, device: DeviceTracking, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._device, self._shape, self._dtype = device, shape, dtype

    def fetched(self) -> Array:
        """It, here."""
        made: Array = self._device.fetched("kept", self._device.type.nbytes).view(self._dtype).reshape(self._shape)
        return made


def _parts(kind: Any) -> list[tuple[str, Any]]:
    return [(name.partition(".")[2], part) for name, part in flat("", kind.shape)]


def _column(windows: Windows, name: str) -> Array:
    """A column by its name."""
    struct, _, field = name.partition(".")
    column: Array = getattr(getattr(windows, struct), field)
    return column
