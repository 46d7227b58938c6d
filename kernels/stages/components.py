"""Connected components of a mask, with sub-pixel centres from the gray values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.centroid import FEATURE_DTYPE, ROUNDING, gaussian_centres
from kernels.errors import DefinitionError
from kernels.host_cv import cv2
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import BOOL, U8, ImageType
from kernels.ir.table import FEATURE, Table, TableType
from kernels.param import Param, Value
from kernels.regions import first_seen, grow, largest, levels, shared, split_at_valleys
from kernels.stage import stage
from kernels.stages.threshold import POLARITY

Array = npt.NDArray[Any]
_RING = 2  # px


@stage(
    inputs=("mask", "weights"),
    optional=("weights",),
    params=(
        Param("min_area", "int", 1, "smaller components are left out", unit="px", low=1),
        Param("max_area", "int", 0, "larger components are left out; 0 for no limit", unit="px", low=0),
        POLARITY,
        Param("background", "choice", "ring", "what is taken off the weights: the level around each, or `level`",
              choices=("ring", "level"), structural=True),
        Param("level", "float", 0.0, "the level taken off, for background = level"),
        Param("grow", "int", 2, "how far light beyond the mask counts", unit="px", low=0, high=20),
        Param("split", "float", 0.0, "components are split where maxima are farther apart than this; 0 for never",
              unit="px", low=0.0, high=200.0),
        Param("split_depth", "float", 0.05, "share by which light sinks between two maxima that are split", unit="1",
              low=0.0, high=1.0),
        Param("refine_sigma", "float", 0.0, "centres by a Gaussian-weighted centroid of this width; 0 for moments",
              unit="px", low=0.0, high=20.0),
        Param("connectivity", "choice", "8", "neighbours that belong together", choices=("4", "8"), structural=True),
        Param("capacity", "int", 4096, "rows of the table", low=1, high=1_000_000, structural=True),
    ),
    opaque=True,
)  # fmt: skip
def components(mask: ValueType, weights: ValueType | None, capacity: int, **_: Value) -> Host:
    """Connected components of a mask (bool or u8, nonzero inside), a row of `FEATURE` each.

    Rows stand in the raster order of the components' first pixels, parts that `split` makes after them; of more than
    `capacity` the first stay and the rest is counted as overflow.

    Without weights: x, y, xx, xy, yy are the mean and the central moments of the pixels, mass = area, peak = 1, sigma
    is NaN. With weights w (an image, of which `polarity` dark takes the negative): the sums run over
    v = w - background within the component grown by `grow` px (a pixel reached by two counts half for each), so that
    neither the threshold nor the ground pulls the centre: mass = sum v, x = sum v x / mass, xx = sum v (x - x0)^2 /
    mass ...; peak is the largest v in the mask, area counts the mask's pixels. The ring is 2 px wide, its level the
    mean of its middle half (where nothing is around, the component's darkest pixel). sigma follows from the ring's
    scatter and the rounding of whole gray values alone, so it leaves out the shot noise of the blob's own light. A
    component with no light above the ground takes the mean of its pixels and sigma = NaN. Weights that are no finite
    numbers are left out.

    refine_sigma > 0 replaces x, y and sigma of components not wider than twice that by `gaussian_centres` (S-curve
    below 0.001 px, noise at the Cramer-Rao bound, touching blobs after `split`); sigma then includes the shot noise.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> spot = np.array([[9, 9, 9, 9, 9], [9, 30, 90, 9, 9], [9, 9, 9, 9, 9]], np.uint8)
    >>> table = evaluate(components, spot > 20, spot, grow=0)
    >>> table.rows[["x", "y", "mass", "area"]].tolist()
    [(1.7941176470588236, 1.0, 102.0, 2.0)]
    """
    if not isinstance(mask, ImageType) or mask.channels != 1 or mask.dtype not in (BOOL, U8):
        raise DefinitionError(f"it takes a mask of one channel, bool or u8, not {mask}")
    if weights is not None:
        if not isinstance(weights, ImageType) or weights.channels != 1:
            raise DefinitionError(f"its weights are an image of one channel, not {weights}")
        if (weights.height, weights.width) != (mask.height, mask.width):
            raise DefinitionError(f"mask and weights differ in size: {mask} and {weights}")

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        inside = np.ascontiguousarray(inputs[0]).astype(np.bool_)
        image = None if inputs[1] is None else np.asarray(inputs[1])
        rows, overflow = measure(inside, image, params)
        return {"out": Table(rows[:capacity], overflow + max(0, len(rows) - capacity))}

    return Host({"out": TableType(FEATURE, capacity)}, run)


def measure(mask: Array, image: Array | None, params: Mapping[str, Any]) -> tuple[Array, int]:
    """Rows of `FEATURE` for the components of a bool mask, and how many components found no room."""
    width = mask.shape[1]
    _, picture, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
        mask.view(np.uint8), int(params["connectivity"]), cv2.CV_32S, cv2.CCL_BBDT
    )
    area = stats[:, cv2.CC_STAT_AREA]
    wanted = (area >= params["min_area"]) & ((params["max_area"] == 0) | (area <= params["max_area"]))
    wanted[0] = False
    pixels = np.flatnonzero(mask)
    labels = picture.reshape(-1)[pixels]
    inside = wanted[labels]
    pixels, labels = pixels[inside], labels[inside]
    # OpenCV promises no order of its labels.
    order = np.argsort(first_seen(labels, len(area)), kind="stable")[: min(wanted.sum(), params["capacity"])]
    number = np.full(len(area), -1)
    number[order] = np.arange(len(order))
    labels = number[labels]
    pixels, labels = pixels[labels >= 0], labels[labels >= 0]
    overflow = int(wanted.sum()) - len(order)
    y, x = np.divmod(pixels, width)
    if image is None:
        return _moments(x, y, labels, np.ones(len(x)), len(order)), overflow
    light = image.astype(np.float32)
    if params["polarity"] == "dark":
        np.negative(light, out=light)
    grain = 0.0 if image.dtype.kind == "f" else ROUNDING
    return _weighed(x, y, labels, len(order), light, params, grain), overflow


def _weighed(
    x: Array, y: Array, labels: Array, count: int, light: Array, params: Mapping[str, Any], grain: float
) -> Array:
    """Rows from gray values, for core pixels x, y of `count` labels; a pixel's variance is at least `grain`."""
    height, width = light.shape
    core = (y + 1) * (width + 2) + x + 1
    if params["split"] > 0:
        smooth = cv2.GaussianBlur(np.where(np.isfinite(light), light, 0), (0, 0), params["split"] / 4.0)
        smooth = cv2.copyMakeBorder(smooth, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
        labels, count = split_at_valleys(core, labels, count, smooth, params["split"], params["split_depth"])
    canvas = np.zeros((height + 2, width + 2), np.int32)
    canvas.reshape(-1)[core] = labels + 1
    rings = grow(canvas, params["grow"] + (_RING if params["background"] == "ring" else 0))
    padded = cv2.copyMakeBorder(light, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0).reshape(-1)
    ground, noise = _ground(core, labels, count, padded, rings[params["grow"] :], params)
    pixels, owners, share = shared(rings[: params["grow"]])
    pixels, owners = np.concatenate((core, pixels)), np.concatenate((labels, owners))
    share = np.concatenate((np.ones(len(core)), share))
    value = padded[pixels]
    share = np.where(np.isfinite(value), share, 0.0)  # a dead pixel has no say
    v = np.where(share > 0, value - ground[owners], 0.0) * share
    py, px = np.divmod(pixels, width + 2)
    plain = _moments(x, y, labels, np.ones(len(x)), count)
    rows = _moments(px - 1, py - 1, owners, v, count)
    rows["area"] = plain["area"]
    rows["peak"] = largest(labels, v[: len(labels)], count)
    lever = np.bincount(owners, share**2 * ((px - 1 - rows["x"][owners]) ** 2 + (py - 1 - rows["y"][owners]) ** 2),
                        count)  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        rows["sigma"] = np.sqrt(0.5 * lever * np.maximum(noise, grain)) / rows["mass"]
    reach = np.sqrt(plain["area"]) + params["grow"]
    dark = ~(rows["mass"] > 0) | ~(np.hypot(rows["x"] - plain["x"], rows["y"] - plain["y"]) <= reach)
    for name in ("x", "y", "sigma"):
        rows[name] = np.where(dark, plain[name], rows[name])
    flat = dark | ~((rows["xx"] > 0) & (rows["yy"] > 0))  # noise can leave a negative second moment
    for name in ("xx", "xy", "yy"):
        rows[name] = np.where(flat, plain[name], rows[name])
    if params["refine_sigma"] > 0:
        _refine(rows, light, params["refine_sigma"], grain)
    return rows


def _ground(
    core: Array, labels: Array, count: int, padded: Array, rings: list[tuple[Array, Array, Array]],
    params: Mapping[str, Any],
) -> tuple[Array, Array]:  # fmt: skip
    """The background of each label and the variance of a pixel."""
    if params["background"] == "level":
        sign = 1.0 if params["polarity"] == "bright" else -1.0
        return np.full(count, sign * params["level"]), np.full(count, np.nan)
    around, owners, _ = shared(rings)
    there = np.isfinite(padded[around])
    ground, noise, number = levels(owners[there], padded[around[there]], count)
    value = padded[core]
    darkest = -largest(labels, np.where(np.isfinite(value), -value, -np.float32(3e38)), count)
    return np.where(number > 0, ground, darkest), np.where(number > 0, noise, np.nan)


def _moments(x: Array, y: Array, labels: Array, v: Array, count: int) -> Array:
    """Rows with the weighted mean and central moments of labelled pixels; `area` counts them, sigma is NaN."""
    rows = np.zeros(count, FEATURE_DTYPE)
    rows["area"] = np.bincount(labels, minlength=count)
    rows["mass"] = mass = np.bincount(labels, v, count)
    rows["peak"], rows["sigma"] = 1.0, np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        for name, place in (("x", x), ("y", y)):
            # From the middle of the label's pixels, so that a far corner of the picture costs no digits.
            middle = np.bincount(labels, place, count) / np.maximum(rows["area"], 1)
            rows[name] = middle + np.bincount(labels, v * (place - middle[labels]), count) / mass
        dx, dy = x - rows["x"][labels], y - rows["y"][labels]
        for name, product in (("xx", dx * dx), ("xy", dx * dy), ("yy", dy * dy)):
            rows[name] = np.bincount(labels, v * product, count) / mass
    return rows


def _refine(rows: Array, light: Array, sigma: float, grain: float) -> None:
    small = np.flatnonzero(0.5 * (rows["xx"] + rows["yy"]) <= 4.0 * sigma * sigma)
    found = gaussian_centres(light, rows["x"][small], rows["y"][small], sigma, grain)
    seen = np.isfinite(found["sigma"])
    for name in ("x", "y", "sigma"):
        rows[name][small[seen]] = found[name][seen]
