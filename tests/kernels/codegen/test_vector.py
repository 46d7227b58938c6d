"""The printed code: nothing may change the bits, vectors are explicit, equal bodies give equal text."""

from __future__ import annotations

import re

import numpy as np

from kernels.codegen.fold import fold_index
from kernels.codegen.vector import generate
from kernels.codegen.writer import number, splat
from kernels.executors.reference import border_index
from kernels.fusion.lower import lower
from kernels.ir.image import BOOL, F32, F64, I32, U8, ImageType
from kernels.ir.planes import BORDERS
from kernels.stages.gaussian import gaussian
from kernels.stages.iir_lowpass import iir_lowpass
from kernels.stages.open_ import open_


def text_of(width: int) -> str:
    body = gaussian.build([ImageType(U8, 40, width)], {"size": 3})
    return generate(body, lower(body)).text


def test_the_text_has_no_freedom():
    text = text_of(100)
    assert not re.search(r"\b(fast|reassoc|contract|afn|arcp|nnan|ninf|nsz|fmuladd|fma)\b", text)
    assert "fmul <16 x float>" in text
    assert text == text_of(100)
    assert text != text_of(101)


def test_a_row_that_fills_its_vectors_needs_no_rest():
    assert "llvm.memcpy" not in text_of(128)
    assert "llvm.memcpy" in text_of(127)


def test_rows_aside_are_carried_not_loaded_again():
    loads = [line for line in text_of(128).splitlines() if "= phi <16 x i" in line]
    assert len(loads) == 2 * 2  # in the joined loops, and where the rows at the top are made apart


def test_bools_of_rows_stay_bytes():
    """What an opening finds is stored as the bytes that it was found from, not by way of masks."""
    body = open_.build([ImageType(BOOL, 40, 128)], {})
    code = generate(body, lower(body)).text
    kept = [line for line in code.splitlines() if "store <64 x i8>" in line]
    made = {m[1] for m in re.finditer(r"(%\S+) = (?:and|or) <64 x i8>", code)}
    other = [line for line in kept if line.split()[4].rstrip(",") not in made]
    assert len(kept) > 8
    assert len(other) == 2  # the image's own copy, two vectors a turn


def test_constants_are_spelled_by_their_bits():
    assert number(0.1, F32) == "0x3FB999999999999A"
    assert number(-0.0, F64) == "0x8000000000000000"
    assert splat(True, BOOL) == "splat (i1 true)"
    assert splat(-7, I32) == "splat (i32 -7)"


def test_border_rules_are_the_reference_s():
    for mode in BORDERS:
        for length in (1, 2, 3, 7):
            for index in range(-30, 30):
                (wanted,) = border_index(np.array([index]), length, mode)
                assert fold_index(index, length, mode) == (None if wanted < 0 else wanted)


def test_only_states_that_lie_far_away_are_asked_for_ahead():
    counts = []
    for side in (512, 2048):
        body = iir_lowpass.build([ImageType(U8, side, side)], {})
        text = generate(body, lower(body)).text
        counts.append(text.count("call void @llvm.prefetch"))
    assert counts[1] > counts[0] > 0  # of the image, always
