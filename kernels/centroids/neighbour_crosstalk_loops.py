"""What neighbours add to the uncertainty of centres, as a loop (`kernels.centroids.neighbour_crosstalk` says how
much)."""

from __future__ import annotations

from kernels.ir.table import ANISOTROPY, COLUMNS, SIGMA
from kernels.loops.language import F64, I64, loop, sqrt

THIN, THINS = 0.5, 5  # width of blobs by that of the weights in the first of the table's rows; a row
# is of 1.4 times that before
NEAR, FAR, FARS = 1.75, 5.0, 14  # widths that two blobs are apart in a row's first and last entry


@loop
def crowded_loop(count: int, near: I64, most: int, state: F64, sigma: float, radius: int, table: F64, rows: F64
                 ) -> int:  # fmt: skip
    """Raise sigma of the rows of blobs that have neighbours, and turn its anisotropy.

    Args:
        near: of each blob `most` neighbours, nearest first, -1 where there are no more.
        state: x of all blobs, y of all, heights, widths.
        sigma, radius: width of the weights and half width of the window, px.
        table: of `neighbour_crosstalk`.
    """
    farthest = float(radius * radius)  # it were lost
    for i in range(count):
        j = near[i * most]
        error, o = rows[COLUMNS * i + SIGMA], COLUMNS * i
        if j >= 0 and error - error == 0.0:
            along_x, along_y = 0.0, 0.0
            # What several neighbours add is summed, each by its own direction.
            for n in range(most):
                j = near[i * most + n]
                if j < 0:
                    break
                dx, dy = state[j] - state[i], state[count + j] - state[count + i]
                wide, other = state[3 * count + i], state[3 * count + j]
                # The table is for pairs of equal width: the mean square of both widths stands for them.
                square = 0.5 * (wide * wide + other * other)
                away = dx * dx + dy * dy
                if away < FAR * FAR * square and away > 0.0 and state[2 * count + j] > 0.0:
                    # Position within a row of the table, linear in the distance by the width; the last entry is never
                    # the lower one of an interpolation.
                    far = (sqrt(away / square) - NEAR) * ((FARS - 1.0) / (FAR - NEAR))
                    far = min(max(far, 0.0), FARS - 1.0001)
                    # Rows are sqrt(2) apart in width: the loop finds the row, `part` where between two rows, linear in
                    # the width.
                    thin = sqrt(square) / (sigma * THIN)
                    row = 0
                    while thin >= 1.4142135623730951 and row < THINS - 2:
                        thin = thin * 0.7071067811865476
                        row += 1
                    part = min(max((thin - 1.0) * 2.414213562373095, 0.0), 1.0)
                    k = int(far)
                    # Two numbers an entry, along and across the line between both; bilinear interpolation of each. The
                    # table holds the share of sigma^-2 that is left, so 1 / share - 1 is what is added to the variance.
                    a = 2 * (row * FARS + k)
                    share = far - float(k)
                    b = a + 2 * FARS
                    one = table[a] + share * (table[a + 2] - table[a])
                    two = table[b] + share * (table[b + 2] - table[b])
                    along = 1.0 / (one + part * (two - one)) - 1.0
                    one = table[a + 1] + share * (table[a + 3] - table[a + 1])
                    two = table[b + 1] + share * (table[b + 3] - table[b + 1])
                    across = 1.0 / (one + part * (two - one)) - 1.0
                    # Squared direction cosines turn (along, across) into variances of x and y; rows hold no covariance
                    # of both.
                    x, y = dx * dx / away, dy * dy / away
                    along_x += along * x + across * y
                    along_y += along * y + across * x
            if along_x + along_y > 0.0:
                uneven = rows[o + ANISOTROPY]
                vx = error * error * (1.0 + uneven) * (1.0 + along_x)
                vy = error * error * (1.0 - uneven) * (1.0 + along_y)
                vx, vy = min(vx, farthest), min(vy, farthest)
                rows[o + SIGMA], rows[o + ANISOTROPY] = sqrt(0.5 * (vx + vy)), (vx - vy) / (vx + vy)
    return 0
