"""What the writers of LLVM IR of `kernels.loops.language` share: values and their types, places, vectors of eight."""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kernels.loops.fractions import WHITE, Fraction
from kernels.loops.records import Layout, Record
from kernels.loops.shuffles import transposed
from kernels.loops.structs import Shape, Struct, flat

ARRAYS = {"F64": "float64", "F32": "float32", "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8",
          "U32": "uint32", "U16": "uint16", "U8": "uint8"}  # fmt: skip


class _Elements(dict[str, str]):
    """LLVM's types; of fractions ("uint8/0") that of what lies in memory."""

    def __missing__(self, dtype: str) -> str:
        whole, _, white = dtype.partition("/")
        if not white:
            raise KeyError(dtype)
        return self[whole]


ELEMENT = _Elements({"float64": "double", "float32": "float", "int64": "i64", "int32": "i32", "int16": "i16",
                     "int8": "i8", "uint32": "i32", "uint16": "i16", "uint8": "i8"})  # fmt: skip
VECTOR, NARROW = "<8 x double>", "<16 x float>"
VECTORS = (VECTOR, NARROW)
ROWS = ("LANES", "EIGHTS")  # arrays of two dimensions: vectors, and what is in one
WIDTH = {"float64": 8, "float32": 16, VECTOR: 8, NARROW: 16}  # of vectors of LANES, a register of AVX-512 each


Pixels = np.dtype[Any] | Fraction
"""The type of PIXELS."""


class Value(NamedTuple):
    """An SSA name or a constant, and its type: "i64", "double", "i1", "<8 x double>", "<16 x float>", "<8 x i1>",
    "<16 x i1>", "ptr <dtype>" of an array, or "row <dtype>" of one of LANES."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Signature:
    """Name and parameters of a loop ("int", "float", or the name of an array type), whether it gives a float, and which
    of them are records: such a one is two parameters, its memory and its room. A struct is one a field."""

    name: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    real: bool = False
    records: tuple[tuple[str, Layout], ...] = ()
    parameters: tuple[tuple[str, str | Layout | Shape], ...] = ()
    """As the function has them."""

    @staticmethod
    def of(function: Callable[..., Any]) -> Signature:
        # Not by `inspect.signature`: there are hundreds of loops, and each takes it a fifth of a millisecond.
        code, hints = function.__code__, function.__annotations__
        names, kinds, records, parameters = [], [], [], []
        for parameter in code.co_varnames[: code.co_argcount]:
            word = str(hints.get(parameter, ""))
            meant: str | Layout | Shape = word
            known = function.__globals__.get(word)
            if isinstance(known, type) and issubclass(known, Record):
                meant = known.layout
            elif isinstance(known, type) and issubclass(known, Struct):
                meant = known.shape
            parameters.append((parameter, meant))
            for name, kind in flat(parameter, meant):
                if isinstance(kind, Layout):
                    records.append((name, kind))
                    names += [name, room_of(name)]
                    kinds += ["F64", "int"]
                else:
                    names.append(name)
                    kinds.append(kind)
        real = str(hints.get("return", "")) == "float"
        return Signature(function.__name__, tuple(names), tuple(kinds), real, tuple(records), tuple(parameters))

    @property
    def structs(self) -> dict[str, Shape]:
        """Parameters that are structs."""
        return {name: kind for name, kind in self.parameters if isinstance(kind, Shape)}

    def layout(self, name: str) -> Layout | None:
        """Of the parameter of this name; None where it is no record."""
        return next((layout for known, layout in self.records if known == name), None)

    @property
    def result(self) -> str:
        """The type of what it returns."""
        return "double" if self.real else "i64"

    def dtype(self, kind: str, pixels: Pixels, lanes: str) -> str:
        """The element type of an array parameter."""
        if kind in ROWS:
            return lanes if kind == "LANES" else "float64"
        return pixels.name if kind == "PIXELS" else ARRAYS[kind]

    def array(self, kind: str, pixels: Pixels, lanes: str) -> str:
        """The type of an array parameter, as in `Value`."""
        return f"{'row' if kind in ROWS else 'ptr'} {self.dtype(kind, pixels, lanes)}"

    def instance(self, lanes: str) -> str:
        """The name of the function for LANES of this type. It has a point in it: by a name that C knows, such as log, a
        call would become one of C's library."""
        return f"loop.{self.name}" if lanes == "float64" or "LANES" not in self.kinds else f"{self.name}.{lanes}"


