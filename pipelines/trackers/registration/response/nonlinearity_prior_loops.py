"""The nonlinearity of windows whose own is not measured yet (`registration.response.linear_response`), as a loop."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, splat, store
from pipelines.trackers.registration.noise.autocovariance_loops import total

# As `response` lays them out; its tests compare.
SCALE, AXES, UNBENT, BEND, TERMS, NOISE, EVEN, CONSTANTS = 31, 34, 72, 147, 20, 228, 278, 328
MEAN, RATIO, LEVEL = 8, 88, 96  # scratch memory: sums of eight, a mean, ratios


@loop
def level(constants: F64, bent: I64, count: int, straight: float, around: F64, work: F64) -> int:
    """Give windows whose nonlinearity (BEND) is not measured the mean one of those of their kind (with one direction or
    two) of which it is, and state in UNBENT how far that may be wrong, px^2. Their factors to noise (SCALE, SPREAD) are
    those for white noise times the mean ratio of both in the windows that are measured.

    Args:
        constants: (count, CONSTANTS), changed in place.
        bent: (count,), 1 where it is measured.
        straight: UNBENT where fewer than two windows of the kind are measured, px^2.
        around: the monomials of eight answers at the distance for which UNBENT is stated, (TERMS, 8).
        work: LEVEL values.
    """
    mean, ratio = at(work, MEAN), at(work, RATIO)
    number = 0.0
    store(ratio, 0, splat(0.0))
    for i in range(count):
        one = at(constants, i * CONSTANTS)
        if one[AXES] > 0.0 and bent[i] != 0:
            number += 1.0
            for k in range(3):
                ratio[k] = ratio[k] + (one[SCALE + k] / one[EVEN + k] if one[EVEN + k] > 0.0 else 1.0)
    # Windows with one and with two directions bend differently: means over each kind.
    for axes in range(1, 3):
        known, lone = 0, 0
        for k in range(0, 4 * TERMS, 8):
            store(mean, k, splat(0.0))
        for i in range(count):
            one = at(constants, i * CONSTANTS)
            if one[AXES] == float(axes):
                if bent[i] != 0:
                    known += 1
                    for k in range(0, 4 * TERMS, 8):
                        store(mean, k, load(mean, k) + load(one, BEND + k))
                else:
                    lone += 1
        if lone > 0:
            apart = straight
            if known > 0:
                for k in range(0, 4 * TERMS, 8):
                    store(mean, k, load(mean, k) / float(known))
            if known > 1:
                # By how much measured bends scatter about their mean, in eight directions at the distance DISTANT; the
                # mean itself errs, too, by 1 / known of that.
                squares = splat(0.0)
                for i in range(count):
                    one = at(constants, i * CONSTANTS)
                    if one[AXES] == float(axes) and bent[i] != 0:
                        for t in range(2):
                            beside = splat(0.0)
                            for k in range(t * TERMS, (t + 1) * TERMS):
                                beside += load(around, 8 * (k - t * TERMS)) * (one[BEND + k] - mean[k])
                            squares += beside * beside
                store(work, 0, squares)
                apart = total(work) / float(8 * axes) * (1.0 + 1.0 / float(known)) / float(known - 1)
            for i in range(count):
                one = at(constants, i * CONSTANTS)
                if one[AXES] == float(axes) and bent[i] == 0:
                    # Another one's bend was taken: UNBENT says how far that may be wrong.
                    one[UNBENT] = apart
                    for k in range(3):
                        more = ratio[k] / number if number > 0.0 and one[NOISE] > 0.0 else 1.0
                        one[SCALE + k] = one[EVEN + k] * more
                    for k in range(0, 4 * TERMS, 8):
                        store(one, BEND + k, load(mean, k))
    return 0
