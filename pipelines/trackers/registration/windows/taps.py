"""Interpolation between pixels by eight taps, and slopes at pixels by six: tables.

Least-squares designs for pictures with the spectrum of a lens (a Gaussian of 1 px over a floor of 2 %) up to 0.35
cycles/px, in which constants and ramps are exact. The phase error, which is what biases a position (the S-curve), is
below 0.0004 px up to 0.2 cycles/px and below 0.001 px up to 0.3; a cubic B-spline is off by 0.007 px at 0.25 and by
0.016 px at 0.3 cycles/px. Unlike a spline's these taps need no prefilter.
"""

from __future__ import annotations

import numpy as np

from kernels.loops.scratch import aligned

TAPS = 8
BEFORE = 3
"""Taps before the pixel at or below the place."""
FARROW = np.array(
    [
        [-0.011917516287651, 0.053575243628677, -0.159103825638078, 0.617446098297052],
        [0.002813670253963, -0.019608395419557, 0.102977598167394, -1.230586509182136],
        [0.056131857885102, -0.248527743823535, 0.693895847540969, -0.501499961602536],
        [-0.013196965396103, 0.09061637643398, -0.447593197568408, 0.982076468308033],
        [-0.033930137900789, 0.137175408905825, -0.230291704944058, 0.127046433939028],
        [0.007777545393061, -0.04877268788159, 0.142830932603009, -0.239072176152467],
    ]
)
"""The first four taps as polynomials of t = fraction - 0.5 (a row a power); the others are those of -t, mirrored."""
TABLE = aligned(np.concatenate([FARROW, (FARROW * (-1.0) ** np.arange(6)[:, None])[:, ::-1]], axis=1))
"""All eight taps, (6, 8)."""
SLOPE1, SLOPE2, SLOPE3 = 0.8580257505799402, -0.2581332120089598, 0.05274689114599312
"""The slope at a pixel is the sum of these times (the pixel so far after it - the pixel so far before it)."""
EDGE = 3
"""Pixels around a window that its slopes need."""
SLOPE_NOISE = 2.0 * (SLOPE1 * SLOPE1 + SLOPE2 * SLOPE2 + SLOPE3 * SLOPE3)
"""Variance of a slope for pixels of variance 1."""