def size_of(dtype: str) -> int:
    """Bytes of an element."""
    return np.dtype(dtype.partition("/")[0]).itemsize


def room_of(name: str) -> str:
    """The parameter that holds the room of the record `name`."""
    return f"{name}.room"


def hexed(value: float) -> str:
    """A double as LLVM reads it without rounding."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class Emitter:
    """Writes code; what an expression is, others know."""

    def __init__(self, signature: Signature, known: Mapping[str, Signature], pixels: Pixels,
                 constants: Mapping[str, float | int], lanes: str) -> None:  # fmt: skip
        self.signature, self.known, self.pixels, self.constants = signature, known, pixels, constants
        self.lanes = lanes
        self.used: dict[tuple[str, str], None] = {}  # loops that are called, and the type of their LANES
        self.head: list[str] = []
        self.body: list[str] = []
        self.variables: dict[str, str] = {}
        self.arrays: dict[str, Value] = {}
        self.count = 0
        self.targets: list[tuple[str, str]] = []  # where `continue` and `break` go

    def _new(self, kind: str = "v") -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def _emit(self, text: str, type_: str) -> Value:
        name = "%" + self._new()
        self.body.append(f"{name} = {text}")
        return Value(name, type_)

    def _label(self, name: str) -> None:
        self.body.append(f"{name}:")

    def _go(self, name: str) -> None:
        self.body.append(f"br label %{name}")

    def _to(self, value: Value, type_: str) -> Value:
        """A conversion that loses nothing but what rounding an i64 to a double does."""
        if value.type == type_:
            return value
        if (value.type, type_) == ("i64", "double"):
            # A constant: written as a double at once, since LLVM's optimiser would do the same, but the text is what
            # caches are keyed by and what people read.
            if value.name.lstrip("-").isdigit():
                return Value(hexed(float(value.name)), "double")
            return self._emit(f"sitofp i64 {value.name} to double", "double")
        if (value.type, type_) == ("i1", "i64"):
            return self._emit(f"zext i1 {value.name} to i64", "i64")
        if type_ in VECTORS and value.type not in VECTORS:
            one = self._to(value, "double")
            if type_ == NARROW:
                one = self._emit(f"fptrunc double {one.name} to float", "float")
            # The idiom by which LLVM knows a broadcast: one element, then a shuffle that repeats it.
            first = self._emit(f"insertelement {type_} poison, {one.type} {one.name}, i64 0", type_)
            zeros = f"<{WIDTH[type_]} x i32> zeroinitializer"
            return self._emit(f"shufflevector {type_} {first.name}, {type_} poison, {zeros}", type_)
        raise TypeError(f"{self.signature.name}: {value.type} is no {type_}")

    def _place(self, array: ast.expr, index: ast.expr) -> tuple[str, str]:
        base = self._array(array)
        dtype = base.type[4:]
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        places = [self._value(part) for part in parts]
        for one in places:
            assert one.type == "i64", f"{self.signature.name}: an index of type {one.type}"
        if base.type.startswith("row"):
            # Rows are addressed by vectors, a second index by elements within one.
            step = f"[{WIDTH[dtype]} x {ELEMENT[dtype]}]"
            place = self._emit(f"getelementptr {step}, ptr {base.name}, i64 {places[0].name}", "").name
            if len(places) == 2:
                place = self._emit(f"getelementptr {ELEMENT[dtype]}, ptr {place}, i64 {places[1].name}", "").name
            return place, dtype
        (one,) = places
        return self._emit(f"getelementptr {ELEMENT[dtype]}, ptr {base.name}, i64 {one.name}", "").name, dtype

    def _array(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Name):
            return self.arrays[node.id]
        if isinstance(node, ast.Attribute):
            return self._field(node)
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        base = self._array(node.args[0])
        if node.func.id == "as_f64_rows":
            assert base.type == "ptr float64", f"{self.signature.name}: no eights of {base.type}"
            return Value(base.name, "row float64")
        # Else it is `at`: a pointer moved on by so many elements, or vectors.
        assert node.func.id == "at"
        return Value(self._place(node.args[0], node.args[1])[0], base.type)

    def _field(self, node: ast.Attribute) -> Value:
        """Where a record's column or number lies."""
        assert isinstance(node.value, ast.Name)
        layout = self.signature.layout(node.value.id)
        assert layout is not None, f"{self.signature.name}: {node.value.id} is no record"
        assert node.attr in layout.fields, f"{self.signature.name}: {layout.name} has no field {node.attr}"
        # A record of columns is one array, field after field, each as long as the record has room: field k begins at k
        # * room. One of numbers has field k at k.
        place, room = layout.fields.index(node.attr), room_of(node.value.id)
        start = Value(str(place), "i64")
        if layout.columns:
            have = self._emit(f"load i64, ptr %m.{room}", "i64")
            start = self._emit(f"mul i64 {have.name}, {place}", "i64")
        base = self.arrays[node.value.id]
        return self._emit(f"getelementptr double, ptr {base.name}, i64 {start.name}", f"ptr {layout.dtype(node.attr)}")

    def _value(self, node: ast.expr) -> Value:
        raise NotImplementedError

    def _eight_of(self, place: str, dtype: str) -> Value:
        element = ELEMENT[dtype]
        got = self._emit(f"load <8 x {element}>, ptr {place}, align {size_of(dtype)}", VECTOR)
        return self._widened(got, dtype)

    def _widened(self, got: Value, dtype: str, to: str = VECTOR) -> Value:
        many = WIDTH[to]
        if "/" in dtype:
            got, dtype = self._fraction(got, dtype, many), "float32"
        element = ELEMENT[dtype]
        if to == f"<{many} x {element}>":
            return Value(got.name, to)
        turned = "uitofp" if dtype[0] == "u" else "sitofp"
        if element in ("double", "float"):
            turned = "fpext" if to == VECTOR else "fptrunc"
        return self._emit(f"{turned} <{many} x {element}> {got.name} to {to}", to)

    def _fraction(self, got: Value, dtype: str, many: int) -> Value:
        """Whole numbers, one or `many`, as fractions of full scale, f32."""
        kind = "{}" if many == 1 else f"<{many} x {{}}>"
        one, real = kind.format(ELEMENT[dtype]), kind.format("float")
        # It never changes while the code is there, so that no store makes it to be read again.
        full = self._emit(f"load float, ptr @{WHITE}, !invariant.load !0", "float").name
        if many > 1:
            first = self._emit(f"insertelement {real} poison, float {full}, i64 0", real).name
            full = self._emit(f"shufflevector {real} {first}, {real} poison, <{many} x i32> zeroinitializer", real).name
        value = self._emit(f"uitofp {one} {got.name} to {real}", real)
        return self._emit(f"fdiv {real} {value.name}, {full}", real)

    def _less(self, args: list[ast.expr]) -> Value:
        row, (start, dtype), (place, _) = self._array(args[0]).type, *(self._place(args[1], at) for at in args[2:])
        element, type_ = ELEMENT[dtype], VECTOR if row == "row float64" else NARROW
        many, align = WIDTH[type_], size_of(dtype)
        got = self._emit(f"load <{many} x {element}>, ptr {start}, align {align}", "").name
        one = self._emit(f"load {element}, ptr {place}", "").name
        first = self._emit(f"insertelement <{many} x {element}> poison, {element} {one}, i64 0", "").name
        all_ = self._emit(f"shufflevector <{many} x {element}> {first}, <{many} x {element}> poison, "
                          f"<{many} x i32> zeroinitializer", "").name  # fmt: skip
        if "/" in dtype:
            got, all_ = (self._fraction(Value(v, ""), dtype, many).name for v in (got, all_))
            element = "float"
        # In whole numbers first: one subtraction of 32 bits in place of two conversions.
        if element in ("i8", "i16"):  # a difference of theirs is exact, in f32, too
            wide = "zext" if dtype[0] == "u" else "sext"
            got, all_ = (self._emit(f"{wide} <{many} x {element}> {v} to <{many} x i32>", "").name for v in (got, all_))
            apart = self._emit(f"sub <{many} x i32> {got}, {all_}", "").name
            return self._emit(f"sitofp <{many} x i32> {apart} to {type_}", type_)
        if f"<{many} x {element}>" == type_:  # of two f32 rounded once, as their difference in f64 is when it is f32
            return self._emit(f"fsub {type_} {got}, {all_}", type_)
        big = f"<{many} x double>"
        for_ = "fpext" if element == "float" else "uitofp" if dtype[0] == "u" else "sitofp"
        if element != "double":
            got, all_ = (self._emit(f"{for_} <{many} x {element}> {v} to {big}", "").name for v in (got, all_))
        apart = self._emit(f"fsub {big} {got}, {all_}", "").name
        return Value(apart, type_) if type_ == VECTOR else self._emit(f"fptrunc {big} {apart} to {type_}", type_)

    def _turn(self, args: list[ast.expr]) -> Value:
        out, into = self._place(args[0], args[1])
        array, (places, _), offset = self._array(args[2]), self._place(args[3], ast.Constant(0)), self._value(args[4])
        dtype = array.type[4:]
        element, type_ = ELEMENT[dtype], VECTOR if into == "float64" else NARROW
        loaded = []
        # Eight elements from each of 8 or 16 places, then a transposition in registers (`shuffles.transposed`): much
        # faster than a gather for each element, as each load is one cache line.
        for lane in range(WIDTH[type_]):
            at = self._emit(f"getelementptr i64, ptr {places}, i64 {lane}", "").name
            place = self._emit(f"load i64, ptr {at}", "i64")
            place = self._emit(f"add i64 {place.name}, {offset.name}", "i64")
            at = self._emit(f"getelementptr {element}, ptr {array.name}, i64 {place.name}", "").name
            loaded.append(self._emit(f"load <8 x {element}>, ptr {at}, align {size_of(dtype)}", "").name)
        for k, one in enumerate(transposed(lambda text: self._emit(text, "").name, loaded, element)):
            wide = self._widened(Value(one, ""), dtype, type_)
            at = self._emit(f"getelementptr {type_}, ptr {out}, i64 {k}", "").name
            self.body.append(f"store {wide.type} {wide.name}, ptr {at}, align {np.dtype(into).itemsize}")
        return Value("0", "i64")

    def _pack(self, args: list[ast.expr]) -> Value:
        (out, into), (place, dtype) = self._place(args[0], args[1]), self._place(args[2], args[3])
        assert dtype == into, f"{self.signature.name}: {dtype} is packed into {into}"
        type_, short = f"<8 x {ELEMENT[dtype]}>", {"float64": "f64", "int64": "i64"}[dtype]
        word = self._emit(f"trunc i64 {self._value(args[4]).name} to i8", "")
        some = self._emit(f"bitcast i8 {word.name} to <8 x i1>", "")
        got = self._emit(f"load {type_}, ptr {place}, align 8", "")
        got = self._emit(f"call {type_} @llvm.experimental.vector.compress.v8{short}({type_} {got.name}, "
                         f"<8 x i1> {some.name}, {type_} poison)", "")  # fmt: skip
        self.body.append(f"store {type_} {got.name}, ptr {out}, align 8")
        return Value("0", "i64")

    def _lay(self, element: str, args: list[ast.expr]) -> Value:
        place, _ = self._place(args[0], args[1])
        value = self._to(self._value(args[2]), "double" if element in ("double", "float") else "i64")
        if element in ("float", "i32"):
            value = self._emit(f"{'fptrunc' if element == 'float' else 'trunc'} {value.type} {value.name} to {element}",
                               element)  # fmt: skip
        self.body.append(f"store {element} {value.name}, ptr {place}, align 1")
        return Value("0", "i64")
