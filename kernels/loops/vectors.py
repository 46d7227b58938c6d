"""LLVM IR of vectors of eight: brought together from many places, and numbers taken apart."""

from __future__ import annotations

from collections.abc import Callable

Emit = Callable[[str], str]
"""Writes an instruction; gives the name of what it makes."""
_MANTISSA, _ONE = (1 << 52) - 1, 1023 << 52


def gathered(emit: Emit, array: str, places: str, element: str) -> str:
    """A vector of eight elements of an array, from as many places (i64). One load each: what processors have for this
    is no faster on most and much slower on some."""
    made = "poison"
    for lane in range(8):
        at = emit(f"getelementptr i64, ptr {places}, i64 {lane}")
        place = emit(f"load i64, ptr {at}")
        at = emit(f"getelementptr {element}, ptr {array}, i64 {place}")
        one = emit(f"load {element}, ptr {at}")
        made = emit(f"insertelement <8 x {element}> {made}, {element} {one}, i64 {lane}")
    return made


def number_part(emit: Emit, name: str, value: str, type_: str) -> str:
    """`exponent`, `mantissa` or `power_of_two` of doubles, one or eight, the last of 16 floats, too."""
    bits, bias, shift, many = (32, 127, 23, 16) if type_ == "<16 x float>" else (64, 1023, 52, 8)
    whole = "i64" if type_ == "double" else f"<{many} x i{bits}>"

    def every(n: int) -> str:
        return str(n) if whole == "i64" else f"<{', '.join([f'i{bits} {n}'] * many)}>"

    if name == "power_of_two":
        i = emit(f"fptosi {type_} {value} to {whole}")
        i = emit(f"add {whole} {i}, {every(bias)}")
        i = emit(f"shl {whole} {i}, {every(shift)}")
        return emit(f"bitcast {whole} {i} to {type_}")
    i = emit(f"bitcast {type_} {value} to {whole}")
    if name == "exponent":
        i = emit(f"ashr {whole} {i}, {every(52)}")
        i = emit(f"sub {whole} {i}, {every(1023)}")
        return emit(f"sitofp {whole} {i} to {type_}")
    i = emit(f"and {whole} {i}, {every(_MANTISSA)}")
    i = emit(f"or {whole} {i}, {every(_ONE)}")
    return emit(f"bitcast {whole} {i} to {type_}")
