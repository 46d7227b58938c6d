"""Windows that learn no more, followed on a GPU, where their frames lie (`windows.device_windows`).

Each window goes through the frames of a batch by itself (`following_loops`), as far as it needs no more than that. Of
each frame its place, score and variance come down, 32 bytes, and where some turn or deform their deformations, too, 168
bytes; and the host goes through the batch by these (`batch_tracking`), up to the first frame in which a window needed
more. References go up when they change, what is known of windows, 272 bytes each, with every batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.cuda_loops import TEAM, passed, structure
from kernels.loops.structs import flat
from pipelines.trackers.lying_images import LyingImage, LyingImages
from pipelines.trackers.registration.batch.following_loops import SIGHTING, TURNED, follow_one
from pipelines.trackers.registration.batch.structs import Accept, Limits, Sightings, Sought, Trial, Windows
from pipelines.trackers.registration.noise.structs import NoiseModel
from pipelines.trackers.registration.reference.corners import Corners
from pipelines.trackers.registration.reference.reference_subset import Anchors
from pipelines.trackers.registration.reference.structs import Schedule
from pipelines.trackers.registration.warp.fit import Layout, References
from pipelines.trackers.registration.warp.fit_loops import SPAN
from pipelines.trackers.registration.windows.device_windows import DeviceWindows, blocks_of, window_program
from pipelines.trackers.registration.windows.structs import Batch, ReferenceSet
from pipelines.trackers.registration.windows.taps import TABLE

Array = npt.NDArray[Any]


NUMBERS = ("motion.x", "motion.y", "motion.vx", "motion.vy", "motion.p00", "motion.p01", "motion.p11", "motion.px",
           "motion.py", "motion.gap", "motion.pvar", "motion.drift", "motion.level", "deformation.tested",
           "deformation.misfit", "learnt.grain", "learnt.offset")  # fmt: skip
BENDS = ("deformation.bend", "deformation.turn", "deformation.drawn")
WHOLE = ("learnt.slot", "learnt.averaged")
SHORT = ("learnt.looks", "learnt.closed")
"""Columns that go up with a batch: f64, f64 of which a window has four, i64, and i32, of which two lie in one word. Of
the others nothing is asked."""
OTHERS = len(NUMBERS) + 4 * len(BENDS) + len(WHOLE)
"""Words of a window before its number, how many parameters it has, and what is SHORT."""
REFERENCES = ("pixels", "norm", "jacobian", "inverse", "textured")
MODELS = (2, 3, 6)
"""Parameters that windows may have."""
FOUND = 20
"""Words of a window in which it is fitted: seven of a fit, four and eight of its deformation, and a flag."""
_POINTERS = {"F64": "double *", "I64": "long long *", "I32": "int *"}
_REFERENCES = {name: "long long *" if name == "textured" else "double *" for name in REFERENCES}


def _room(layout: Layout) -> tuple[int, int, int]:
    """Numbers of `Trial.values`, of `Trial.work`, and of `Sought.saved` of a window."""
    o = layout
    tile = (o.w + 6) * o.across
    fitted = 64 + (o.w + SPAN) * (o.pitch + 16) + (o.w + 7) * o.pitch + 9 * (o.pitch + 8)
    drawn = tile + 256 + 8 * o.pitch
    return 7 * o.area + 192 + tile, 128 + max(fitted, drawn), 7 * o.area + 36 + 8


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
    values, work, saved = _room(layout)
    # Columns that the kernel does not use are null pointers of their type; the others are parts of one upload.
    columns = {name: f"({_POINTERS[str(kind)]})0" for name, kind in _parts(Windows)}
    columns |= {name: f"columns + {k}LL * count" for k, name in enumerate(NUMBERS)}
    columns |= {name: f"columns + {len(NUMBERS) + 4 * k}LL * count" for k, name in enumerate(BENDS)}
    columns |= {name: f"(long long *)(columns + {OTHERS - len(WHOLE) + k}LL * count)" for k, name in enumerate(WHOLE)}
    columns |= {name: f"(int *)(columns + {OTHERS + 2}LL * count) + {k} * count" for k, name in enumerate(SHORT)}
    accept, noise = len(Accept.layout.fields), len(NoiseModel.layout.fields)
    given: list[tuple[Any, dict[str, str]]] = [
        (Batch, {"images": "images", "height": f"{height}", "width": f"{width}", "starts": "(long long *)given",
                 "steps": "given + frames", "frames": "frames"}),
        (Schedule, {"count": "count", "most": "most", "age": "age"}),
        (Windows, columns),
    ]  # fmt: skip
    asked: list[tuple[Any, dict[str, str]]] = [
        (ReferenceSet, {
            "refs.w": f"{window}", "refs.pitch": f"{layout.pitch}", "refs.p": "many", "refs.mask": "mask",
            "refs.lever": "lever", **{f"refs.{name}": name for name in REFERENCES}, "tiles.values": "tiles",
            "tiles.side": f"{side}", "tiles.stride": f"{stride}", "tiles.edge": f"{edge}",
            "tiles.size": f"{side - 2 * edge}", "tiles.across": f"{layout.across}", "tiles.middle": "(double *)0",
            "tiles.table": "table"}),
        (Limits, {"accept": f"*({structure(Accept.layout)} *)limits",
                  "noise": f"*({structure(NoiseModel.layout)} *)(limits + {accept})",
                  **{f"stripes.{name}": f"limits[{accept + noise + k}]"
                     for k, name in enumerate(("share", "slopes", "middle"))}}),
        (Sought, {"fits.x": "found", "fits.y": "found + count", "fits.score": "found + 2LL * count",
                  "fits.phase": "found + 3LL * count", "fits.rest": "found + 4LL * count",
                  "fits.converged": "(long long *)(found + 5LL * count)", "variance": "found + 6LL * count",
                  "fits.bend": "found + 7LL * count", "next": "found + 11LL * count",
                  "flags": "(long long *)(found + 19LL * count)", "saved": f"values + {values + work}",
                  "every": f"(long long *)(columns + {OTHERS}LL * count)"}),
        (Trial, {"values": "values", "flags": "flags", "work": f"values + {values}"}),
        (Sightings, {"given": "0", "width": "size", "records": "made + 2LL * count", "done": "(long long *)made",
                     "turned": "(long long *)made + count"}),
    ]  # fmt: skip
    sets = ", ".join(f"{kind}{name}{p}" for p in MODELS for name, kind in _REFERENCES.items())
    parameters = (
        f"double *given, double *made, {sets},\n"
        "    double *tiles, double *mask, double *lever, double *table, double *limits, double *found, double *room,\n"
        "    long long *flags_all, const int frames, const int count, const int size, const long long most,\n"
        "    const long long age"
    )
    choices = "\n        ".join(f"{kind}const {name} = many == 2 ? {name}2 : many == 3 ? {name}3 : {name}6;"
                                for name, kind in _REFERENCES.items())  # fmt: skip
    arguments = ",\n            ".join([
        "p", *(passed(kind.shape, names) for kind, names in given), "textured2",
        *(passed(kind.shape, names) for kind, names in asked)])  # fmt: skip
    body = f"""\
    if (threadIdx.x >= {TEAM}) return;
    double *const columns = given + 2 * frames;
    double *const values = room + (size_t)blockIdx.x * {values + work + saved};
    long long *const flags = flags_all + 8LL * blockIdx.x;
    for (int p = blockIdx.x; p < count; p += gridDim.x) {{
        const long long many = ((long long *)(columns + {OTHERS + 1}LL * count))[p];
        {choices}
        if (team_lane() == 0) ((long long *)(found + 19LL * count))[p] = 0;
        team_wait();
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
        anchors: of the windows.
        limits: as `batch_tracking_loops.frames` takes them.
    """

    def __init__(self, device: Any, type_: Any, anchors: Anchors, limits: Limits) -> None:
        o = self.layout = anchors.layout
        super().__init__(device, type_, tracking(o.w, anchors.side, anchors.stride, anchors.edge,
                                                 type_.dtype.numpy.name, type_.height, type_.width))  # fmt: skip
        self.version = -1
        """Of the references that are there (`Anchors.version`)."""
        stripes = limits.stripes
        numbers = np.concatenate((limits.accept.block, limits.noise.block,
                                  [stripes.share, stripes.slopes, stripes.middle]))  # fmt: skip
        for name, array in (("mask", o.mask), ("lever", o.lever), ("table", TABLE), ("limits", numbers)):
            self.put(name, np.asarray(array))

    def follow(
        self, images: LyingImages, steps: Sequence[float], corners: Corners, sets: Mapping[int, References],
        windows: Windows, age: int, most: int,
    ) -> Sightings:  # fmt: skip
        """Where windows are in frames.

        Args:
            steps: frames since the frame before, each.
            corners: the windows; windows: their columns.
            sets: references by how many parameters they have.
            age: frames since the first one, before these.
            most: frames averaged in references.
        """
        count, frames, anchors = len(corners.t), len(images), corners.anchors
        each = sum(_room(self.layout))
        blocks = blocks_of(count, 8 * each)
        # References go up only when they changed.
        if anchors.version != self.version:
            slots = int(corners.t["slot"].max()) + 1
            for p, refs in sets.items():
                for name in REFERENCES:
                    self.put(f"{name}{p}", getattr(refs, name)[:slots])
            self.put("tiles", anchors.tiles[:slots])
            self.version = anchors.version
        parameters = corners.parameters()
        width = SIGHTING if (parameters == 2).all() else TURNED
        # i32 columns are viewed as f64, so that all goes up as one array.
        short = np.concatenate([_column(windows, name)[:count].astype(np.int32) for name in SHORT])
        whole = [*(_column(windows, name)[:count] for name in WHOLE), np.arange(count), parameters]
        given = np.concatenate([
            self.starts(images).view(np.float64), np.array(steps, np.float64),
            *(_column(windows, name)[:count].reshape(-1) for name in (*NUMBERS, *BENDS)),
            *(column.astype(np.int64).view(np.float64) for column in whole), short.view(np.float64)])  # fmt: skip
        size = 8 * count * (2 + width * frames)
        up, down = self.put("given", given), self.room("made", size)
        none = self.room("none", 8)  # in place of references that no window has
        memory = [up, down, *(self.there(f"{name}{p}") if p in sets else none for p in MODELS for name in REFERENCES),
                  *(self.there(name) for name in ("tiles", "mask", "lever", "table", "limits")),
                  self.room("found", 8 * FOUND * count), self.room("room", 8 * blocks * each),
                  self.room("flags", 64 * blocks)]  # fmt: skip
        numbers = (np.int32(frames), np.int32(count), np.int32(width), np.int64(most), np.int64(age))
        made = self.run(images, blocks, (*memory, *numbers), down, size)
        ends = made[: 16 * count].view(np.int64)
        return Sightings(1, width, made[16 * count :].view(np.float64), ends[:count], ends[count:])

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
