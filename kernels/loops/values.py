"""LLVM IR of the expressions of `kernels.loops.language`."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from kernels.loops.emitter import (
    ELEMENT,
    NARROW,
    VECTOR,
    VECTORS,
    WIDTH,
    Emitter,
    Signature,
    Value,
    hexed,
    room_of,
)  # fmt: skip
from kernels.loops.shuffles import folded
from kernels.loops.vectors import gathered, number_part

_INT = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "sdiv", ast.Mod: "srem", ast.BitAnd: "and",
        ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr"}  # fmt: skip
_FLOAT = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_COMPARE = {ast.Lt: ("slt", "olt"), ast.LtE: ("sle", "ole"), ast.Gt: ("sgt", "ogt"), ast.GtE: ("sge", "oge"),
            ast.Eq: ("eq", "oeq"), ast.NotEq: ("ne", "une")}  # fmt: skip
_TRUTHS = {type_: f"<{WIDTH[type_]} x i1>" for type_ in VECTORS}
LAID = {"store_bytes_f64": "double", "store_bytes_f32": "float", "store_bytes_i64": "i64", "store_bytes_i32": "i32"}


class Values(Emitter):
    """Writes the code of expressions, in the order in which they are looked at."""

    def _branch(self, condition: ast.expr, yes: str, no: str) -> None:
        # `and` and `or` become branches, so that what is behind them is computed only where Python would: it may be an
        # index that must not be looked at.
        # Short circuit: the last part goes to `yes` or `no`, each before it to the next one.
        if isinstance(condition, ast.BoolOp):
            for i, part in enumerate(condition.values):
                last = i == len(condition.values) - 1
                following = self._new("l")
                if isinstance(condition.op, ast.And):
                    self._branch(part, yes if last else following, no)
                else:
                    self._branch(part, yes, no if last else following)
                if not last:
                    self._label(following)
            return
        if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
            self._branch(condition.operand, no, yes)
            return
        self.body.append(f"br i1 {self._truth(self._value(condition)).name}, label %{yes}, label %{no}")

    def _truth(self, value: Value) -> Value:
        if value.type == "i64":
            return self._emit(f"icmp ne i64 {value.name}, 0", "i1")
        assert value.type == "i1", f"{self.signature.name}: no condition of type {value.type}"
        return value

    def _value(self, node: ast.expr) -> Value:
        made: Value = getattr(self, f"_{type(node).__name__}")(node)
        return made

    def _Constant(self, node: ast.Constant) -> Value:  # noqa: N802
        return self._number(node.value)

    def _number(self, value: Any) -> Value:
        return Value(hexed(value), "double") if isinstance(value, float) else Value(str(int(value)), "i64")

    def _Name(self, node: ast.Name) -> Value:  # noqa: N802
        if node.id in self.variables:
            type_ = self.variables[node.id]
            return self._emit(f"load {type_}, ptr %m.{node.id}", type_)
        return self._number(self.constants[node.id])

    def _Attribute(self, node: ast.Attribute) -> Value:  # noqa: N802
        # t.room is a parameter of its own; all other attributes are fields in memory.
        if isinstance(node.value, ast.Name) and node.attr == "room":
            return self._emit(f"load i64, ptr %m.{room_of(node.value.id)}", "i64")
        place = self._field(node)
        type_ = ELEMENT[place.type[4:]]
        return self._emit(f"load {type_}, ptr {place.name}", type_)

    def _Subscript(self, node: ast.Subscript) -> Value:  # noqa: N802
        place, dtype = self._place(node.value, node.slice)
        element = ELEMENT[dtype]
        got = self._emit(f"load {element}, ptr {place}", element)
        # A fraction ("uint8/255") is divided as it is loaded, thus an f32 from here on.
        if "/" in dtype:
            got, element = self._fraction(got, dtype, 1), "float"
        if element == "float":
            return self._emit(f"fpext float {got.name} to double", "double")
        if element in ("double", "i64"):
            return got
        return self._emit(f"{'zext' if dtype[0] == 'u' else 'sext'} {element} {got.name} to i64", "i64")

    def _UnaryOp(self, node: ast.UnaryOp) -> Value:  # noqa: N802
        if isinstance(node.op, ast.Not):
            return self._emit(f"xor i1 {self._truth(self._value(node.operand)).name}, true", "i1")
        value = self._value(node.operand)
        if value.type == "i64":
            return self._emit(f"sub i64 0, {value.name}", "i64")
        return self._emit(f"fneg {value.type} {value.name}", value.type)

    def _BinOp(self, node: ast.BinOp) -> Value:  # noqa: N802
        return self._operation(node.op, self._value(node.left), self._value(node.right))

    def _operation(self, op: ast.operator, a: Value, b: Value) -> Value:
        a, b = self._alike(a, b, isinstance(op, ast.Div))
        name = _INT[type(op)] if a.type == "i64" else _FLOAT[type(op)]
        return self._emit(f"{name} {a.type} {a.name}, {b.name}", a.type)

    def _alike(self, a: Value, b: Value, floats: bool = False) -> tuple[Value, Value]:
        # A truth is 0 or 1.
        a, b = (self._to(v, "i64") if v.type == "i1" else v for v in (a, b))
        # The wider kind wins, as NumPy has it: a vector before a number, a float before a whole number.
        for type_ in (*VECTORS, "double"):
            if type_ in (a.type, b.type) or (floats and type_ == "double"):
                return self._to(a, type_), self._to(b, type_)
        return a, b

    def _Compare(self, node: ast.Compare) -> Value:  # noqa: N802
        # No chains of comparisons: this line fails for them, with the file and the line.
        (op,), (right,) = node.ops, node.comparators
        a, b = self._alike(self._value(node.left), self._value(right))
        whole, real = _COMPARE[type(op)]
        if a.type == "i64":
            return self._emit(f"icmp {whole} i64 {a.name}, {b.name}", "i1")
        # Ordered comparisons: false with NaN, as in Python; `!=` is unordered, true with NaN.
        return self._emit(f"fcmp {real} {a.type} {a.name}, {b.name}", _TRUTHS.get(a.type, "i1"))

    def _BoolOp(self, node: ast.BoolOp) -> Value:  # noqa: N802
        # A truth that is kept: through memory at the function's head, which LLVM's mem2reg turns into a phi.
        result, yes, no, end = "%" + self._new("c"), self._new("l"), self._new("l"), self._new("l")
        self.head.append(f"{result} = alloca i64")
        self._branch(node, yes, no)
        for label, value in ((yes, 1), (no, 0)):
            self._label(label)
            self.body.append(f"store i64 {value}, ptr {result}")
            self._go(end)
        self._label(end)
        return self._emit(f"load i64, ptr {result}", "i64")

    def _IfExp(self, node: ast.IfExp) -> Value:  # noqa: N802
        # A select, not branches: both sides are evaluated (see the language's forms).
        return self._select(self._truth(self._value(node.test)), self._value(node.body), self._value(node.orelse))

    def _select(self, condition: Value, a: Value, b: Value) -> Value:
        a, b = self._alike(a, b)
        # A vector of truths chooses between two numbers: both are spread over the lanes.
        if condition.type != "i1" and a.type not in VECTORS:
            type_ = VECTOR if condition.type == _TRUTHS[VECTOR] else NARROW
            a, b = self._to(a, type_), self._to(b, type_)
        return self._emit(
            f"select {condition.type} {condition.name}, {a.type} {a.name}, {b.type} {b.name}", a.type)

    def _Call(self, node: ast.Call) -> Value:  # noqa: N802
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        # Other loops first: they may be called as a function of the language is.
        if name in self.known:
            return self._call(self.known[name], node.args)
        if name == "load":
            return self._eight_of(*self._place(node.args[0], node.args[1]))
        if name == "store":
            place, dtype = self._place(node.args[0], node.args[1])
            # Into LANES goes a vector of their type; into a flat array eight f64, or sixteen f32.
            row = self._array(node.args[0]).type.startswith("row")
            value = self._value(node.args[2])
            type_ = NARROW if value.type == NARROW or (row and dtype == "float32") else VECTOR
            assert type_ == VECTOR or dtype == "float32", f"{self.signature.name}: sixteen f32 are put into {dtype}"
            value = self._to(value, type_)
            # Eight f64 into an array of f32: rounded once, here.
            if not row and dtype == "float32" and type_ == VECTOR:
                type_ = "<8 x float>"
                value = self._emit(f"fptrunc {VECTOR} {value.name} to {type_}", type_)
            # The alignment of one element: vectors begin at any of them.
            self.body.append(f"store {type_} {value.name}, ptr {place}, align {np.dtype(dtype).itemsize}")
            return value
        if name == "load_row":
            assert self._array(node.args[0]).type.startswith("row"), f"{self.signature.name}: own is of LANES"
            place, dtype = self._place(node.args[0], node.args[1])
            type_ = VECTOR if dtype == "float64" else NARROW
            return self._emit(f"load {type_}, ptr {place}, align {np.dtype(dtype).itemsize}", type_)
        if name == "splat_like":
            of = self._array(node.args[0]).type
            return self._to(self._value(node.args[1]), VECTOR if of == "row float64" else NARROW)
        if name == "lane_count":
            return Value(str(WIDTH[self._array(node.args[0]).type[4:]]), "i64")
        if name == "compress":
            return self._pack(node.args)
        if name == "load_minus":
            return self._less(node.args)
        if name == "row_sums":
            (out, _), (place, dtype) = self._place(node.args[0], node.args[1]), self._place(node.args[2], node.args[3])
            for k, sums in enumerate(folded(lambda text: self._emit(text, "").name, place, ELEMENT[dtype])):
                at = self._emit(f"getelementptr {VECTOR}, ptr {out}, i64 {k}", "").name
                self.body.append(f"store {VECTOR} {sums}, ptr {at}, align 8")
            return Value("0", "i64")
        if name == "gather_transpose":
            return self._turn(node.args)
        if name == "gather":
            array, (places, _) = self._array(node.args[0]), self._place(node.args[1], node.args[2])
            element = ELEMENT[array.type[4:]]
            got = gathered(lambda text: self._emit(text, "").name, array.name, places, element)
            return self._widened(Value(got, VECTOR), array.type[4:])
        if name == "prefetch":
            place, _ = self._place(node.args[0], node.args[1])
            self.body.append(f"call void @llvm.prefetch.p0(ptr {place}, i32 0, i32 3, i32 1)")
            return Value("0", "i64")
        if name == "nonzero_bytes":
            place, _ = self._place(node.args[0], node.args[1])
            some = self._emit(f"load <64 x i8>, ptr {place}, align 1", "")
            some = self._emit(f"icmp ne <64 x i8> {some.name}, zeroinitializer", "")
            # Little endian: bit k is byte k.
            return self._emit(f"bitcast <64 x i1> {some.name} to i64", "i64")
        if name in LAID:
            return self._lay(LAID[name], node.args)
        values = [self._value(a) for a in node.args]
        if name in ("min", "max"):  # as Python's: the first of equal ones, and of one that is NaN
            best = values[0]
            # A comparison and a selection, not llvm.minnum: that returns the number beside a NaN, Python's min the
            # first argument.
            for value in values[1:]:
                a, b = self._alike(best, value)
                op = ("icmp slt" if name == "min" else "icmp sgt") if a.type == "i64" else (
                    "fcmp olt" if name == "min" else "fcmp ogt")  # fmt: skip
                best = self._select(self._emit(f"{op} {a.type} {b.name}, {a.name}", _TRUTHS.get(a.type, "i1")), b, a)
            return best
        if name == "where":
            return self._select(*values)
        if name == "bit_edges":
            word, before = values
            # word ^ (word << 1 | before): a bit differs from the one below it.
            shifted = self._emit(f"shl i64 {word.name}, 1", "i64")
            shifted = self._emit(f"or i64 {shifted.name}, {self._to(before, 'i64').name}", "i64")
            return self._emit(f"xor i64 {word.name}, {shifted.name}", "i64")
        (one,) = values
        if name == "mask":
            assert one.type in _TRUTHS.values(), f"{self.signature.name}: no mask of {one.type}"
            # i1 lanes become a word of 8 or 16 bits, lane 0 the lowest.
            bits = self._emit(f"bitcast {one.type} {one.name} to i{8 if one.type == _TRUTHS[VECTOR] else 16}", "")
            return self._emit(f"zext i{8 if one.type == _TRUTHS[VECTOR] else 16} {bits.name} to i64", "i64")
        if name in ("ctz", "popcount"):
            # i1 false: the count of 0 is 64, not undefined.
            counted = f"cttz.i64(i64 {one.name}, i1 false)" if name == "ctz" else f"ctpop.i64(i64 {one.name})"
            return self._emit(f"call i64 @llvm.{counted}", "i64")
        if name == "clear_lowest_bit":
            less = self._emit(f"sub i64 {one.name}, 1", "i64")
            return self._emit(f"and i64 {one.name}, {less.name}", "i64")
        if name == "splat":
            return self._to(one, VECTOR)
        if name == "int":
            # Towards zero, as Python's int().
            return one if one.type == "i64" else (
                self._to(one, "i64") if one.type == "i1" else self._emit(f"fptosi double {one.name} to i64", "i64"))
        if name in ("power_of_two", "exponent", "mantissa"):
            return Value(number_part(lambda text: self._emit(text, "").name, name, one.name, one.type), one.type)
        if name == "float":
            return self._to(one, "double")
        if name == "float_to_bits":
            return self._emit(f"bitcast double {self._to(one, 'double').name} to i64", "i64")
        if name == "bits_to_float":
            return self._emit(f"bitcast i64 {self._to(one, 'i64').name} to double", "double")
        # What is left are functions of floats.
        one = self._to(one, "double") if one.type == "i64" else one
        suffix = {VECTOR: "v8f64", NARROW: "v16f32"}.get(one.type, "f64")
        called = {"abs": "fabs"}.get(name, name)
        assert called in ("fabs", "sqrt", "rint", "floor"), f"{self.signature.name}: no function {name}"
        return self._emit(f"call {one.type} @llvm.{called}.{suffix}({one.type} {one.name})", one.type)

    def _call(self, other: Signature, args: list[ast.expr]) -> Value:
        # The callee's LANES are those of the first such array that is passed.
        given, lanes = [], ""
        args = [part for arg in args for part in self._passed(arg)]
        for arg, kind in zip(args, other.kinds, strict=True):
            if kind in ("int", "float"):
                value = self._to(self._value(arg), "i64" if kind == "int" else "double")
                given.append(f"{value.type} {value.name}")
            else:
                array = self._array(arg)
                lanes = lanes or (array.type[4:] if kind == "LANES" else "")
                meant = other.array(kind, self.pixels, lanes)
                assert array.type == meant, f"{self.signature.name}: {other.name} {kind}"
                given.append(f"ptr {array.name}")
        self.used[other.name, lanes or "float64"] = None
        return self._emit(f"call {other.result} @{other.instance(lanes or 'float64')}({', '.join(given)})",
                          other.result)  # fmt: skip

    def _passed(self, arg: ast.expr) -> list[ast.expr]:
        """A record is passed on as its memory and its room."""
        if isinstance(arg, ast.Name) and self.signature.layout(arg.id) is not None:
            return [arg, ast.Name(room_of(arg.id))]
        return [arg]
