"""LLVM IR of the functions of `kernels.loops.language`: a plain translation, a block of memory a variable."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from kernels.errors import ExprError
from kernels.loops.emitter import ELEMENT, Pixels, Signature, Value
from kernels.loops.values import Values


def function_text(
    tree: ast.FunctionDef, signature: Signature, known: Mapping[str, Signature], pixels: Pixels,
    constants: Mapping[str, float | int], lanes: str = "float64", file: str = "",
) -> tuple[str, Iterable[tuple[str, str]]]:  # fmt: skip
    """The IR of one function for LANES of a type; names of the loops that it calls and the type of theirs.

    Raises:
        ExprError: there is something in the function that the language does not have; with file and line.
    """
    writer = _Writer(signature, known, pixels, constants, lanes)
    try:
        return writer.written(tree), writer.used
    # The writer's assertions and look-ups say what the language lacks; here they get file and line.
    except (AssertionError, TypeError, KeyError, AttributeError, ValueError) as error:
        where = f"{file}:{writer.line}: loop {signature.name}"
        said = str(error).removeprefix(f"{signature.name}: ")
        if isinstance(error, KeyError):
            said = f"there is no name {said}"
        elif isinstance(error, AttributeError):
            said = f"the language has no {said.rpartition('_')[2].rstrip(chr(39))}"
        raise ExprError(f"{where}: {said or 'this is no form of the language'}") from error


class _Writer(Values):
    """And the statements."""

    line = 0
    """Of the statement that is being written."""

    def written(self, tree: ast.FunctionDef) -> str:
        given = []
        # Numbers are copied to memory, since the body may set them; arrays and records are pointers that never change.
        for name, kind in zip(self.signature.names, self.signature.kinds, strict=True):
            if kind in ("int", "float"):
                type_ = "i64" if kind == "int" else "double"
                given.append(f"{type_} %p.{name}")
                self._set(name, Value(f"%p.{name}", type_))
            else:
                given.append(f"ptr %p.{name}")
                self.arrays[name] = Value(f"%p.{name}", self.signature.array(kind, self.pixels, self.lanes))
        self._statements(tree.body)
        # A block of LLVM IR has to end; where every way returns before, nothing comes here.
        self.body.append(f"ret {self.signature.result} {'0.0' if self.signature.real else '0'}")
        lines = ["entry:", *self.head, *self.body, "}"]
        head = f"define {self.signature.result} @{self.signature.instance(self.lanes)}({', '.join(given)}) {{"
        return "\n".join((head, *lines, ""))

    def _set(self, name: str, value: Value) -> None:
        if value.type == "i1":
            value = self._to(value, "i64")
        # Each variable is a place in memory; LLVM's mem2reg finds the values, so that no phi has to be written.
        type_ = self.variables.setdefault(name, value.type)
        if f"%m.{name} = alloca {type_}" not in self.head:
            self.head.append(f"%m.{name} = alloca {type_}")
        value = self._to(value, type_)
        self.body.append(f"store {type_} {value.name}, ptr %m.{name}")

    def _statements(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.line = getattr(statement, "lineno", 0)
            getattr(self, f"_{type(statement).__name__}")(statement)

    def _Expr(self, node: ast.Expr) -> None:  # noqa: N802
        if not isinstance(node.value, ast.Constant):  # a docstring
            self._value(node.value)

    def _Assign(self, node: ast.Assign) -> None:  # noqa: N802
        (target,) = node.targets
        if isinstance(target, ast.Tuple):
            assert isinstance(node.value, ast.Tuple)
            # All are computed before the first is stored, as Python does: `a, b = b, a`.
            values = [self._array(v) if self._part(v) else self._value(v) for v in node.value.elts]
            for one, value in zip(target.elts, values, strict=True):
                self._store(one, value)
        elif self._part(node.value):
            self._store(target, self._array(node.value))
        else:
            self._store(target, self._value(node.value))

    def _AugAssign(self, node: ast.AugAssign) -> None:  # noqa: N802
        self._store(node.target, self._operation(node.op, self._value(node.target), self._value(node.value)))

    def _store(self, target: ast.expr, value: Value) -> None:
        if value.type.startswith(("ptr", "row")):
            assert isinstance(target, ast.Name)
            self.arrays[target.id] = value
            return
        if isinstance(target, ast.Name):
            self._set(target.id, value)
            return
        if isinstance(target, ast.Attribute):
            field = self._field(target)
            place, dtype = field.name, field.type[4:]
        else:
            assert isinstance(target, ast.Subscript)
            place, dtype = self._place(target.value, target.slice)
        # All arithmetic is in double and i64; elements of fewer bits are rounded or cut as they are stored.
        element = ELEMENT[dtype]
        if dtype.startswith("float"):
            value = self._to(value, "double")
            if element == "float":
                value = self._emit(f"fptrunc double {value.name} to float", "float")
        else:
            value = self._to(value, "i64")
            if element != "i64":
                value = self._emit(f"trunc i64 {value.name} to {element}", element)
        self.body.append(f"store {element} {value.name}, ptr {place}")

    def _If(self, node: ast.If) -> None:  # noqa: N802
        if isinstance(node.test, ast.Call) and isinstance(node.test.func, ast.Name) and node.test.func.id == "is_f32":
            # Known when it is written: the other side may name what there is none of for this type.
            of = self._array(node.test.args[0]).type[4:]
            self._statements(node.body if of == "float32" else node.orelse)
            return
        yes, no, end = self._new("l"), self._new("l"), self._new("l")
        self._branch(node.test, yes, no)
        self._label(yes)
        # A block that has been left by `return` has a label of its own behind it, so that this jump is legal, if dead.
        self._statements(node.body)
        self._go(end)
        self._label(no)
        self._statements(node.orelse)
        self._go(end)
        self._label(end)

    def _While(self, node: ast.While) -> None:  # noqa: N802
        test, body, end = self._new("l"), self._new("l"), self._new("l")
        self._go(test)
        self._label(test)
        self._branch(node.test, body, end)
        self._label(body)
        self._looped(node.body, test, end)

    def _looped(self, body: list[ast.stmt], again: str, end: str) -> None:
        self.targets.append((again, end))
        self._statements(body)
        self.targets.pop()
        self._go(again)
        self._label(end)

    def _For(self, node: ast.For) -> None:  # noqa: N802
        assert isinstance(node.target, ast.Name)
        assert isinstance(node.iter, ast.Call)
        bounds = [self._value(a) for a in node.iter.args]
        first, last = (Value("0", "i64"), bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = bounds[2] if len(bounds) == 3 else Value("1", "i64")  # rising
        # So that the variable exists, and holds its start, also where the loop never runs.
        self._set(node.target.id, first)
        # As in Python the body may set the variable without changing how often the loop goes round: it has a counter
        # besides.
        counter = self._new("c")
        self.head.append(f"%{counter} = alloca i64")
        self.body.append(f"store i64 {first.name}, ptr %{counter}")
        test, body, following, end = (self._new("l") for _ in range(4))
        self._go(test)
        self._label(test)
        now = self._emit(f"load i64, ptr %{counter}", "i64")
        inside = self._emit(f"icmp slt i64 {now.name}, {last.name}", "i1")
        self.body.append(f"br i1 {inside.name}, label %{body}, label %{end}")
        self._label(body)
        self._set(node.target.id, now)
        self.targets.append((following, end))
        self._statements(node.body)
        self.targets.pop()
        self._go(following)
        self._label(following)
        now = self._emit(f"load i64, ptr %{counter}", "i64")
        more = self._emit(f"add i64 {now.name}, {step.name}", "i64")
        self.body.append(f"store i64 {more.name}, ptr %{counter}")
        self._go(test)
        self._label(end)

    def _Break(self, node: ast.Break) -> None:  # noqa: ARG002, N802
        self._leave(self.targets[-1][1])

    def _Continue(self, node: ast.Continue) -> None:  # noqa: ARG002, N802
        self._leave(self.targets[-1][0])

    def _leave(self, to: str) -> None:
        self._go(to)
        self._label(self._new("l"))  # what follows is never reached

    def _Return(self, node: ast.Return) -> None:  # noqa: N802
        value = self._to(Value("0", "i64") if node.value is None else self._value(node.value), self.signature.result)
        self.body.append(f"ret {value.type} {value.name}")
        self._label(self._new("l"))

    def _part(self, node: ast.expr) -> bool:
        """Whether it is an array, a part of one, `at(array, start)`, or another look at one, `eights(array)`."""
        if isinstance(node, ast.Name):
            return node.id in self.arrays and node.id not in self.variables
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("at", "as_f64_rows")
