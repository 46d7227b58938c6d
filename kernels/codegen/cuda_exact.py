"""Floats of a cupy.ElementwiseKernel, to the last bit.

CuPy compiles such kernels with -ftz=true, behind whatever options it is given, so the compiler would take the kind of
instruction that makes 0 of subnormal numbers. An instruction that is written out is taken as it is. So floats get a
type of their own whose operators are instructions: `exact` puts it into the text of an ElementwiseKernel. No operation
is contracted either, since .rn forbids it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kernels.codegen.cuda import ElementwiseText

_BINARY = (("+", "add.rn"), ("-", "sub.rn"), ("*", "mul.rn"), ("/", "div.rn"))
_COMPARED = (("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"), ("==", "eq"), ("!=", "neu"))
_UNARY = (("sqrtf", "sqrt.rn.f32", "sqrtf(a.value)"), ("floorf", "cvt.rmi.f32.f32", "floorf(a.value)"),
          ("ceilf", "cvt.rpi.f32.f32", "ceilf(a.value)"), ("rintf", "cvt.rni.f32.f32", "rintf(a.value)"))  # fmt: skip

_HEAD = """\
// A float whose operations keep subnormal numbers, however the text is compiled.
#ifndef FUSED_INSTRUCTION  // what does not speak PTX says what it does instead
#define FUSED_INSTRUCTION(meaning, ...) asm(__VA_ARGS__)
#endif
struct Exact {
    float value;
    __device__ __forceinline__ Exact(float a) : value(a) {}
    __device__ __forceinline__ Exact(int a) : value((float)a) {}
    __device__ __forceinline__ Exact(long long a) : value((float)a) {}
    __device__ __forceinline__ Exact(bool a) : value(a ? 1.0f : 0.0f) {}
    __device__ __forceinline__ Exact(double a)
    { FUSED_INSTRUCTION(value = (float)a, "cvt.rn.f32.f64 %0, %1;" : "=f"(value) : "d"(a)); }
    __device__ __forceinline__ explicit operator float() const { return value; }
    __device__ __forceinline__ explicit operator double() const
    {
        double made;
        FUSED_INSTRUCTION(made = value, "cvt.f64.f32 %0, %1;" : "=d"(made) : "f"(value));
        return made;
    }
    __device__ __forceinline__ Exact operator-() const
    {
        float made;
        FUSED_INSTRUCTION(made = -value, "neg.f32 %0, %1;" : "=f"(made) : "f"(value));
        return Exact(made);
    }
};
__device__ __forceinline__ Exact from_bits(int a) { return Exact(__int_as_float(a)); }
__device__ __forceinline__ Exact magnitude(Exact a) { return from_bits(__float_as_int(a.value) & 0x7fffffff); }
struct ExactTable {
    const float *entries;
    __device__ __forceinline__ Exact operator[](int i) const { return Exact(entries[i]); }
};
"""
_TAIL = """\
__device__ __forceinline__ Exact smaller(Exact a, Exact b) { return a < b ? a : b; }
__device__ __forceinline__ Exact larger(Exact a, Exact b) { return a > b ? a : b; }
__device__ __forceinline__ int float_bits(Exact a) { return a != a ? 0x7fc00000 : __float_as_int(a.value); }
// Subnormal numbers round to 0 either way.
__device__ __forceinline__ int whole(Exact a) { return whole(a.value); }
__device__ __forceinline__ long long whole_long(Exact a) { return a != a ? 0 : __float2ll_rn(a.value); }
__device__ __forceinline__ unsigned to_unsigned(Exact a) { return __float2uint_rn(a.value); }
"""


def _functions() -> str:
    lines = []
    for sign, name in _BINARY:
        lines += [f"__device__ __forceinline__ Exact operator{sign}(Exact a, Exact b)", "{", "    float made;",
                  f"    FUSED_INSTRUCTION(made = a.value {sign} b.value,",
                  f'                      "{name}.f32 %0, %1, %2;" : "=f"(made) : "f"(a.value), "f"(b.value));',
                  "    return Exact(made);", "}"]  # fmt: skip
    for sign, name in _COMPARED:
        lines += [f"__device__ __forceinline__ bool operator{sign}(Exact a, Exact b)", "{", "    unsigned made;",
                  f"    FUSED_INSTRUCTION(made = a.value {sign} b.value,",
                  f'                      "set.{name}.u32.f32 %0, %1, %2;" : "=r"(made) : "f"(a.value), "f"(b.value));',
                  "    return made != 0;", "}"]  # fmt: skip
    for name, instruction, plain in _UNARY:
        lines += [f"__device__ __forceinline__ Exact {name}(Exact a)", "{", "    float made;",
                  f'    FUSED_INSTRUCTION(made = {plain}, "{instruction} %0, %1;" : "=f"(made) : "f"(a.value));',
                  "    return Exact(made);", "}"]  # fmt: skip
    return "\n".join(lines) + "\n"


EXACT = _HEAD + _functions() + _TAIL
"""The type and its functions; behind `kernels.codegen.cuda_prelude.PRELUDE`."""

_FLOAT = re.compile(r"\bfloat\b")
_OUTPUT = re.compile(r"^(out\d+_\d+ = )\(Exact\)", re.MULTILINE)
_ARRAY = re.compile(r"^__device__ const float (lookup\d+)\[", re.MULTILINE)


def exact(text: ElementwiseText) -> ElementwiseText:
    """The same with floats that keep their bits."""
    operation = _FLOAT.sub("Exact", text.operation)
    given = [part.split() for part in text.in_params.split(", ") if part]
    for type_, name in given:
        if type_ == "float32":
            operation = re.sub(rf"\b{name}\b", f"Exact({name})", operation)
    for name in _ARRAY.findall(text.preamble):
        operation = operation.replace(f"{name}[", f"ExactTable{{{name}}}[")
    operation = operation.replace("__float2uint_rn(", "to_unsigned(").replace("__int_as_float(", "from_bits(")
    operation = _OUTPUT.sub(r"\1(float)", operation)
    return replace(text, operation=operation, preamble=text.preamble + EXACT)
