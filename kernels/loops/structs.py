"""Structs of the loop language: arrays and numbers that belong together, under one name.

    @struct
    class Frames(Struct):
        image: PIXELS   # gray values, frame after frame
        height: int     # px
        width: int

A loop whose parameter is annotated with it takes `f.image[i]` and `f.height`, and passes `f` on to other loops. It
makes one of its own with `inner = Frames(at(f.image, first), f.height, f.width)`. Fields may be records and other
structs; `inner = s.frames` is a shorter name for one, once and for the rest of the function. A struct is a value: its
numbers are never set (`f.height = 3` is refused), its arrays are where they are.

In machine code there are no structs: a parameter becomes one parameter a field, `f.image`, `f.height`, and one that a
loop makes becomes a name a field. So they cost nothing, and the code is that of loops with long lists of parameters.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, dataclass_transform

from kernels.errors import ExprError
from kernels.loops.records import Layout, Record


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of a struct."""

    name: str
    fields: tuple[tuple[str, str | Layout | Shape], ...]
    """Name, and the kind of an array or number, or the layout of a record, or another struct's shape."""


class Struct:
    """Base of structs."""

    shape: ClassVar[Shape]

    def leaves(self) -> Iterator[Any]:
        """The values of all fields, those of inner structs in their place."""
        for name, kind in self.shape.fields:
            value = getattr(self, name)
            if isinstance(kind, Shape):
                yield from value.leaves()
            else:
                yield value


T = TypeVar("T", bound=type)


@dataclass_transform()
def struct(cls: T) -> T:
    """Make a class of annotated fields a struct."""
    known = vars(sys.modules[cls.__module__])
    fields: list[tuple[str, str | Layout | Shape]] = []
    for name, annotation in cls.__annotations__.items():
        kind = str(annotation)
        meant = known.get(kind)
        # Annotations are text: a name of the module that is a record or a struct, else the kind of an array or number.
        if isinstance(meant, type) and issubclass(meant, Record):
            fields.append((name, meant.layout))
        elif isinstance(meant, type) and issubclass(meant, Struct):
            fields.append((name, meant.shape))
        else:
            fields.append((name, kind))
    made: Any = dataclass(slots=False, eq=False)(cls)
    made.shape = Shape(cls.__name__, tuple(fields))
    return made  # type: ignore[no-any-return]


def shapes(names: Mapping[str, Any]) -> dict[str, Shape]:
    """The structs among the names of a module."""
    return {k: v.shape for k, v in names.items() if isinstance(v, type) and issubclass(v, Struct) and v is not Struct}


def flat(name: str, kind: str | Layout | Shape) -> Iterator[tuple[str, str | Layout]]:
    """The names and kinds of the fields below one, as parameters of machine code have them."""
    if isinstance(kind, Shape):
        for field, inner in kind.fields:
            yield from flat(f"{name}.{field}", inner)
    else:
        yield name, kind


def without_structs(
    tree: ast.FunctionDef, given: Mapping[str, Shape], known: Mapping[str, Shape], file: str = ""
) -> ast.FunctionDef:
    """The function with a name `s.field` for each field of a struct `s`.

    Args:
        given: parameters that are structs.
        known: structs by the names by which the function makes them.
        file: where the function is, for errors.

    Raises:
        ExprError: a field is set, or there is none of that name, or a struct is made of the wrong fields.
    """
    rewriter = _Rewriter(file, tree.name, dict(given), known)
    body = [new for statement in tree.body for new in rewriter.statements(statement)]
    return ast.FunctionDef(tree.name, tree.args, body, tree.decorator_list, tree.returns, lineno=tree.lineno)


