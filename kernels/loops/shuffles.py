"""LLVM IR that turns rows of eight into columns, and adds up rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence


def transposed(emit: Callable[[str], str], rows: Sequence[str], element: str) -> list[str]:
    """Eight or sixteen rows of eight as eight columns.

    Args:
        emit: writes an instruction; gives the name of what it makes.
        rows: names of vectors of eight.
        element: the type of their elements.
    """

    # A shuffle of two registers: indices from `of` on are elements of the second.
    def mixed(a: str, b: str, mask: Iterable[int], of: int = 8) -> str:
        places = [f"i32 {k}" for k in mask]
        kind = f"<{len(places)} x i32> <{', '.join(places)}>"
        return emit(f"shufflevector <{of} x {element}> {a}, <{of} x {element}> {b}, {kind}")

    if element == "i8" and len(rows) == 16:  # two rows at a time, which stay beside each other
        # Interleaved pairs of bytes are transposed as i16, which halves the shuffles.
        pairs = [mixed(a, b, [n for k in range(8) for n in (k, k + 8)])
                 for a, b in zip(rows[::2], rows[1::2], strict=True)]  # fmt: skip
        pairs = [emit(f"bitcast <16 x i8> {one} to <8 x i16>") for one in pairs]
        return [emit(f"bitcast <8 x i16> {one} to <16 x i8>") for one in transposed(emit, pairs, "i16")]
    if element == "i8":  # all 64 in one register
        of = 8
        # Concatenate rows into registers twice as wide, up to one of 64 bytes; columns are every eighth byte.
        while len(rows) > 1:
            rows = [mixed(a, b, range(2 * of), of) for a, b in zip(rows[::2], rows[1::2], strict=True)]
            of *= 2
        return [mixed(rows[0], "poison", range(k, 64, 8), 64) for k in range(8)]
    if len(rows) == 16:
        # Sixteen rows: two blocks of eight, side by side.
        halves = [transposed(emit, rows[:8], element), transposed(emit, rows[8:], element)]
        return [mixed(a, b, range(16)) for a, b in zip(*halves, strict=True)]
    if element == "i16":  # a row is half a register of what the others are made for
        # Three steps of a butterfly (1, 2, 4): pairs of rows are interleaved, then put into the order of the next step.
        for step in (1, 2, 4):  # elements that are together already
            first = [n for k in range(0, 4, step) for at in (k, k + 8) for n in range(at, at + step)]
            last = [n + 4 for n in first]
            rows = [mixed(rows[k], rows[k + 1], mask) for k in range(0, 8, 2) for mask in (first, last)]
            rows = [rows[k] for k in (0, 2, 1, 3, 4, 6, 5, 7)] if step == 1 else rows
            rows = [rows[k] for k in (0, 4, 1, 5, 2, 6, 3, 7)] if step == 2 else rows
        return list(rows)
    # For elements of 32 bits these are AVX's patterns of vunpcklps, vshufps and vperm2f128, an instruction each.
    twos = [mixed(rows[k], rows[k + 1], (m, m + 8, m + 1, m + 9, m + 4, m + 12, m + 5, m + 13))
            for k in (0, 2, 4, 6) for m in (0, 2)]  # fmt: skip
    fours = [mixed(twos[k + n], twos[k + n + 2], (m, m + 1, m + 8, m + 9, m + 4, m + 5, m + 12, m + 13))
             for k in (0, 4) for n in (0, 1) for m in (0, 2)]  # fmt: skip
    return [mixed(fours[k], fours[k + 4], (m, m + 1, m + 2, m + 3, m + 8, m + 9, m + 10, m + 11))
            for m in (0, 4) for k in range(4)]  # fmt: skip


def folded(emit: Callable[[str], str], rows: str, element: str) -> list[str]:
    """The sums of sixteen rows, eight doubles twice: halves are added until four numbers of each are left, these as
    doubles.

    Args:
        emit: as for `transposed`.
        rows: where they are, sixteen floats or eight doubles each.
        element: float or double.
    """
    half = 8 if element == "float" else 4

    def mixed(a: str, b: str, kind: str, mask: Iterable[int]) -> str:
        places = [f"i32 {k}" for k in mask]
        return emit(f"shufflevector {kind} {a}, {kind} {b}, <{len(places)} x i32> <{', '.join(places)}>")

    # Halves of two rows at once: the elements `low` of both plus those `apart` further on.
    def added(a: str, b: str, kind: str, low: Sequence[int], apart: int) -> str:
        one = mixed(a, b, kind, low)
        return emit(f"fadd <{len(low)} x {kind.split()[-1]} {one}, {mixed(a, b, kind, [k + apart for k in low])}")

    halves = []
    # First halving, while loading: 16 f32 to 8, 8 f64 to 4.
    for k in range(16):
        places = [emit(f"getelementptr <{half} x {element}>, ptr {rows}, i64 {2 * k + n}") for n in (0, 1)]
        low, high = (emit(f"load <{half} x {element}>, ptr {at}, align 4") for at in places)
        halves.append(emit(f"fadd <{half} x {element}> {low}, {high}"))
    made = []
    for first in (0, 8):
        fours = []  # four numbers of two rows each, in an order in which the last sums stand as the rows do
        # Rows k and k + 2 share a register of eight.
        for k in (0, 4, 1, 5):
            a, b = halves[first + k], halves[first + k + 2]
            if element == "float":
                two = added(a, b, "<8 x float>", (0, 1, 2, 3, 8, 9, 10, 11), 4)
                # From four numbers on in f64, as `row_sums` in Python has it: this order of sums is the meaning.
                fours.append(emit(f"fpext <8 x float> {two} to <8 x double>"))
            else:
                fours.append(mixed(a, b, "<4 x double>", range(8)))
        even, odd = (added(fours[k], fours[k + 1], "<8 x double>", (0, 1, 4, 5, 8, 9, 12, 13), 2) for k in (0, 2))
        made.append(added(even, odd, "<8 x double>", (0, 8, 2, 10, 4, 12, 6, 14), 1))
    return made
