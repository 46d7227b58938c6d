"""Sub-pixel registration of patches: inverse-compositional Gauss-Newton on the zero-normalised squared difference.

The criterion does not change when the light is scaled or shifted (gain and offset), which a lamp's flicker does all
the time. The inverse-compositional form (Baker, Matthews: Lucas-Kanade 20 Years On, IJCV 2004; for digital image
correlation Pan, Li, Tong, Experimental Mechanics 2013) takes gradients of the reference only, so that a step is one
interpolation and one product with a matrix made once.

Gain and offset are unknowns of the least squares. They are eliminated by making the reference's Jacobian J
orthogonal to the constant and to the reference f itself; then the step is

    dp = (J' J)^-1 J' (a g),   a = |f| / |g|  (both without their means)

and the solution, J' g = 0, is exactly independent of gain and offset. Interpolating the *current* frame keeps the
reference's noise out of the interpolation, whose noise power depends on the phase (a bias of 0.036 px in dim light).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipelines.trackers.patches.subpixel import PAD, coefficients, cut, gradient, shifted, turned

Array = npt.NDArray[Any]
Model = Literal["translation", "rigid"]

REACH = 2  # px by which a refinement may move away from its start
FLAT = 1e-3  # a smaller ratio of the normal matrix' eigenvalues means texture along one direction only
TOLERANCE = 1e-4  # px; steps go on until they are smaller
SETTLED = 0.01  # px; when the steps are used up, a last one below this still counts
MARGIN = PAD  # px around a reference tile's window, for its gradient
_BLOCK = 400_000  # pixels worked on at a time: they stay in the cache


@dataclass(frozen=True, slots=True)
class References:
    """What a refinement needs of n reference windows of w x w px, for p parameters.

    Args:
        pixels: the windows without their mean, (n, w * w).
        norm: the Euclidean norm of `pixels`, (n,).
        solver: (J' J)^-1 J', (n, p, w * w).
        variance: the diagonal of (J' J)^-1, (n, p): px^2 (rad^2) for noise of variance 1.
        textured: False where the normal matrix is singular, (n,).
    """

    pixels: Array
    norm: Array
    solver: Array
    variance: Array
    textured: Array


@dataclass(frozen=True, slots=True)
class Fit:
    """Where n windows were found.

    Args:
        x, y: centres, px.
        theta: rotation from the reference, rad (x towards y; 0 for the translation model).
        score: zero-normalised cross-correlation, -1..1.
        variance: of x and of y (their mean), px^2, from the residual and the normal matrix.
        converged: the steps ended (the last one below 0.01 px, as a rule below 0.0001) within reach of the start.
    """

    x: Array
    y: Array
    theta: Array
    score: Array
    variance: Array
    converged: Array


def parameters(model: Model) -> int:
    """How many unknowns a model has."""
    return 3 if model == "rigid" else 2


def references(tiles: Array, model: Model) -> References:
    """Prepare reference windows.

    Args:
        tiles: float64 (n, w + 2 MARGIN, w + 2 MARGIN).
        model: "translation" or "rigid" (translation and rotation about the centre).
    """
    n, size, _ = tiles.shape
    w = size - 2 * MARGIN
    p = parameters(model)
    window = tiles[:, MARGIN : MARGIN + w, MARGIN : MARGIN + w].reshape(n, -1)
    pixels = window - window.mean(axis=1, keepdims=True)
    norm = np.sqrt(np.einsum("ni,ni->n", pixels, pixels))
    gx, gy = (g.reshape(n, -1) for g in gradient(coefficients(tiles), MARGIN))
    columns = [gx, gy]
    if model == "rigid":
        eta, xi = (part.ravel() for part in np.mgrid[:w, :w] - (w - 1) / 2.0)
        columns.append(xi * gy - eta * gx)
    jacobian = np.stack(columns, axis=1)
    jacobian -= jacobian.mean(axis=2, keepdims=True)
    alive = norm > 1e-6 * np.maximum(np.abs(window).max(axis=1, initial=0.0), 1e-300) * w
    unit = pixels / np.where(alive, norm, 1.0)[:, None]
    jacobian -= np.einsum("npi,ni->np", jacobian, unit)[:, :, None] * unit[:, None, :]
    normal = np.einsum("npi,nqi->npq", jacobian, jacobian)
    eigen = np.linalg.eigvalsh(normal[:, :2, :2])
    textured = alive & (eigen[:, 0] > FLAT * eigen[:, 1])
    if model == "rigid":  # a round thing has no rotation
        textured &= normal[:, 2, 2] > FLAT * (w / 2.0) ** 2 * eigen[:, 0] / 4.0
    inverse = np.linalg.inv(np.where(textured[:, None, None], normal, np.eye(p)))
    return References(pixels, norm, inverse @ jacobian, np.einsum("npp->np", inverse).copy(), textured)


def tiles_at(image: Array, x: Array, y: Array, theta: Array, window: int) -> Array:
    """Reference tiles (window and margin) sampled at sub-pixel places, float64 (n, window + 2 MARGIN, ...)."""
    radius = window // 2 + MARGIN
    cx, cy = np.rint(x).astype(np.int64), np.rint(y).astype(np.int64)
    still = not theta.any()
    patches = cut(image, cx, cy, (radius if still else int(np.ceil(1.42 * radius))) + PAD)
    if still and np.array_equal(cx, x) and np.array_equal(cy, y):
        return patches[:, PAD:-PAD, PAD:-PAD]
    c = coefficients(patches)
    return shifted(c, x - cx, y - cy, radius) if still else turned(c, x - cx, y - cy, theta, radius)


def refine(image: Array, ref: References, x: Array, y: Array, theta: Array, model: Model, steps: int = 12) -> Fit:
    """Find the reference windows near their starts.

    Args:
        image: (height, width), any real dtype; beyond its edge the edge pixels go on.
        ref: n references.
        x, y, theta: n starts, px and rad; x and y should be within about 1 px, at most `REACH`.
        model: as in `references`.
        steps: largest number of Gauss-Newton steps.
    """
    n, area = ref.pixels.shape
    parts = np.array_split(np.arange(n), max(1, -(-n * area // _BLOCK)))
    fits = [_refine(image, _pick(ref, part), x[part], y[part], theta[part], model, steps) for part in parts]
    return Fit(
        *(
            np.concatenate([getattr(fit, name) for fit in fits])
            for name in ("x", "y", "theta", "score", "variance", "converged")
        )
    )


def _pick(ref: References, which: Array) -> References:
    return References(ref.pixels[which], ref.norm[which], ref.solver[which], ref.variance[which], ref.textured[which])


def _refine(image: Array, ref: References, x: Array, y: Array, theta: Array, model: Model, steps: int) -> Fit:
    n, area = ref.pixels.shape
    radius = round(float(np.sqrt(area))) // 2
    rigid = model == "rigid"
    cx, cy = np.rint(x).astype(np.int64), np.rint(y).astype(np.int64)
    coefficient = coefficients(cut(image, cx, cy, (int(np.ceil(1.42 * radius)) if rigid else radius) + REACH + PAD))
    dx, dy, theta = x - cx, y - cy, theta.astype(np.float64)
    score, converged = np.zeros(n), np.zeros(n, bool)
    active = np.flatnonzero(ref.textured)
    for _ in range(steps):
        if not len(active):
            break
        # Copies of everything only once some windows have settled.
        every = len(active) == n
        c = coefficient if every else coefficient[active]
        solver, pixels = (ref.solver, ref.pixels) if every else (ref.solver[active], ref.pixels[active])
        ax, ay, at = dx[active], dy[active], theta[active]
        g = (turned(c, ax, ay, at, radius) if rigid else shifted(c, ax, ay, radius)).reshape(len(active), area)
        g -= g.mean(axis=1, keepdims=True)
        size = np.sqrt(np.einsum("ni,ni->n", g, g))
        gain = np.where(size > 0, ref.norm[active] / np.where(size > 0, size, 1.0), 0.0)
        score[active] = np.einsum("ni,ni->n", g, pixels) * gain / ref.norm[active] ** 2
        step = np.matmul(solver, g[:, :, None])[:, :, 0] * gain[:, None]
        length = np.hypot(step[:, 0], step[:, 1])
        step *= np.minimum(1.0, 1.0 / np.maximum(length, 1e-300))[:, None]  # a longer step leaves the linear range
        if rigid:
            turn = np.clip(step[:, 2], -0.2, 0.2)
            at = at - turn
            cos, sin = np.cos(at), np.sin(at)
            ax, ay = ax - (cos * step[:, 0] - sin * step[:, 1]), ay - (sin * step[:, 0] + cos * step[:, 1])
            length = np.maximum(length, np.abs(step[:, 2]) * radius)
        else:
            ax, ay = ax - step[:, 0], ay - step[:, 1]
        within = (np.abs(ax) <= REACH) & (np.abs(ay) <= REACH) & (size > 0)
        kept = active[within]
        dx[kept], dy[kept], theta[kept] = ax[within], ay[within], at[within]
        converged[active] = within & (length < SETTLED)
        active = active[within & (length >= TOLERANCE)]
    freedom = max(area - parameters(model) - 2, 1)
    noise = ref.norm**2 * np.maximum(1.0 - score**2, 0.0) / freedom
    variance = noise * 0.5 * (ref.variance[:, 0] + ref.variance[:, 1])
    return Fit(cx + dx, cy + dy, theta, score, variance, converged)
