"""A second meaning of expressions, written for clarity alone: one pixel at a time, by recursion, in Python numbers.

It shares no code with `kernels.executors.reference` and none of the NumPy functions of `kernels.ir.ops`: whole numbers
are Python ints, wrapped by hand; only the rounding of a single float operation is NumPy's.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from kernels.ir.body import Body
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, F32, DType
from kernels.ir.planes import Border

FLOAT = {"f32": np.float32, "f64": np.float64}
RANGE = {"u8": (0, 255), "i8": (-128, 127), "u16": (0, 65535), "i16": (-32768, 32767),
         "i32": (-(2**31), 2**31 - 1), "i64": (-(2**63), 2**63 - 1)}  # fmt: skip


def whole_to_float(value: int, dtype: DType) -> Any:
    """The nearest float of a whole number, ties to even, without a detour through another float type."""
    digits = 24 if dtype == F32 else 53
    excess = abs(value).bit_length() - digits
    if excess > 0:
        low, rest = divmod(abs(value), 1 << excess)
        half = 1 << (excess - 1)
        low += rest > half or (rest == half and low % 2 == 1)
        value = (low << excess) * (-1 if value < 0 else 1)
    return FLOAT[dtype.name](value)


def converted(value: Any, to: DType) -> Any:
    if to == BOOL:
        return bool(value != 0)
    if to.is_float:
        return whole_to_float(int(value), to) if isinstance(value, bool | int) else FLOAT[to.name](value)
    low, high = RANGE[to.name]
    if isinstance(value, bool | int):
        return min(max(int(value), low), high)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(round(float(value)), low), high)


def wrapped(value: int, dtype: DType) -> int:
    return (value + 2 ** (dtype.bits - 1)) % 2**dtype.bits - 2 ** (dtype.bits - 1)


def scalar(op: str, v: Sequence[Any], given: DType, result: DType) -> Any:
    """One scalar operation; whole numbers in, whole numbers out."""
    a, b = v[0], v[-1]
    whole = not given.is_float and given != BOOL
    mask = 63 if given.bits == 64 else 31
    match op:
        case "neg":
            return wrapped(-a, result) if whole else -a
        case "abs":
            return wrapped(abs(a), result) if whole else (-a if np.signbit(a) else a)
        case "add":
            return wrapped(a + b, result) if whole else a + b
        case "sub":
            return wrapped(a - b, result) if whole else a - b
        case "mul":
            return wrapped(a * b, result) if whole else a * b
        case "div":
            return a / b
        case "floordiv":
            return wrapped(a // b, result) if b else 0
        case "mod":
            return wrapped(a - b * (a // b), result) if b else 0
        case "sqrt":
            return np.sqrt(a)
        case "floor" | "ceil" | "rint":
            if not math.isfinite(a):
                return a
            nearest = {"floor": math.floor, "ceil": math.ceil, "rint": round}[op](float(a))
            return type(a)(math.copysign(nearest, a))
        case "min":
            return a if a < b else b
        case "max":
            return a if a > b else b
        case "lt":
            return bool(a < b)
        case "le":
            return bool(a <= b)
        case "eq":
            return bool(a == b)
        case "ne":
            return bool(a != b)
        case "and":
            return a & b
        case "or":
            return a | b
        case "xor":
            return a ^ b
        case "not":
            return not a if given == BOOL else ~a
        case "shl":
            return wrapped(a << (b & mask), result)
        case "shr":
            return a >> (b & mask)
        case "select":
            return v[1] if a else v[2]
        case "bits":
            return 0x7FC00000 if math.isnan(a) else struct.unpack("<i", struct.pack("<f", a))[0]
        case "from_bits":
            return np.frombuffer(struct.pack("<i", a), np.float32)[0]
    raise AssertionError(op)


def inside(p: int, length: int, mode: str) -> int | None:
    """OpenCV's borderInterpolate, step by step."""
    if mode == "constant":
        return p if 0 <= p < length else None
    while not 0 <= p < length:
        if mode == "replicate" or length == 1:
            p = 0 if p < 0 else length - 1
        elif mode == "wrap":
            p += length if p < 0 else -length
        else:
            p = -p if p < 0 else 2 * (length - 1) - p
    return p


class Oracle:
    """The values of a body's expressions at (frame, row, column)."""

    def __init__(self, body: Body, clips: Sequence[np.ndarray], params: dict[str, Any]) -> None:
        self.clips, self.params = clips, params
        self.recurrences = {n.arg: n for n in postorder(body.roots) if n.op == "recur"}
        self.memo: dict[tuple[Expr, int, int, int], Any] = {}

    def image(self, root: Expr, t: int, size: tuple[int, int]) -> np.ndarray:
        rows = [[self.at(root, t, y, x) for x in range(size[1])] for y in range(size[0])]
        return np.array(rows, root.dtype.numpy)

    def at(self, node: Expr, t: int, y: int, x: int) -> Any:
        key = (node, t, y, x)
        if key not in self.memo:
            self.memo[key] = self._at(node, t, y, x)
        return self.memo[key]

    def _seen(self, plane: Expr, t: int, y: int, x: int, border: Border) -> Any:
        assert plane.size is not None
        row, column = inside(y, plane.size[0], border.mode), inside(x, plane.size[1], border.mode)
        if row is None or column is None:
            return converted(np.float64(border.value), plane.dtype)
        return self.at(plane, t, row, column)

    def _at(self, node: Expr, t: int, y: int, x: int) -> Any:
        arg = node.arg
        match node.op:
            case "input":
                frame = self.clips[arg.index][t]
                value = frame[y, x] if frame.ndim == 2 else frame[y, x, arg.channel]
                return value if node.dtype.is_float else value.item()
            case "const":
                return FLOAT[node.dtype.name](arg) if node.dtype.is_float else arg
            case "param":
                return converted(np.float64(self.params[arg]), node.dtype)
            case "coord":
                return x if arg == "x" else y
            case "state":
                recurrence = self.recurrences[arg]
                return self.at(recurrence, t - 1, y, x) if t else self.at(recurrence.src[0], 0, y, x)
            case "recur":
                return self.at(node.src[1], t, y, x)
            case "load":
                y, x = y * arg.stride_y + arg.dy, x * arg.stride_x + arg.dx
                return self._seen(node.src[0], max(0, t + arg.dt), y, x, arg.border)
            case "gather":
                row, column = (self.at(s, t, y, x) for s in node.src[1:])
                return self._seen(node.src[0], t, row, column, arg.border)
            case "window":
                return self._window(node, t, y, x)
            case "table":
                entry = arg[min(max(self.at(node.src[0], t, y, x), 0), len(arg) - 1)]
                return FLOAT[node.dtype.name](entry) if node.dtype.is_float else entry
            case "convert":
                return converted(self.at(node.src[0], t, y, x), node.dtype)
        values = [self.at(s, t, y, x) for s in node.src]
        return scalar(node.op, values, node.src[-1].dtype, node.dtype)

    def _window(self, node: Expr, t: int, y: int, x: int) -> Any:
        w, op = node.arg, {"sum": "add"}.get(node.arg.kind, node.arg.kind)
        total = None
        for dy in range(w.y0, w.y1 + 1):
            row = None
            for dx in range(w.x0, w.x1 + 1):
                value = self._seen(node.src[0], t, y + dy, x + dx, w.border)
                row = value if row is None else scalar(op, (row, value), node.dtype, node.dtype)
            total = row if total is None else scalar(op, (total, row), node.dtype, node.dtype)
        return total
