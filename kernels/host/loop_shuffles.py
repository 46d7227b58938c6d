"""LLVM IR that turns eight rows of eight into columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def transposed(emit: Callable[[str], str], rows: Sequence[str], element: str) -> list[str]:
    """Eight rows of eight as eight columns.

    Args:
        emit: writes an instruction; gives the name of what it makes.
        rows: names of vectors of eight.
        element: the type of their elements.
    """

    def mixed(a: str, b: str, mask: Sequence[int], of: int = 8) -> str:
        places = ", ".join(f"i32 {k}" for k in mask)
        return emit(f"shufflevector <{of} x {element}> {a}, <{of} x {element}> {b}, <{len(mask)} x i32> <{places}>")

    if element == "i8":  # all 64 in one register
        of = 8
        while len(rows) > 1:
            rows = [mixed(a, b, range(2 * of), of) for a, b in zip(rows[::2], rows[1::2], strict=True)]
            of *= 2
        return [mixed(rows[0], "poison", range(k, 64, 8), 64) for k in range(8)]
    twos = [mixed(rows[k], rows[k + 1], (m, m + 8, m + 1, m + 9, m + 4, m + 12, m + 5, m + 13))
            for k in (0, 2, 4, 6) for m in (0, 2)]  # fmt: skip
    fours = [mixed(twos[k + n], twos[k + n + 2], (m, m + 1, m + 8, m + 9, m + 4, m + 5, m + 12, m + 13))
             for k in (0, 4) for n in (0, 1) for m in (0, 2)]  # fmt: skip
    return [mixed(fours[k], fours[k + 4], (m, m + 1, m + 2, m + 3, m + 8, m + 9, m + 10, m + 11))
            for m in (0, 4) for k in range(4)]  # fmt: skip
