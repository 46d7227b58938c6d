"""Running mean and variance of each pixel, and what stands out from them."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.ir.expr import Expr, const, maximum, minimum, recur, select, sqrt, state
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage

MOST_SEEN = 1e6
"""Frames that are counted: the least weight is 1e-5."""
LONGEST = 300.0
"""Frames that count for a pixel's ground, at most: so long something must stay to be ground in any case."""
DARKEST = 1e-6
"""Gray values by which a change is divided at least."""


@stage(
    category="Over time",
    params=(
        Param("alpha", "float", 0.02, "weight of the new frame in mean and variance", unit="1", low=1e-5, high=1.0),
        Param("k", "float", 4.0, "standard deviations that make a pixel foreground", unit="1", low=0.0, high=100.0),
        Param("min_sigma", "float", 2.0, "standard deviation at least, and in the first frame, in gray values; "
              "auto takes the noise of the clip", low=0.0, auto=True),
        Param("learn", "float", 1.0, "share of alpha with which foreground is learned; 0 for never, but by majority",
              unit="1", low=0.0, high=1.0),
        Param("begin", "choice", "first", "what a pixel's mean begins with: its first value, what the majority of the "
              "first frames have, or what the clip has where nothing moves; auto takes the clip, or the majority where "
              "no frame is at hand beforehand", choices=("first", "majority", "clip"), structural=True, auto=True,
              former={"majority": {True: "majority", False: "first"}}),
        Param("change", "choice", "both", "which pixels can be foreground; auto takes those that stand out more from "
              "the median of the clip", choices=("both", "brighter", "darker"), structural=True, auto=True),
        Param("burn_in", "bool", False, "begin with the plain mean of what was seen: the n-th frame has the weight 1/n "
              "while that is more than alpha", structural=True),
    ),
    per_channel=True,
)  # fmt: skip
def background(
    image: Plane, alpha: Expr, k: Expr, min_sigma: Expr, learn: Expr, begin: str, change: str, burn_in: bool
) -> Mapping[str, Expr]:
    """Foreground by a running Gaussian per pixel (Wren et al., Pfinder, IEEE PAMI 19, 1997).

    With d = x[t] - mean[t-1]:
    foreground (bool): d**2 > k**2 * max(variance[t-1], min_sigma**2), judged before the pixel is learned,
    and d of the sign that `change` asks for;
    mean (f32): mean[t-1] + a * d, from x[0]: that of `iir_lowpass`; cv2.accumulateWeighted has the same formula
    but rounds once less (a fused multiply-add), which leaves them within 1e-4 of each other on bytes;
    change (f32): d, so that what stands still is gone and what moves is there with its own light;
    contrast (f32): d / max(x[t], mean[t-1], min_sigma), of what is darker Weber's contrast: it takes away a share of
    the light below it, and where that has a texture this share alone has the shape of the thing; d with change =
    "brighter", since what shines adds light of its own;
    weight (f32): what centres are weighed by: x with change = "brighter", since what hides the ground has light of its
    own, in which no texture of the ground is, and whoever weighs by it takes off the light around; else contrast;
    deviation (f32): the root of variance[t-1] + a * (d**2 - variance[t-1]), from min_sigma;
    a is alpha (with burn_in the larger of alpha and 1/n, so that what was there in the first frame alone is soon
    forgotten), and alpha * learn where there is foreground: what stays for about 1/(k**2 alpha learn) frames becomes
    background, for by then the variance has taken that much of its d**2; the mean follows it in 1/(alpha learn). With
    a small `learn` an object that passes in less time leaves no trail in the model.

    With begin = "clip" whoever runs the stage shows it a picture before the first frame: that of the clip where nothing
    moves, made of frames from all over it (`pipelines.streaming.common.still`). So what is there in the first frames
    leaves no ghost, and what is large and slow is seen whole from the first frame on, if it leaves its place once.

    With begin = "majority" each pixel's mean has votes (Boyer, Moore, in Automated Reasoning, 1991): a value within k
    deviations of it adds one, up to LONGEST, another one takes one away, and where none is left mean and variance begin
    anew with the value that is there. So a thing that was there in the first n frames leaves a ghost for n more, and no
    longer; a thing that comes to rest becomes ground after as many frames as the ground was seen before it, at most
    LONGEST. `votes` (f32) is how many each has.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate_clip
    >>> clip = np.full((3, 1, 2), 10, np.uint8)
    >>> clip[2, 0, 1] = 60
    >>> evaluate_clip(background, clip)["foreground"][:, 0]
    array([[False, False],
           [False, False],
           [False,  True]])
    """
    x = image().to(F32)
    # States are those of the frame before: the judgement comes before the learning.
    mean_before, variance_before = state("mean", F32), state("variance", F32)
    d = x - mean_before
    square, floor = d * d, min_sigma * min_sigma
    # Squared on both sides: no root a pixel.
    foreground = other = square > k * k * maximum(variance_before, floor)
    if change != "both":
        foreground = foreground & (d > 0.0 if change == "brighter" else d < 0.0)
    if burn_in:
        none = select(image.x >= 0, const(0.0, F32), 1.0)  # a state is of each pixel
        seen = recur("seen", none, minimum(state("seen", F32) + 1.0, MOST_SEEN))
        alpha = maximum(alpha, 1.0 / seen)
    least = maximum(min_sigma, DARKEST)
    rate = select(foreground, alpha * learn, alpha)
    spread, counted = square, {}
    if begin == "majority":
        # One up or down, held between 0 and LONGEST; a state begins at 0, so that the first frame begins anew.
        votes = maximum(minimum(state("votes", F32) + select(other, -1.0, const(1.0, F32)), LONGEST), 0.0)
        anew = votes <= 0.0
        none = select(image.x >= 0, const(0.0, F32), 1.0)  # a state is of each pixel
        counted = {"votes": recur("votes", none, votes)}
        # Beginning anew is learning with weight 1: the mean becomes the value, the variance its least.
        rate, spread = select(anew, const(1.0, F32), rate), select(anew, floor, square)
    mean = recur("mean", x, mean_before + rate * d)
    variance = recur("variance", floor, variance_before + rate * (spread - variance_before))
    contrast = d if change == "brighter" else d / maximum(maximum(x, mean_before), least)
    return {
        "foreground": foreground,
        "mean": mean,
        "change": d,
        "contrast": contrast,
        "weight": x if change == "brighter" else contrast,
        "deviation": sqrt(variance),
        **counted,
    }
