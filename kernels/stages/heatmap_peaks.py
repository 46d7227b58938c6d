"""Points where the heat maps of a network are highest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders import heatmaps
from kernels.decoders.heatmaps import METHODS, PIXELS
from kernels.decoders.placed import lazy_by, of_floats, tables_of_placed
from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import F32, ImageType
from kernels.ir.placement import check_placement, placements
from kernels.ir.table import FEATURE, KEYPOINT, Table, TableType
from kernels.param import Param, Value
from kernels.stage import stage

# For plans, measured on one core at 3 GHz or so: seconds of a call, a number of the maps, a channel.
CALL, SCANNED, EACH = 2e-5, 1.5e-10, 3e-7
_MOST_ROWS = 1 << 16


@stage(
    category="Features",
    inputs=("maps", "offsets", "placement"),
    optional=("offsets", "placement"),
    params=(
        Param("method", "choice", "dark", "how a peak between pixels is found: the vertex of parabolas, Taylor's "
              "expansion of the logarithm (DARK), the mean of what is around (integral), not at all (pixel)",
              choices=METHODS, structural=True),
        Param("threshold", "float", 0.2, "peaks must be higher"),
        Param("instances", "int", 1, "peaks of a channel at most", low=1, high=1024, structural=True),
        Param("separation", "float", 3.0, "of a channel's peaks nearer than so many pixels of a map the highest stays",
              unit="px", low=0.0, high=4096.0),
        Param("window", "int", 2, "of an integral: so far around the highest pixel", unit="px", low=1, high=64),
        Param("scatter", "float", 0.085, "standard uncertainty of a place, of the width of a peak of height 1; as "
              "measured with the network of quadrant-targets", unit="1", low=1e-4, high=10.0),
        Param("offset_scale", "float", 7.2801, "an offset of 1 (DeepLabCut: locref_stdev)", unit="px", low=0.0),
        Param("stride", "float", 0.0, "pixels of what the network gets that one of the maps covers; 0: by their sizes, "
              "where a placement tells them", unit="px", low=0.0, high=4096.0),
        Param("pixels", "choice", "half", "where pixel k of a map lies in what the network gets: (k + 1/2) stride - "
              "1/2, k stride (corner: SLEAP), k stride + stride/2 (middle: DeepLabCut)", choices=PIXELS,
              structural=True),
    ),
    opaque=True,
)  # fmt: skip
def heatmap_peaks(maps: ValueType, offsets: ValueType | None, placement: ValueType | None, instances: int,
                  **_: Value) -> Host:  # fmt: skip
    """Where each channel of heat maps is highest: `out` are rows of FEATURE, `points` the same as rows of KEYPOINT.

    Rows go by channel (`point`), those of a channel by height (`instance`; several are not sorted into animals).
    x, y are px of the frame where `placement` tells where what the network got lies in it (output `placement` of
    `network`), else px of what the network got, or, without a stride, of the map. mass, peak and score are the map's
    value at the pixel, area is 1. With several instances a peak is the largest of 3x3 pixels; what the table, or the
    list of 4096 maxima of a frame, has no room for is counted as overflow. Numbers that are NaN are no peaks.

    parabola: the vertex of the parabolas through the pixel and its neighbours, along x and y. dark: the maximum of
    Taylor's expansion of the logarithm to second order, which is exact for a Gaussian of any width and direction
    (Zhang et al., Distribution-aware coordinate representation, CVPR 2020; smooth the maps before for their
    modulation); at the map's edge, and where that has no maximum within a pixel, the parabola. integral: the mean place
    of what is above 0 in a window, weighted by the value (integral regression; Sun et al., ECCV 2018); it pulls towards
    the pixel as far as the window cuts off. dark and integral give a covariance xx, xy, yy (minus the inverse of the
    logarithm's second derivatives; the moments of the window): over how much the network spreads a peak, and in which
    direction (anisotropy). How much its place scatters is learnt nowhere, but the wider and the lower a peak the more:
    sigma = scatter x width / height (.1 at least, 1 at most), where the width is the root of (xx + yy) / 2. The scatter
    of .085 is one number for one network: that of `quadrant-targets`, on simulated scenes like those that it was
    trained on. On 18 such clips the variance of error / sigma was .74 to 1.5 a clip (1.05 on average; 1.17 of tracks,
    since errors of frames that follow one another are alike). Of another network, or of real pictures, nothing is
    known: measure it where truth is known, and set it. The other methods give NaN.

    offsets: an image of two channels a channel of the maps, x and y, added at the pixel times `offset_scale`, in px of
    what the network gets (DeepLabCut's locref; method = "pixel", pixels = "middle").

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> y, x = np.mgrid[0:9, 0:9]
    >>> maps = np.exp(-((x - 3.3) ** 2 + (y - 4.8) ** 2) / (2 * 1.5**2)).astype(np.float32)
    >>> row = evaluate(heatmap_peaks, maps)["points"].rows[0]
    >>> [round(float(row[name]), 3) for name in ("x", "y", "score", "sigma")]
    [3.3, 4.8, 0.972, 0.131]
    """
    if not isinstance(maps, ImageType) or not maps.dtype.is_float:
        raise DefinitionError(f"its maps are an image of floats, not {maps}")
    if offsets is not None:
        wanted = ImageType(F32, maps.height, maps.width, 2 * maps.channels)
        if not isinstance(offsets, ImageType) or offsets.shape != wanted.shape or not offsets.dtype.is_float:
            raise DefinitionError(f"its offsets are an image of two channels a channel of the maps, {wanted}, not "
                                  f"{offsets}")  # fmt: skip
    check_placement(placement)
    capacity = maps.channels * instances
    if capacity > _MOST_ROWS:
        raise DefinitionError(f"{instances} peaks for each of {maps.channels} channels are more than {_MOST_ROWS}")
    shape = maps.height, maps.width, maps.channels

    types = {"out": TableType(FEATURE, capacity), "points": TableType(KEYPOINT, capacity)}

    def batch(inputs: Sequence[Any], params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        def peaks(parts: Sequence[Any], placed: npt.NDArray[Any]) -> Sequence[Sequence[Table]]:
            return heatmaps.heatmap_peaks(parts[0].reshape(len(placed), *shape), parts[1], placed, params)

        given = [None if image is None else np.asarray(image) for image in inputs[:2]]
        return tables_of_placed(given, placements(inputs[2], len(inputs[0])), types, peaks)

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        made = batch([None if data is None else np.asarray(data)[None] for data in inputs], params)
        return {name: data[0] for name, data in made.items()}

    seconds = CALL + maps.height * maps.width * maps.channels * SCANNED + capacity * EACH
    decoder = of_floats(heatmaps.HeatmapPeaks(shape, offsets is not None, instances), (maps, offsets))
    return Host(types, run, batch, seconds, lazy=lazy_by((0, 1), 2) if placement else None, decoder=decoder)
