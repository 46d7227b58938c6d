"""Connected components of a mask, with sub-pixel centres from the gray values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.components.blobs import measure, reach
from kernels.components.mask_table import MaskComponents
from kernels.components.outlines import CENTRES
from kernels.components.weighed_table import WeighedComponents
from kernels.errors import DefinitionError
from kernels.ir.bits import Bits
from kernels.ir.body import Datum, Host, Near, ValueType
from kernels.ir.image import BOOL, U8, ImageType
from kernels.ir.table import FEATURE, Table, TableType
from kernels.loops.fractions import Fractions
from kernels.param import Param, Value
from kernels.stage import stage
from kernels.stages.threshold import POLARITY

# For plans, measured on one core at 3 GHz or so: seconds of a call, a pixel of the mask, a component: of a mask alone,
# with weights, with its centre.
CALL, SCANNED = 5e-5, 5e-11
ALONE, WEIGHED, REFINED = 0.8e-6, 1.2e-6, 1.5e-6
TYPICAL = 100  # components in a frame


@stage(
    category="Features",
    inputs=("mask", "weights"),
    optional=("weights",),
    params=(
        Param("min_area", "int", 1, "smaller components are left out", unit="px^2", low=1),
        Param("max_area", "int", 0, "larger components are left out; 0 for no limit", unit="px^2", low=0),
        Param("max_share", "float", 1.0, "components that fill more of the picture are left out; 1 for no limit",
              unit="1", low=0.0, high=1.0),
        POLARITY,
        Param("centre", "choice", "light", "centres of their light, of what their outlines enclose (shape), or of the "
              "ellipses of these: for pupils, and what has reflections", choices=CENTRES, structural=True),
        Param("background", "choice", "slope", "what is taken off the weights: the level or the sloping plane around "
              "each, or `level`", choices=("ring", "slope", "level"), structural=True),
        Param("level", "float", 0.0, "the level taken off, for background = level"),
        Param("grow", "int", 2, "how far light beyond the mask counts", unit="px", low=0, high=20),
        Param("split", "float", 0.0, "components are split where maxima are farther apart than this; 0 for never; auto "
              "takes 1.8 refine_sigma, or the length of what is oblong; without refine_sigma half the diameter of "
              "things that touch, if any do", unit="px", low=0.0, high=200.0, auto=True),
        Param("split_depth", "float", 0.05, "share by which light sinks between two maxima that are split", unit="1",
              low=0.0, high=1.0),
        Param("refine_sigma", "float", 0.0, "width of the blobs whose centres are refined; 0 for moments; auto takes "
              "1.4 px, or 0 where most of what is found is oblong", unit="px", low=0.0, high=20.0, auto=True),
        Param("refine", "choice", "auto", "centres of small blobs: best for each, Gaussian-weighted centroids, radial "
              "symmetry or moments", choices=("auto", "gaussian", "radial", "moments"), structural=True),
        Param("connectivity", "choice", "8", "neighbours that belong together", choices=("4", "8"), structural=True),
        Param("capacity", "int", 1_000_000, "most rows of a frame's table, 112 bytes each as they come: 112 MB a frame",
              low=1, high=1_000_000, structural=True),
    ),
    opaque=True,
)  # fmt: skip
def components(mask: ValueType, weights: ValueType | None, capacity: int, **others: Value) -> Host:
    """Connected components of a mask (bool or u8, nonzero inside), a row of `FEATURE` each.

    Rows are in the raster order of the components' first pixels, parts that `split` makes after them; of more than
    `capacity` the first stay and the rest is counted as overflow.

    Without weights: x, y, xx, xy, yy are the mean and the central moments of the pixels, mass = area, peak = 1, sigma
    is NaN. With weights w (an image, of which `polarity` dark takes the negative): the sums run over v = w - background
    within the component grown by `grow` px (a pixel reached by two counts half for each), so that neither the threshold
    nor the ground pulls the centre: mass = sum v, x = sum v x / mass, xx = sum v (x - x0)^2 / mass ...; peak is the
    largest v in the mask, area counts the mask's pixels. The ring is 2 px wide, its level the mean within 2.5 standard
    deviations (where nothing is around, the component's darkest pixel); slope fits a plane to it instead, which keeps
    shading from pulling the centre and costs a tenth (16 px wide: a third) more noise. Of a component wider than some
    40 px the middle half of the ring gives its level. How a thing that covers such a slope tilts the light above it is
    taken out, too, as far as its flat top tells (`kernels.regions.skew_correction_loops`: of .25 px .01 is left), and
    what may be left is part of sigma; with `ring` sigma knows what a slope does. sigma follows from the ring's scatter,
    the rounding of whole gray values, the noise of the thing's own light, as its own pixels tell
    (`kernels.regions.shot_noise_loops`: what has a pattern of its own gets too much), what the rim of the region cuts
    off (`kernels.regions.boundary_noise_loops`), and a texture of the ground or what lies beside on one side, a bar's
    edge (`kernels.regions.noise_correlation_loops`: before grains of 1 to 4 px 0.8 to 1.3, beside a bar 1.1 to 2).
    Errors in units of sigma have a variance within 20 % of 1 for blobs of SNR 6 to 100 and for discs of 5 px and more
    on any ground, black ones, too; 0.7 to 1.3 for discs of 2.3 px and more, 0.6 to 1.5 from 1.8 px on (with grow = 1
    where a mask ends at half their height 0.1 to 0.3). How the noise moves the mask of what is cut at its rim is in it
    as far as the outermost rings tell (bells more than 2 refine_sigma wide: errors of 1 to 1.5 sigma; a run says so,
    and what to set). It is the root of the mean of the variances of x and of y; anisotropy tells them apart: (that of x
    - that of y) / (their sum). A component with no light above the ground takes the mean of its pixels and sigma = NaN.
    Weights that are no finite numbers are left out. min and max are the least and the largest weight of the mask's
    pixels, as they are in the image, whichever way the centre is found; NaN without weights.

    centre = "shape" and "ellipse" take x, y, area, xx, xy, yy and sigma from the outline instead
    (`kernels.components.outline_loops`; of split parts, too): what its convex hull encloses, or the ellipse that fits
    it best, its points moved to where the light is halfway between the thing's and the ground's. What lies within has
    no say: a reflection in a pupil, a pattern, a hole (light: off by 1 px and by 10 sigma). What cuts into the rim has
    none for an ellipse, up to a quarter of it (a lid); of a shape a chord bridges it (errors of up to 3 sigma). Of
    discs of 18 px and more the errors are a third of those of their light, and have .7 to 1.3 sigma^2, to 1.7 before a
    ground whose texture is 12 px long.
    Things with less than 12 such points keep the centre of their light; refine_sigma is not heeded. Without weights a
    point lies between the pixel that is in and the one that is out, and sigma is that of such a choice.

    refine_sigma > 0 replaces x, y and sigma of components not wider than twice that (those whose rim is out of reach,
    such as discs of more than 2.3 times that radius, keep theirs, oblong ones if they are too wide to be two spots side
    by side) by `centres_in` (S-curve below 0.001 px, noise at the Cramer-Rao bound, touching blobs after `split`;
    the ground is a plane); sigma then includes the shot noise. Unless background = level, those with less than 6.6
    refine_sigma columns and rows (at most 9 for 1.4 px) take mass, peak (within 2 refine_sigma of the middle) and xx,
    xy, yy from the light within 3.3 refine_sigma of the centre, over the window's ground and without their neighbours'
    light: `grow` has no say there. stretch and lean are (xx - yy) / 2 and xy; with refine_sigma those that the weights
    of the centre tell, of which noise moves the least (two things in one lengthen it by an eighth of their squared
    distance). `refine` says how: "gaussian" so; "radial" by radial symmetry (Parthasarathy 2012), which needs the whole
    window in the picture and a round blob (else as "gaussian"); "auto" by radial symmetry where such a blob stands
    alone, is not wider than 1.7 px and 30 times (narrower than 1.1 px: 90 times) as bright as the noise, which gains up
    to 7 % of noise there, else (and where refine_sigma is below 0.76 px: too few gradients) as "gaussian"; "moments"
    not at all.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> spot = np.array([[9, 9, 9, 9, 9], [9, 30, 90, 9, 9], [9, 9, 9, 9, 9]], np.uint8)
    >>> table = evaluate(components, spot > 20, spot, grow=0)
    >>> [round(float(table.rows[name][0]), 6) for name in ("x", "y", "mass", "area")]
    [1.794118, 1.0, 102.0, 2.0]
    """
    if not isinstance(mask, ImageType) or mask.channels != 1 or mask.dtype not in (BOOL, U8):
        raise DefinitionError(f"it takes a mask of one channel, bool or u8, not {mask}")
    if weights is not None:
        if not isinstance(weights, ImageType) or weights.channels != 1:
            raise DefinitionError(f"its weights are an image of one channel, not {weights}")
        if (weights.height, weights.width) != (mask.height, mask.width):
            raise DefinitionError(f"mask and weights differ in size: {mask} and {weights}")

    def batch(inputs: Sequence[Any], params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        inside = inputs[0]
        if not isinstance(inside, Bits):
            masks = np.asarray(inside)
            inside = np.ascontiguousarray(masks if masks.dtype == np.bool_ else masks != 0)
        whole = isinstance(inputs[1], Fractions)
        images = inputs[1] if whole or inputs[1] is None else np.asarray(inputs[1])
        found = measure(inside, images, params)
        return {"out": [Table(rows[:capacity], more + max(0, len(rows) - capacity)) for rows, more in found]}

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        one = [d if d is None or isinstance(d, Fractions) else np.asarray(d)[None] for d in inputs]
        made = batch(one, params)
        return {name: data[0] for name, data in made.items()}

    each = ALONE if weights is None else REFINED if others["refine_sigma"] else WEIGHED
    seconds = CALL + mask.height * mask.width * SCANNED + TYPICAL * each
    aside, size = int(others["connectivity"] == "8"), (mask.height, mask.width)
    decoder: MaskComponents | WeighedComponents | None = None
    if others["centre"] == "light" and weights is None:
        decoder = MaskComponents(size, aside, capacity)
    elif others["centre"] == "light" and weights is not None and WeighedComponents.takes(weights.dtype):
        decoder = WeighedComponents(size, aside, capacity, weights.dtype)
    near = None if weights is None else Near(0, 1, reach)
    return Host({"out": TableType(FEATURE, capacity)}, run, batch, seconds, near,
                decoder=decoder, fractions=() if weights is None else (1,), words=batch)  # fmt: skip