class _Rewriter(ast.NodeTransformer):
    """Replaces fields of structs by names."""

    def __init__(self, file: str, loop: str, structs: dict[str, Shape], known: Mapping[str, Shape]) -> None:
        self.file, self.loop, self.structs, self.known = file, loop, structs, known
        self.alike: dict[str, ast.expr] = {}  # fields of structs that are made and that are records mean the original
        self.aliases: dict[str, tuple[str, Layout | Shape]] = {}  # shorter names for records and structs in structs

    def statements(self, node: ast.stmt) -> list[ast.stmt]:
        """A statement without structs: several where one makes a struct."""
        shape = self._made(node.value) if isinstance(node, ast.Assign) else None
        # A struct that is made becomes one assignment of tuples: all values are computed before the first is stored.
        if shape is not None and isinstance(node, ast.Assign):
            (target,) = node.targets
            if not isinstance(target, ast.Name):
                raise self._error(node, "a struct that a loop makes has a name of its own")
            assert isinstance(node.value, ast.Call)
            made = list(self._parts(node.value, shape, target.id))
            self.structs[target.id] = shape
            names = ast.Tuple([ast.Name(name, ast.Store()) for name, _ in made], ast.Store())
            values = ast.Tuple([value for _, value in made], ast.Load())
            return [ast.copy_location(ast.Assign([names], values), node)] if made else []
        if isinstance(node, ast.Assign) and self._aliased(node):
            return []
        # What remains must not set a field: structs are values.
        if isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(one, ast.Attribute) and self._field(one) is not None:
                        raise self._error(node, f"{ast.unparse(one)} is a field of a struct and cannot be set")
        new = self.visit(node)
        # Loops and branches hold statements of their own.
        for field in ("body", "orelse"):
            if isinstance(inner := getattr(node, field, None), list):
                setattr(new, field, [made for one in inner for made in self.statements(one)])
        return [new]

    def _aliased(self, node: ast.Assign) -> bool:
        """Whether an assignment names records and structs that are fields; it becomes no statement."""
        (target,) = node.targets
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        fields = [self._field(value) for value in values]
        if not any(field is not None and not isinstance(field[1], str) for field in fields):
            return False
        for one, field in zip(targets, fields, strict=True):
            if field is None or isinstance(field[1], str) or not isinstance(one, ast.Name):
                raise self._error(node, "records and structs are named by themselves, and numbers and arrays likewise")
            if one.id in self.structs or one.id in self.aliases:
                raise self._error(node, f"{one.id} is the name of a struct or of a record already")
            self.aliases[one.id] = (field[0], field[1])
        return True

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.aliases:
            return node
        name, kind = self.aliases[node.id]
        if isinstance(kind, Shape):
            raise self._error(node, f"{node.id} is a struct")
        return self.alike.get(name, ast.Name(name, node.ctx))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        # Bodies are taken statement by statement, above.
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.visit(value))
            elif isinstance(value, list) and not any(isinstance(one, ast.stmt) for one in value):
                setattr(node, field, [self.visit(one) if isinstance(one, ast.AST) else one for one in value])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        found = self._field(node)
        if found is None:
            return ast.Attribute(self.visit(node.value), node.attr, node.ctx)
        name, kind = found
        if isinstance(kind, Shape):
            raise self._error(node, f"{name} is a struct")
        return self.alike.get(name, ast.Name(name, node.ctx))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        args: list[ast.expr] = []
        for arg in node.args:
            shape = self._made(arg)
            if shape is not None:
                assert isinstance(arg, ast.Call)
                args += [value for _, value in self._parts(arg, shape, "")]
            else:
                args += self._passed(arg)
        return ast.copy_location(ast.Call(node.func, args, node.keywords), node)

    def _passed(self, arg: ast.expr) -> list[ast.expr]:
        found = self._field(arg)
        if found is None:
            return [self.visit(arg)]
        return [self.alike.get(name, ast.Name(name, ast.Load())) for name, _ in flat(*found)]

    def _field(self, node: ast.expr) -> tuple[str, str | Layout | Shape] | None:
        """The name and the kind of a struct, or of a field of one; None where the expression is neither."""
        if isinstance(node, ast.Name):
            # Structs first, then shorter names.
            known = {node.id: (node.id, self.structs[node.id])} if node.id in self.structs else self.aliases
            return known.get(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        above = self._field(node.value)
        if above is None:
            return None
        name, shape = above
        if not isinstance(shape, Shape):
            return None
        for field, kind in shape.fields:
            if field == node.attr:
                return f"{name}.{field}", kind
        raise self._error(node, f"{shape.name} has no field {node.attr}")

    def _made(self, node: ast.expr) -> Shape | None:
        """The struct that an expression makes."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.known.get(node.func.id)
        return None

    def _parts(self, call: ast.Call, shape: Shape, name: str) -> Iterator[tuple[str, ast.expr]]:
        """The names and values of the fields of a struct that is made."""
        # By place, then by name, as Python's calls.
        given = dict(zip((field for field, _ in shape.fields), call.args, strict=False))
        given |= {str(keyword.arg): keyword.value for keyword in call.keywords}
        if len(call.args) > len(shape.fields) or set(given) != {field for field, _ in shape.fields}:
            raise self._error(call, f"{shape.name} is made of {', '.join(field for field, _ in shape.fields)}")
        for field, kind in shape.fields:
            value, named = given[field], f"{name}.{field}"
            if isinstance(kind, Shape):
                inner = self._made(value)
                if inner is not None:
                    assert isinstance(value, ast.Call)
                    parts = list(self._parts(value, inner, named))
                else:
                    found = self._field(value)
                    inner = found[1] if found is not None and isinstance(found[1], Shape) else None
                    parts = list(zip((n for n, _ in flat(named, kind)), self._passed(value), strict=False))
                # A shape is compared by its fields: two structs of the same fields and name are one.
                if inner != kind:
                    raise self._error(call, f"{field} of {shape.name} is a {kind.name}")
                yield from parts
            elif isinstance(kind, Layout):
                (passed,) = self._passed(value)
                # A record is memory that never moves: the new name means the old one, and no code is written.
                if name:
                    self.alike[named] = passed
                else:
                    yield named, passed
            else:
                yield named, self.visit(value)

    def _error(self, node: ast.AST, what: str) -> ExprError:
        return ExprError(f"{self.file}:{getattr(node, 'lineno', 0)}: loop {self.loop}: {what}")
