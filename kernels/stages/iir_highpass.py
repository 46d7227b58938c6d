"""First-order recursive high-pass in time."""

from __future__ import annotations

from kernels.ir.expr import Expr, recur, state
from kernels.ir.image import F32
from kernels.param import Param
from kernels.stage import Plane, stage


@stage(
    category="Over time",
    params=(Param("alpha", "float", 0.05, "weight of the new frame in the mean that is taken off", unit="1", low=1e-4,
                  high=1.0),),
    per_channel=True,
)  # fmt: skip
def iir_highpass(image: Plane, alpha: Expr) -> Expr:
    """What an exponential average leaves, f32: out = x[t] - y[t], y[t] = y[t-1] + alpha * (x[t] - y[t-1]), y[0] = x[0].

    It removes what does not change. -3 dB near fps * alpha / (2 pi (1 - alpha/2)), as `iir_lowpass`.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate_clip
    >>> step = np.zeros((4, 1, 1), np.uint8)
    >>> step[1:] = 80
    >>> evaluate_clip(iir_highpass, step, alpha=0.5).ravel()
    array([ 0., 40., 20., 10.], dtype=float32)
    """
    x = image().to(F32)
    before = state("mean", F32)
    return x - recur("mean", x, before + alpha * (x - before))
