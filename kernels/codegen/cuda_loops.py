"""Loops of `kernels.loops.language` as functions of CUDA C, so that what is computed of one thing is written once.

A function becomes `loop_NAME`, for one thread, with the same operations in the same order, so it gives the same bits
where nothing is contracted (`kernels.codegen.cuda_launch.OPTIONS`). A vector is one number here: where loops take
vectors of eight, a lane of these is a thread, and what counts vectors counts numbers. A record of numbers is a
structure of its name, handed over by reference. How threads share a frame is no matter of loops; those who print
kernels around them know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from kernels.codegen.cuda_writer import Writer
from kernels.fusion.normal import Unsupported
from kernels.loops.language import Loop, constants, tree
from kernels.loops.records import Layout

_ARRAYS = {"F64": "double", "F32": "const float", "I64": "long long", "EIGHTS": "double", "LANES": "double"}
_TYPES = {"int": "long long", "float": "double"}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}  # fmt: skip
_CALLS = {"sqrt": "sqrt({})", "rint": "rint({})", "floor": "floor({})", "abs": "fabs({})",
          "bits_to_float": "__longlong_as_double({})", "float_to_bits": "__double_as_longlong({})",
          "power_of_two": "__longlong_as_double(((long long){} + 1023) << 52)"}  # fmt: skip
_INTEGERS = ("float_to_bits",)


class _Value(NamedTuple):
    """C text and its type: "long long", "double", "bool", or a pointer's."""

    text: str
    type: str


def loop_texts(loops: Iterable[Loop]) -> str:
    """The functions of some loops, and before them those that they call and the structures of their records.

    Raises:
        Unsupported: a loop has a form that has no text here; says which.
    """
    found: dict[str, Loop] = {}
    for one in loops:
        _collect(one, found)
    layouts = {layout.name: layout for one in found.values() for _, layout in one.signature.records}
    structures = [_structure(layout) for layout in layouts.values()]
    return "".join(text + "\n" for text in (*structures, *(_Function(one).text() for one in found.values())))


def _collect(one: Loop, into: dict[str, Loop]) -> None:
    """A loop behind those that it calls."""
    for name in one.function.__code__.co_names:
        other = one.function.__globals__.get(name)
        if isinstance(other, Loop) and other.name not in into and other is not one:
            _collect(other, into)
    into[one.name] = one


def _structure(layout: Layout) -> str:
    if layout.columns:
        raise Unsupported(f"a record of columns, {layout.name}")
    fields = " ".join(f"{_TYPES[kind]} {field};" for field, kind in zip(layout.fields, layout.kinds, strict=True))
    return f"struct {layout.name} {{ {fields} }};"


