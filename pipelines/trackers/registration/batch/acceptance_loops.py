"""Which fits are believed without a search: of what looks as usual, is where a window may be, and is precise enough."""

from __future__ import annotations

from kernels.loops.language import loop, sqrt
from pipelines.trackers.registration.batch.structs import Limits, Windows
from pipelines.trackers.registration.noise.residual_statistics_loops import pixels_noise, reference_noise, uneven
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.structs import Picture, Templates

REJECTED = -1.0


@loop
def accepted(
    picture: Picture, i: int, step: float, windows: Windows, refs: Templates, limits: Limits, free: float, fits: Fit
) -> float:
    """Variance of the place of window i, px^2, by one frame's noise, without the interpolation's error; REJECTED where
    its fit is not believed.

    Args:
        step: frames since the frame before.
        free: degrees of freedom of a fit's residuals.
    """
    motion, learnt = windows.motion, windows.learnt
    accept, model = limits.accept, limits.noise
    # The least score that passes as usual: not below the user's `low`, not by more than `worse` below this window's
    # usual score, and not by more than noise makes, which takes a share of what is missing to 1.
    known = motion.level[i] if motion.level[i] > 0.0 else 1.0
    fall = accept.fall if motion.level[i] > 0.0 else accept.unknown
    usual = max(max(accept.low, known - accept.worse), known - (fall + accept.uneven * (1.0 - known)))
    if not (fits.score[i] >= usual):
        return REJECTED
    # A quarter of a pixel beyond the edge is noise; more would be fitted to pixels that do not exist.
    right, below, margin = float(picture.width - 1), float(picture.height - 1), float(refs.w // 2) - 0.25
    if not (
        fits.x[i] >= margin and fits.x[i] <= right - margin and fits.y[i] >= margin and fits.y[i] <= below - margin
    ):
        return REJECTED
    # The way since the window was last seen, by the frames since then.
    ex, ey = fits.x[i] - motion.px[i], fits.y[i] - motion.py[i]
    if not (sqrt(ex * ex + ey * ey) / max(motion.gap[i] + step, 1.0) < accept.sure * accept.fastest):
        return REJECTED
    first = learnt.slot[i] * refs.p * refs.p
    spread = (refs.inverse[first] + refs.inverse[first + refs.p + 1]) / 2.0 * 1.0
    number = float(learnt.averaged[i])
    ratio = uneven(learnt.grain[i], learnt.looks[i], model.few, model.least, model.most)
    known = reference_noise(learnt.offset[i], spread, ratio, number, model.slopes) if learnt.looks[i] > 0 else 0.0
    noise = pixels_noise(max(fits.rest[i], 0.0) / free, fits.phase[i], number, known)
    # The reference's slopes hold noise, too, which adds to J' J: the true normal matrix is smaller by this share, and
    # the variance larger by its square.
    true = 1.0 - min(model.slopes * noise / number * spread, 0.5)
    variance = noise * spread / (true * true) * ratio
    return float(variance if variance + model.floor <= 1.0 else REJECTED)