class _Function(Writer):
    """Prints one loop."""

    def __init__(self, one: Loop) -> None:
        super().__init__()
        self.loop, self.name = one, one.name
        self.constants = constants(one.function.__globals__)
        self.variables: dict[str, str] = {}
        self.records: dict[str, Layout] = dict(one.signature.records)
        self.given: list[str] = []
        self.fresh = 0

    def text(self) -> str:
        """All of it."""
        signature = self.loop.signature
        listed, taken = [], set[str]()
        for name, kind in zip(signature.names, signature.kinds, strict=True):
            own = name.partition(".")[0]
            if own in taken:
                continue
            taken.add(own)
            if own in self.records:
                listed.append(f"const {self.records[own].name} &{own}")
                continue
            if kind not in _TYPES and kind not in _ARRAYS:
                raise self._wrong(f"an array of {kind}")
            self.variables[own] = _TYPES.get(kind) or f"{_ARRAYS[kind]} *"
            listed.append(_declared(self.variables[own], own))
        before = set(self.variables)
        self.depth = 1
        self._statements(tree(self.loop).body)
        body, self.lines = self.lines, []
        for name, type_ in self.variables.items():
            if name not in before:
                self.line(f"{_declared(type_, name)}{' = 0' if not type_.endswith('*') else ''};")
        result = "double" if signature.real else "long long"
        head = f"__device__ __forceinline__ {result} loop_{self.name}({', '.join(listed)})\n{{"
        return "\n".join([head, *self.lines, *body, "}"])

    def _wrong(self, what: str) -> Unsupported:
        return Unsupported(f"the loop {self.name} has {what}, which has no CUDA text")

    def _new(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}_"

    # Statements

    def _statements(self, body: list[ast.stmt]) -> None:
        for statement in body:
            match statement:
                case ast.Expr(ast.Constant()):
                    pass
                case ast.Expr(value):
                    self.line(f"{self._value(value).text};")
                case ast.Assign([target], value):
                    self._assign(target, value)
                case ast.AugAssign(target, op, value):
                    self._store(target, self._operation(op, self._value(target), self._value(value)))
                case ast.If():
                    self._if(statement)
                case ast.While(test, inner):
                    with self.block(f"while ({self._value(test).text})"):
                        self._statements(inner)
                case ast.For():
                    self._for(statement)
                case ast.Break():
                    self.line("break;")
                case ast.Continue():
                    self.line("continue;")
                case ast.Return(value):
                    result = "double" if self.loop.signature.real else "long long"
                    self.line(f"return {self._to(self._value(value), result) if value is not None else '0'};")
                case _:
                    raise self._wrong(f"a statement {type(statement).__name__}")

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Tuple):
            self._store(target, self._value(value))
            return
        assert isinstance(value, ast.Tuple)
        made = []  # all are computed before the first is stored
        for one in value.elts:
            found = self._value(one)
            if not isinstance(one, ast.Constant):
                name = self._new("t")
                self.line(f"{_declared(found.type, name)} = {found.text};")
                found = _Value(name, found.type)
            made.append(found)
        for goal, found in zip(target.elts, made, strict=True):
            self._store(goal, found)

    def _store(self, target: ast.expr, value: _Value) -> None:
        if isinstance(target, ast.Name):
            type_ = self.variables.setdefault(target.id, "long long" if value.type == "bool" else value.type)
            self.line(f"{target.id} = {self._to(value, type_)};")
            return
        if not isinstance(target, ast.Subscript):
            raise self._wrong(f"a store to a {type(target).__name__}")
        place = self._value(target)
        self.line(f"{place.text} = {self._to(value, place.type)};")

    def _if(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Call) and isinstance(node.test.func, ast.Name) and node.test.func.id == "is_f32":
            self._statements(node.orelse)  # LANES are f64
            return
        with self.block(f"if ({self._value(node.test).text})"):
            self._statements(node.body)
        if node.orelse:
            with self.block("else"):
                self._statements(node.orelse)

    def _for(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        assert isinstance(node.iter, ast.Call)
        bounds = [self._to(self._value(a), "long long") for a in node.iter.args]
        first, last = ("0", bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = bounds[2] if len(bounds) == 3 else "1"
        self.variables.setdefault(node.target.id, "long long")
        now, end = self._new("c"), self._new("e")
        with self.block(f"for (long long {now} = {first}, {end} = {last}; {now} < {end}; {now} += {step})"):
            self.line(f"{node.target.id} = {now};")
            self._statements(node.body)

    # Expressions

    def _value(self, node: ast.expr) -> _Value:
        match node:
            case ast.Constant(number) if isinstance(number, int | float):
                return _number(number)
            case ast.Name(name):
                if name in self.variables:
                    return _Value(name, self.variables[name])
                return _number(self.constants[name])
            case ast.Attribute(ast.Name(name), field) if name in self.records:
                layout = self.records[name]
                return _Value(f"{name}.{field}", _TYPES[layout.kinds[layout.fields.index(field)]])
            case ast.Subscript(array, index):
                base = self._array(array)
                found = self._to(self._value(index), "long long")
                return _Value(f"{base.text}[{found}]", "double" if "float" in base.type else base.type[:-2])
            case ast.UnaryOp(ast.Not(), operand):
                return _Value(f"!({self._value(operand).text})", "bool")
            case ast.UnaryOp(ast.USub(), operand):
                value = self._value(operand)
                return _Value(f"-({value.text})", value.type)
            case ast.BinOp(left, op, right):
                return self._operation(op, self._value(left), self._value(right))
            case ast.Compare(left, [op], [right]):
                a, b, _ = _alike(self._value(left), self._value(right))
                return _Value(f"({a} {_COMPARISONS[type(op)]} {b})", "bool")
            case ast.BoolOp(op, values):
                sign = " && " if isinstance(op, ast.And) else " || "
                return _Value(f"({sign.join(self._value(v).text for v in values)})", "bool")
            case ast.IfExp(test, body, orelse):
                return self._either(self._value(test), self._value(body), self._value(orelse))
            case ast.Call(ast.Name(name), args):
                return self._call(name, args)
        raise self._wrong(f"an expression {type(node).__name__}")

    def _array(self, node: ast.expr) -> _Value:
        if isinstance(node, ast.Name):
            return _Value(node.id, self.variables[node.id])
        made = self._value(node)
        return _Value(f"({made.text})", made.type)

    def _operation(self, op: ast.operator, left: _Value, right: _Value) -> _Value:
        if isinstance(op, ast.Div):
            return _Value(f"({self._to(left, 'double')} / {self._to(right, 'double')})", "double")
        a, b, type_ = _alike(left, right)
        return _Value(f"({a} {_OPERATORS[type(op)]} {b})", "long long" if type_ == "bool" else type_)

    def _either(self, test: _Value, body: _Value, other: _Value) -> _Value:
        a, b, type_ = _alike(body, other)
        return _Value(f"({test.text} ? {a} : {b})", type_)

    def _call(self, name: str, args: list[ast.expr]) -> _Value:
        other = self.loop.function.__globals__.get(name)
        if isinstance(other, Loop):
            return self._loop(other, args)
        if name in ("at", "load_row", "load", "store"):
            base, index = self._array(args[0]), self._to(self._value(args[1]), "long long")
            if name == "at":
                return _Value(f"{base.text} + {index}", base.type)
            if name == "store":
                return _Value(f"{base.text}[{index}] = {self._to(self._value(args[2]), 'double')}", "double")
            return _Value(f"{base.text}[{index}]", "double")
        if name == "as_f64_rows":
            return self._array(args[0])
        values = [self._value(a) for a in args]
        if name in ("min", "max"):  # as Python's: the first of equal ones, and of one that is NaN
            best = values[0]
            for value in values[1:]:
                a, b, type_ = _alike(best, value)
                best = _Value(f"({b} {'<' if name == 'min' else '>'} {a} ? {b} : {a})", type_)
            return best
        if name == "where":
            return self._either(*values)
        if name in ("int", "float"):
            return _Value(f"({_TYPES[name]})({values[0].text})", _TYPES[name])
        if name in _CALLS:
            given = self._to(values[0], "long long" if name == "bits_to_float" else "double")
            return _Value(_CALLS[name].format(f"({given})"), "long long" if name in _INTEGERS else "double")
        raise self._wrong(f"a call of {name}")

    def _loop(self, other: Loop, args: list[ast.expr]) -> _Value:
        names = list(dict.fromkeys(name.partition(".")[0] for name in other.signature.names))
        kinds = dict(zip(other.signature.names, other.signature.kinds, strict=True))
        given = []
        for name, arg in zip(names, args, strict=True):
            if isinstance(arg, ast.Name) and arg.id in self.records:
                given.append(arg.id)
            elif kinds[name] in _TYPES:
                given.append(self._to(self._value(arg), _TYPES[kinds[name]]))
            else:
                given.append(self._value(arg).text)
        return _Value(f"loop_{other.name}({', '.join(given)})", "double" if other.signature.real else "long long")

    def _to(self, value: _Value, type_: str) -> str:
        if value.type == type_ or type_.endswith("*"):
            return value.text
        if (value.type, type_) == ("double", "long long"):
            raise self._wrong("a float where a whole number belongs")
        return f"({type_})({value.text})"


def _declared(type_: str, name: str) -> str:
    return f"{type_}{'' if type_.endswith('*') else ' '}{name}"


def _number(value: float) -> _Value:
    return _Value(repr(value), "double") if isinstance(value, float) else _Value(f"{value}LL", "long long")


def _alike(a: _Value, b: _Value) -> tuple[str, str, str]:
    """Two numbers of one type."""
    if a.type == b.type:
        return a.text, b.text, a.type
    type_ = "double" if "double" in (a.type, b.type) else "long long"
    return *(v.text if v.type == type_ else f"({type_})({v.text})" for v in (a, b)), type_  # type: ignore[return-value]
