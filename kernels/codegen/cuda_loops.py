"""Loops of `kernels.loops.language` as functions of CUDA C, so that what is computed of one thing is written once.

A function becomes `loop_NAME`, with the same operations in the same order, so it gives the same bits where nothing is
contracted (`kernels.codegen.cuda_launch.OPTIONS`). There are two ways:

    alone    one thread runs it. A vector is one number: where loops take vectors of eight, a lane of these is a thread,
             and what counts vectors counts numbers
    team     eight neighbouring threads run it together, a lane of its vectors each (of LANES, too, which are eight f32
             or f64 here; where a `Way` is wide sixteen f32, two a thread, for loops that add them up in their order).
             What is no vector each computes for itself, the same; what is stored of it the first stores.

Threads of a team wait for one another where one reads what another has written, and before one writes what another may
still have to read. Rows of LANES that only `load_row` and `store` touch are each thread's own: nobody waits. A function
takes it that anything may have happened before it was called.

A record of numbers is a structure of its name, handed over by reference; a struct is a parameter a field, as in machine
code. How threads share a frame is no matter of loops; those who print kernels around them know.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from kernels.codegen.cuda_writer import Writer
from kernels.fusion.normal import Unsupported
from kernels.loops.emitter import ARRAYS, ROWS
from kernels.loops.language import Loop, constants, without_structs_of
from kernels.loops.records import Layout
from kernels.loops.structs import Shape, flat

TEAM = 8
"""Threads of a team: the numbers of a vector of f64."""
INLINE = 24
"""Lines of a loop that is made a part of whoever calls it, where teams run it."""
TEAM_PRELUDE = f"""\
// A team is the first {TEAM} threads of a warp.
__device__ __forceinline__ int team_lane() {{ return threadIdx.x % 32; }}
__device__ __forceinline__ void team_wait() {{ __syncwarp({(1 << TEAM) - 1:#x}u); }}
__device__ __forceinline__ long long team_mask(bool own) {{ return __ballot_sync({(1 << TEAM) - 1:#x}u, own); }}
"""

WIDE_PRELUDE = f"""\
// Two of sixteen numbers: a thread's own, and the one {TEAM} on.
struct Wide {{
    float a, b;
    __device__ __forceinline__ Wide(float both) : a(both), b(both) {{}}
    __device__ __forceinline__ Wide(float first, float second) : a(first), b(second) {{}}
}};
__device__ __forceinline__ Wide operator+(Wide x, Wide y) {{ return Wide(x.a + y.a, x.b + y.b); }}
__device__ __forceinline__ Wide operator-(Wide x, Wide y) {{ return Wide(x.a - y.a, x.b - y.b); }}
__device__ __forceinline__ Wide operator*(Wide x, Wide y) {{ return Wide(x.a * y.a, x.b * y.b); }}
__device__ __forceinline__ Wide operator/(Wide x, Wide y) {{ return Wide(x.a / y.a, x.b / y.b); }}
__device__ __forceinline__ Wide wide_at(const float *p) {{ return Wide(p[team_lane()], p[team_lane() + {TEAM}]); }}
__device__ __forceinline__ void put_wide(float *p, Wide v)
{{
    p[team_lane()] = v.a;
    p[team_lane() + {TEAM}] = v.b;
}}
// The sums of sixteen vectors of sixteen numbers, two a thread: halves are added until four are left.
__device__ __forceinline__ void row_sums(double *out, const float *rows)
{{
    for (int k = team_lane(); k < 16; k += {TEAM}) {{
        const float *const v = rows + 16 * k;
        float four[4];
        for (int j = 0; j < 4; ++j) four[j] = (v[j] + v[j + 8]) + (v[j + 4] + v[j + 12]);
        out[k] = ((double)four[0] + (double)four[2]) + ((double)four[1] + (double)four[3]);
    }}
}}
"""

_MEMORY = {"float64": "double", "float32": "float", "int64": "long long", "int32": "int", "int16": "short",
           "int8": "signed char", "uint32": "unsigned", "uint16": "unsigned short",
           "uint8": "unsigned char"}  # fmt: skip
_TYPES = {"int": "long long", "float": "double"}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}  # fmt: skip
_REAL = {"sqrt": "sqrt", "rint": "rint", "floor": "floor", "abs": "fabs"}
_OF_WORDS = {"ctz": "(({0}) != 0 ? (long long)(__ffsll({0}) - 1) : 64LL)", "popcount": "(long long)__popcll({0})",
             "clear_lowest_bit": "(({0}) & (({0}) - 1LL))"}  # fmt: skip
_OF_NUMBERS = frozenset(("min", "max", "where", "mask", "int", "float", *_REAL, *_OF_WORDS, "power_of_two",
                         "bits_to_float", "float_to_bits", "exponent", "mantissa", "bit_edges"))  # fmt: skip
_BYTES = {"store_bytes_f64": "double", "store_bytes_f32": "float", "store_bytes_i64": "long long",
          "store_bytes_i32": "int"}  # fmt: skip
_WORDS_OF_C = frozenset((
    "alignas", "alignof", "and", "asm", "auto", "bool", "case", "catch", "char", "class", "concept", "const",
    "constexpr", "default", "delete", "do", "double", "enum", "explicit", "export", "extern", "false", "far",
    "float", "friend", "goto", "inline", "int", "long", "mutable", "namespace", "near", "new", "noexcept",
    "nullptr", "operator", "or", "private", "protected", "public", "register", "requires", "short", "signed",
    "sizeof", "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid",
    "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "xor",
))  # fmt: skip
_NAMES_OF_PRELUDE = frozenset(("Cells", "Wide"))


class _Value(NamedTuple):
    """C text and its type: "long long", "double" or "bool", "vec double", "vec float" or (of a comparison) "vec bool
    double" of a vector's own number, or an array's: "ptr ..." or "row ..." with its elements' in memory."""

    text: str
    type: str


@dataclass(frozen=True, slots=True)
class Way:
    """How loops are printed.

    Args:
        team: a team runs them, not one thread.
        pixels: the type of PIXELS, as `kernels.loops.emitter` names it.
        wide: LANES of f32 have sixteen numbers, as in machine code, not eight.
    """

    team: bool = False
    pixels: str = "float64"
    wide: bool = False


ALONE = Way()
_WIDE = "vec Wide"
"""The type of sixteen f32 of a team."""


ANYWHERE = frozenset(("",))


@dataclass(slots=True)
class _Touched:
    """What the threads of a team have done to memory since they last waited for one another.

    Args:
        own_read, own_written: rows of LANES.
        read: other memory.
        first_written: by the first of them.
        written: by each a number of its own, where: "array@place", or "" for anywhere.
    """

    own_read: bool = False
    own_written: bool = False
    read: bool = False
    first_written: bool = False
    written: frozenset[str] = frozenset()

    @staticmethod
    def anything() -> _Touched:
        return _Touched(True, True, True, True, ANYWHERE)

    def merged(self, other: _Touched) -> _Touched:
        """Either of them."""
        return _Touched(self.own_read or other.own_read, self.own_written or other.own_written, self.read or other.read,
                        self.first_written or other.first_written, self.written | other.written)  # fmt: skip

    @property
    def any_written(self) -> bool:
        return self.own_written or self.first_written or bool(self.written)


@dataclass(slots=True)
class _Known:
    """The loops of a text, by instance: which, of what LANES, their text, what they do to memory."""

    way: Way
    texts: dict[str, str] = field(default_factory=dict)
    touched: dict[str, _Touched] = field(default_factory=dict)
    layouts: dict[str, Layout] = field(default_factory=dict)
    owners: dict[str, Loop] = field(default_factory=dict)

    def instance(self, one: Loop, lanes: str) -> str:
        """Its name; it is printed before whoever asks."""
        # Only loops that take LANES have a version for f32.
        narrow = lanes == "float32" and "LANES" in one.signature.kinds
        name = f"loop_{one.name}{'_f32' if narrow else ''}"
        while self.owners.setdefault(name, one) is not one:  # files may have loops of one name
            name += "_"
        # Calls are printed first, by recursion: a function is declared before who calls it.
        if name not in self.touched:
            printer = _Function(one, name, lanes if narrow else "float64", self)
            text = printer.text()
            self.touched[name] = printer.ever
            self.texts[name] = text
        return name


def loop_texts(loops: Iterable[Loop], way: Way = ALONE, lanes: str = "float64") -> str:
    """The functions of some loops, and before them those that they call and the structures of their records.

    Args:
        lanes: the type of their LANES.

    Raises:
        Unsupported: a loop has a form that has no text here; says which.
    """
    known = _Known(way)
    for one in loops:
        known.instance(one, lanes)
    structures = [_structure(layout) for layout in known.layouts.values()]
    prelude = [TEAM_PRELUDE.rstrip("\n")] if way.team else []
    prelude += [WIDE_PRELUDE.rstrip("\n")] if way.wide else []
    return "".join(text + "\n" for text in (*prelude, *structures, *known.texts.values()))


def passed(shape: Shape, values: Mapping[str, str]) -> str:
    """The arguments of a struct that a kernel hands to a loop: C text by field."""
    names = [name.partition(".")[2] for name, _ in flat("", shape)]
    # A misspelt field would move all others.
    assert set(names) == set(values), (shape.name, set(names) ^ set(values))
    return ", ".join(values[name] for name in names)


def _structure(layout: Layout) -> str:
    if layout.columns:  # one array, column after column, each as long as there is room
        columns = " ".join(f"__device__ __forceinline__ {_MEMORY[layout.dtype(name)]} *{_word(name)}() const "
                           f"{{ return ({_MEMORY[layout.dtype(name)]} *)(block + {k} * room); }}"
                           for k, name in enumerate(layout.fields))  # fmt: skip
        return f"struct {structure(layout)} {{ double *block; long long room; {columns} }};"
    fields = " ".join(f"{_TYPES[kind]} {_word(name)};" for name, kind in zip(layout.fields, layout.kinds, strict=True))
    return f"struct {structure(layout)} {{ {fields} }};"


def structure(layout: Layout) -> str:
    """The name of a record's structure."""
    return f"{layout.name}_" if layout.name in _NAMES_OF_PRELUDE else layout.name


def _part(name: str) -> str:
    """A part of an array: a number may have the same name elsewhere in a loop."""
    return f"{_word(name)}_at"


def _word(name: str) -> str:
    """A name of C."""
    plain = name.replace(".", "_")
    return plain + "_" if plain in _WORDS_OF_C else plain


class _Function(Writer):
    """Prints one loop.

    Attributes:
        ever: what it does to memory.
    """

    def __init__(self, one: Loop, name: str, lanes: str, known: _Known) -> None:
        super().__init__()
        self.loop, self.name, self.lanes, self.known, self.team = one, name, lanes, known, known.way.team
        self.constants = constants(one.function.__globals__)
        self.variables: dict[str, str] = {}
        self.arrays: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        self.records: dict[str, Layout] = dict(one.signature.records)
        known.layouts.update({layout.name: layout for layout in self.records.values()})
        self.fresh = 0
        self.state, self.ever, self.looked = _Touched.anything(), _Touched(), _Touched()

    def text(self) -> str:
        """All of it."""
        signature = self.loop.signature
        listed, taken = [], set[str]()
        # A record's columns are one argument, though the signature lists each.
        for name, kind in zip(signature.names, signature.kinds, strict=True):
            if name in self.records:
                kept = "const " * self.records[name].columns  # numbers are a thread's own
                listed.append(f"{kept}{structure(self.records[name])} &{_word(name)}")
                taken.add(f"{name}.room")
            elif name in taken:
                continue
            elif kind in _TYPES:
                self.variables[name] = _TYPES[kind]
                listed.append(f"{_TYPES[kind]} {_word(name)}")
            else:
                self.arrays[name] = self._array_type(kind)
                listed.append(_declared(_pointer(self.arrays[name]), _word(name)))
        # Parameters are declared already.
        before = set(self.variables)
        self.depth = 1
        # The body first: only it tells which variables there are.
        self._statements(without_structs_of(self.loop).body)
        body, self.lines = self.lines, []
        for name, type_ in self.variables.items():
            if name not in before:
                self.line(f"{_c(type_)} {_word(name)} = 0;")
        # Parts of arrays, which a loop may set again: pointers of their own.
        for name, type_ in self.declared.items():
            self.line(f"{_declared(_pointer(type_), _part(name))} = 0;")
        result = "double" if signature.real else "long long"
        # Without bounds a chain of loops becomes one function, for which a compiler takes minutes.
        inlined = "__noinline__" if self.team and len(body) > INLINE else "__forceinline__"
        head = f"__device__ {inlined} {result} {self.name}({', '.join(listed)})\n{{"
        return "\n".join([head, *self.lines, *body, *([] if signature.real else ["    return 0;"]), "}"])

    def _array_type(self, kind: str) -> str:
        if kind in ROWS:
            return f"row {self.lanes if kind == 'LANES' else 'float64'}"
        if kind == "PIXELS":
            return f"ptr {self.known.way.pixels}"
        if kind not in ARRAYS:
            raise self._wrong(f"an array of {kind}")
        return f"ptr {ARRAYS[kind]}"

    def _wrong(self, what: str) -> Unsupported:
        return Unsupported(f"the loop {self.loop.name} has {what}, which has no CUDA text")

    def _new(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}_"

    # Memory that the threads of a team share

    def _wait(self) -> None:
        self.line("team_wait();")
        self.state = _Touched()

    def _before_reading(self) -> None:
        """What was looked at in values whose text is there, but not printed yet."""
        looked, self.looked = self.looked, _Touched()
        if not self.team:
            return
        now = self.state
        # A thread's own row needs no wait for what it wrote to rows itself, all else does.
        if ((looked.own_read or looked.read) and (now.first_written or now.written)) or (
                looked.read and now.own_written):  # fmt: skip
            self._wait()
        self._note(looked)

    def _note(self, done: _Touched) -> None:
        self.state, self.ever = self.state.merged(done), self.ever.merged(done)

    def _before_writing(self, done: _Touched) -> None:
        if not self.team:
            return
        now = self.state
        # What follows asks whether any other thread may read or write at that place since the last wait.
        by_others = now.read or now.own_read or now.own_written
        if done.own_written:
            by_others = now.read or now.first_written or bool(now.written)
        elif done.first_written:
            by_others = by_others or bool(now.written)
        else:
            # Each thread writes a number of its own: only overlap with another store matters.
            (place,) = done.written
            by_others = by_others or now.first_written or not all(_apart(place, one) for one in now.written)
        if by_others:
            self._wait()
        self._note(done)

    @contextmanager
    def _repeated(self, body: list[ast.stmt]) -> Iterator[None]:
        """What stands in it may come after itself."""
        if not self.team:
            yield
            return
        # The body is printed twice: first to learn what it does to memory, with all that printing changes put back;
        # then for good, knowing that an earlier turn may have done it.
        entry, kept = self.state, (self.lines, dict(self.variables), dict(self.arrays), dict(self.declared), self.fresh,
                                   self.ever)  # fmt: skip
        self.lines, self.state, self.ever = [], _Touched.anything(), _Touched()
        self._statements(body)
        happens = self.ever
        self.lines, self.variables, self.arrays, self.declared, self.fresh, self.ever = kept
        self.state = entry
        # A loop that only reads waits once, before it, and not in each turn.
        if entry.any_written and not happens.any_written and (happens.read or happens.own_read):
            self._wait()
        self.state = after = self.state.merged(happens)
        yield
        self.state = after

    # Statements

    def _statements(self, body: list[ast.stmt]) -> None:
        for statement in body:
            match statement:
                case ast.Expr(ast.Constant()):
                    pass
                # Prefetching has no meaning on the device.
                case ast.Expr(ast.Call(ast.Name(name))) if name in ("prefetch", "fetched"):
                    pass
                case ast.Expr(value):
                    text = self._value(value).text
                    self._before_reading()
                    if text:
                        self.line(f"{text};")
                case ast.Assign([target], value):
                    self._assign(target, value)
                case ast.AugAssign(target, op, value):
                    self._stored([(target, self._operation(op, self._value(target), self._value(value)))])
                case ast.If():
                    self._if(statement)
                case ast.While(test, inner):
                    self._while(test, inner)
                case ast.For():
                    self._for(statement)
                case ast.Break():
                    self.line("break;")
                case ast.Continue():
                    self.line("continue;")
                case ast.Return(value):
                    result = "double" if self.loop.signature.real else "long long"
                    text = self._to(self._value(value), result) if value is not None else "0"
                    self._before_reading()
                    self.line(f"return {text};")
                case _:
                    raise self._wrong(f"a statement {type(statement).__name__}")

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Tuple):
            self._stored([(target, self._any(value))])
            return
        assert isinstance(value, ast.Tuple)
        made = []  # all are computed before the first is stored
        # Named temporaries: a, b = b, a must not see the new a.
        for one in value.elts:
            found = self._any(one)
            if not isinstance(one, ast.Constant) and found.type[:3] not in ("ptr", "row"):
                self._before_reading()
                name = self._new("t")
                self.line(f"{_c(found.type)} {name} = {found.text};")
                found = _Value(name, found.type)
            made.append(found)
        self._stored(list(zip(target.elts, made, strict=True)))

    def _stored(self, pairs: list[tuple[ast.expr, _Value]]) -> None:
        for target, value in pairs:
            if isinstance(target, ast.Name) and value.type[:3] in ("ptr", "row"):
                # A part of an array that is assigned is a variable of its own: one type throughout.
                self.arrays[target.id] = value.type
                if self.declared.setdefault(target.id, value.type) != value.type:
                    raise self._wrong(f"an array {target.id} of two types")
                self._before_reading()
                self.line(f"{_part(target.id)} = {value.text};")
            elif isinstance(target, ast.Name):
                type_ = self.variables.setdefault(target.id, "long long" if value.type == "bool" else value.type)
                self._before_reading()
                self.line(f"{_word(target.id)} = {self._to(value, type_)};")
            elif isinstance(target, ast.Subscript):
                self._put(target, value)
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):  # each thread's own
                kind = self._value(target).type
                self._before_reading()
                self.line(f"{_word(target.value.id)}.{_word(target.attr)} = {self._to(value, kind)};")
            else:
                raise self._wrong(f"a store to a {type(target).__name__}")

    def _put(self, target: ast.Subscript, value: _Value) -> None:
        """Store a number into an array."""
        place, element = self._place(target.value, target.slice, stored=True)
        text = self._to(value, "double" if element.startswith("float") else "long long")
        if element not in ("float64", "int64"):
            # C narrows as machine code does, by cutting off.
            text = f"({_MEMORY[element]})({text})"
        self._before_reading()
        if not self.team:
            self.line(f"{place} = {text};")
            return
        # All threads compute it, the first one stores: reads happen before the wait.
        name = self._new("s")
        self.line(f"{_MEMORY[element]} {name} = {text};")
        self._before_writing(_Touched(first_written=True))
        self.line(f"if (team_lane() == 0) {place} = {name};")

    def _if(self, node: ast.If) -> None:
        # Known while printing: the other branch may have no text for this type.
        if isinstance(node.test, ast.Call) and isinstance(node.test.func, ast.Name) and node.test.func.id == "is_f32":
            of = self._array(node.test.args[0]).type[4:]
            self._statements(node.body if of == "float32" else node.orelse)
            return
        test = self._value(node.test).text
        self._before_reading()
        # Either branch may have been taken: afterwards memory is touched as by both.
        before = self.state
        with self.block(f"if ({test})"):
            self._statements(node.body)
        after, self.state = self.state, before
        if node.orelse:
            with self.block("else"):
                self._statements(node.orelse)
        self.state = self.state.merged(after)

    def _while(self, test: ast.expr, inner: list[ast.stmt]) -> None:
        if not self.team:
            with self.block(f"while ({self._value(test).text})"):
                self._statements(inner)
            return
        # The test reads memory in each turn: it is a part of what repeats.
        with self._repeated([ast.Expr(test), *inner]), self.block("while (true)"):
            text = self._value(test).text
            self._before_reading()
            self.line(f"if (!({text})) break;")
            self._statements(inner)

    def _for(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        assert isinstance(node.iter, ast.Call)
        # Python evaluates bounds once, before the first turn.
        bounds = [self._to(self._value(a), "long long") for a in node.iter.args]
        self._before_reading()
        first, last = ("0", bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = bounds[2] if len(bounds) == 3 else "1"
        self.variables.setdefault(node.target.id, "long long")
        now, end = self._new("c"), self._new("e")
        # A step that is no literal is kept as well: the body may change what it was made of.
        if len(bounds) == 3 and not step.rstrip("L").isdigit():
            further = self._new("d")
            self.line(f"const long long {further} = {step};")
            step = further
        # A counter of its own: the body may assign the loop's variable without changing the number of turns.
        head = f"for (long long {now} = {first}, {end} = {last}; {now} < {end}; {now} += {step})"
        with self._repeated(node.body), self.block(head):
            self.line(f"{_word(node.target.id)} = {now};")
            self._statements(node.body)

    # Expressions

    def _any(self, node: ast.expr) -> _Value:
        """A number or an array."""
        if isinstance(node, ast.Name) and node.id in self.arrays and node.id not in self.variables:
            return self._array(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("at", "as_f64_rows"):
            return self._array(node)
        return self._value(node)

    def _value(self, node: ast.expr) -> _Value:
        match node:
            case ast.Constant(number) if isinstance(number, int | float):
                return _number(number)
            case ast.Name(name):
                if name in self.variables:
                    return _Value(_word(name), self.variables[name])
                return _number(self.constants[name])
            case ast.Attribute(ast.Name(name), part) if name in self.records:
                layout = self.records[name]
                if layout.columns:
                    if part != "room":
                        raise self._wrong(f"a column {part} that is no array")
                    return _Value(f"{_word(name)}.room", "long long")
                return _Value(f"{_word(name)}.{_word(part)}", _TYPES[layout.kinds[layout.fields.index(part)]])
            case ast.Subscript(array, index):
                place, element = self._place(array, index)
                self.looked.read = True
                return self._read(place, element)
            case ast.UnaryOp(ast.Not(), operand):
                return _Value(f"!({self._value(operand).text})", "bool")
            case ast.UnaryOp(ast.USub(), operand):
                value = self._value(operand)
                return _Value(f"-({value.text})", value.type)
            case ast.BinOp(left, op, right):
                return self._operation(op, self._value(left), self._value(right))
            case ast.Compare(left, [op], [right]):
                a, b, type_ = _alike(self._value(left), self._value(right))
                if type_ == _WIDE:
                    raise self._wrong("a comparison of vectors of sixteen")
                made = f"vec bool {type_[4:]}" if type_.startswith("vec ") else "bool"
                return _Value(f"({a} {_COMPARISONS[type(op)]} {b})", made)
            case ast.BoolOp(op, values):
                sign = " && " if isinstance(op, ast.And) else " || "
                return _Value(f"({sign.join(self._value(v).text for v in values)})", "bool")
            case ast.IfExp(test, body, orelse):
                return self._either(self._value(test), self._value(body), self._value(orelse))
            case ast.Call(ast.Name(name), args):
                return self._call(name, args)
        raise self._wrong(f"an expression {type(node).__name__}")

    def _read(self, place: str, element: str) -> _Value:
        """A number that lies in memory."""
        whole, _, white = element.partition("/")
        # A fraction of white, in f32 as the host has it, before it becomes f64.
        if white:
            return _Value(f"(double)((float)({place}) / {float(white)!r}f)", "double")
        if whole in ("float64", "int64"):
            return _Value(place, "double" if whole == "float64" else "long long")
        return _Value(f"({'double' if whole == 'float32' else 'long long'})({place})",
                      "double" if whole == "float32" else "long long")  # fmt: skip

    def _array(self, node: ast.expr) -> _Value:
        if isinstance(node, ast.Name):
            return _Value((_part if node.id in self.declared else _word)(node.id), self.arrays[node.id])
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.records:
            layout = self.records[node.value.id]
            if not layout.columns:
                raise self._wrong(f"a number {node.attr} that is no array")
            return _Value(f"{_word(node.value.id)}.{_word(node.attr)}()", f"ptr {layout.dtype(node.attr)}")
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        if node.func.id == "as_f64_rows":
            return _Value(self._array(node.args[0]).text, "row float64")
        base, index = self._array(node.args[0]), self._to(self._value(node.args[1]), "long long")
        # Of rows of vectors one index is a whole vector.
        step = f"{self._numbers_of(base)} * " if self.team and base.type.startswith("row") else ""
        return _Value(f"({base.text} + {step}({index}))", base.type)

    def _place(self, array: ast.expr, index: ast.expr, stored: bool = False) -> tuple[str, str]:
        """The text of an element, and its type in memory."""
        base = self._array(array)
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        places = [self._to(self._value(part), "long long") for part in parts]
        # Number places[1] of vector places[0].
        if len(places) == 2:
            if not self.team:
                raise self._wrong("a number of a vector")
            places = [f"{self._numbers_of(base)} * ({places[0]}) + {places[1]}"]
        return f"{_writable(base) if stored else base.text}[{places[0]}]", base.type[4:]

    def _operation(self, op: ast.operator, left: _Value, right: _Value) -> _Value:
        a, b, type_ = _alike(left, right)
        # Division of whole numbers is a float's, as in Python.
        if isinstance(op, ast.Div) and not type_.startswith("vec "):
            a, b, type_ = self._to(left, "double"), self._to(right, "double"), "double"
        return _Value(f"({a} {_OPERATORS[type(op)]} {b})", "long long" if type_ == "bool" else type_)

    def _either(self, test: _Value, body: _Value, other: _Value) -> _Value:
        if test.type.startswith("vec bool"):
            type_ = f"vec {test.type[9:]}"
            # Two plain numbers chosen by a vector's condition make a vector.
            if not body.type.startswith("vec ") and not other.type.startswith("vec "):
                body = _Value(self._to(body, type_), type_)
        a, b, type_ = _alike(body, other)
        return _Value(f"({test.text} ? {a} : {b})", type_)

    def _call(self, name: str, args: list[ast.expr]) -> _Value:
        other = self.loop.function.__globals__.get(name)
        if isinstance(other, Loop):
            return self._loop(other, args)
        if name in ("load", "load_row"):
            return self._loaded(name, args)
        if name == "load_minus":
            return self._load_minus(args)
        if name == "row_sums" and self.known.way.wide:
            return self._row_sums(args)
        if name == "gather":
            return self._gathered(args)
        if name == "nonzero_bytes":
            return self._nonzero_bytes(args)
        if name in _BYTES:
            return self._store_bytes(name, args)
        if name == "store":
            return self._store_vector(args)
        if name == "splat":
            return _Value(self._to(self._value(args[0]), "vec double"), "vec double")
        if name == "splat_like":
            type_ = self._vector(self._array(args[0]))
            return _Value(self._to(self._value(args[1]), type_), type_)
        if self.team and name == "lane_count":
            return _number(self._numbers_of(self._array(args[0])))
        if self.team and name == "gather_transpose":
            return self._turned(args)
        if self.team and name == "compress":
            return self._compressed(args)
        if name not in _OF_NUMBERS:
            raise self._wrong(f"a call of {name}")
        values = [self._value(a) for a in args]
        if any(value.type == _WIDE for value in values):
            raise self._wrong(f"a call of {name} of vectors of sixteen")
        # Ties and NaN as Python's min and max, which fmin and fmax of C are not.
        if name in ("min", "max"):  # as Python's: the first of equal ones, and of one that is NaN
            best = values[0]
            for value in values[1:]:
                a, b, type_ = _alike(best, value)
                best = _Value(f"({b} {'<' if name == 'min' else '>'} {a} ? {b} : {a})", type_)
            return best
        if name == "where":
            return self._either(*values)
        if name == "mask" and self.team and values[0].type.startswith("vec bool"):
            self.looked.read = True  # they wait for one another anyhow
            return _Value(f"team_mask({values[0].text})", "long long")
        if name == "bit_edges":
            # Unsigned: a shift out of the sign would be undefined.
            word, before = (self._to(value, "long long") for value in values)
            return _Value(f"(({word}) ^ (long long)((unsigned long long)({word}) << 1 | ({before})))", "long long")
        (one,) = values
        if name in ("exponent", "mantissa"):
            return _of_bits(name, one.type, self._to(one, one.type if one.type == "vec double" else "double"))
        if name in ("int", "float"):
            return _Value(f"({_TYPES[name]})({one.text})", _TYPES[name])
        if name in _OF_WORDS:
            return _Value(_OF_WORDS[name].format(self._to(one, "long long")), "long long")
        if name in _REAL:
            narrow = one.type == "vec float"
            type_ = one.type if one.type.startswith("vec ") else "double"
            return _Value(f"{_REAL[name]}{'f' if narrow else ''}({self._to(one, type_)})", type_)
        if name == "power_of_two":
            # The exponent's bits of f32 (bias 127), of f64 (1023).
            if one.type == "vec float":
                return _Value(f"__int_as_float(((int)({one.text}) + 127) << 23)", one.type)
            type_ = one.type if one.type.startswith("vec ") else "double"
            return _Value(f"__longlong_as_double(((long long)({self._to(one, type_)}) + 1023) << 52)", type_)
        if name == "bits_to_float":
            return _Value(f"__longlong_as_double({self._to(one, 'long long')})", "double")
        if name == "float_to_bits":
            return _Value(f"__double_as_longlong({self._to(one, 'double')})", "long long")
        raise self._wrong(f"a call of {name}")

    # Vectors

    def _loaded(self, name: str, args: list[ast.expr]) -> _Value:
        base, index = self._array(args[0]), self._to(self._value(args[1]), "long long")
        element = base.type[4:]
        # Of rows each thread reads its own number: no wait.
        if name == "load_row" and base.type.startswith("row"):
            self.looked.own_read = True
            type_ = self._vector(base)
            if type_ == _WIDE:
                return _Value(f"wide_at({base.text} + {2 * TEAM} * ({index}))", type_)
            return _Value(f"{base.text}[{f'{TEAM} * ({index}) + team_lane()' if self.team else index}]", type_)
        self.looked.read = True
        read = self._read(f"{base.text}[{index}{' + team_lane()' if self.team else ''}]", element)
        return _Value(self._to(read, "vec double"), "vec double")

    def _store_vector(self, args: list[ast.expr]) -> _Value:
        base, value = self._array(args[0]), self._value(args[2])
        index = self._to(self._value(args[1]), "long long")
        element, own = base.type[4:], base.type.startswith("row")
        if value.type == _WIDE or (own and self._vector(base) == _WIDE):
            return self._store_wide(base, index, self._to(value, _WIDE), own)
        if element not in ("float64", "float32"):
            raise self._wrong(f"a vector that is stored as {element}")
        # Computed before the wait: other threads may read until then.
        text = self._to(value, f"vec {_MEMORY[element]}" if own else "vec double")
        if element == "float32" and not own:
            text = f"(float)({text})"
        if not self.team:
            return _Value(f"{_writable(base)}[{index}] = {text}", "vec double")
        self._before_reading()
        name = self._new("s")
        self.line(f"{_MEMORY[element]} {name} = {text};")
        place = f"{_writable(base)}[{f'{TEAM} * ({index})' if own else index} + team_lane()]"
        where = frozenset((f"{base.text}@{index}",))
        self._before_writing(_Touched(own_written=True) if own else _Touched(written=where))
        self.line(f"{place} = {name};")
        return _Value("", "vec double")

    def _numbers_of(self, base: _Value) -> int:
        """Of a vector of an array of LANES."""
        return 2 * TEAM if self._vector(base) == _WIDE else TEAM

    def _vector(self, base: _Value) -> str:
        """The type of a vector of such an array."""
        return _WIDE if self.known.way.wide and base.type == "row float32" else f"vec {_MEMORY[base.type[4:]]}"

    def _store_wide(self, base: _Value, index: str, text: str, own: bool) -> _Value:
        """Sixteen numbers into f32."""
        if base.type[4:] != "float32":
            raise self._wrong(f"sixteen numbers that are stored as {base.type[4:]}")
        self._before_reading()
        name = self._new("s")
        self.line(f"const Wide {name} = {text};")
        where = frozenset((f"{base.text}@{index}",)) if own else ANYWHERE
        self._before_writing(_Touched(own_written=True) if own else _Touched(written=where))
        self.line(f"put_wide({_writable(base)} + {f'{2 * TEAM} * ({index})' if own else index}, {name});")
        return _Value("", _WIDE)

    def _load_minus(self, args: list[ast.expr]) -> _Value:
        """Elements of an array less one of them, as a vector of LANES."""
        row, array = self._array(args[0]), self._array(args[1])
        start, place = (self._to(self._value(args[k]), "long long") for k in (2, 3))
        self.looked.read = True
        type_ = self._vector(row)

        # Differences in f64, rounded once.
        def number(at: str) -> str:
            return f"(double)({self._read(f'{array.text}[{at}]', array.type[4:]).text})"

        lane = " + team_lane()" if self.team else ""
        parts = [f"{number(f'{start}{lane}{more}')} - {number(place)}" for more in ("", f" + {TEAM}")]
        if type_ == _WIDE:
            return _Value(f"Wide((float)({parts[0]}), (float)({parts[1]}))", type_)
        return _Value(f"({_c(type_)})({parts[0]})", type_)

    def _row_sums(self, args: list[ast.expr]) -> _Value:
        """The sum of each of sixteen vectors of LANES."""
        out, array = self._array(args[0]), self._array(args[2])
        start, first = (self._to(self._value(args[k]), "long long") for k in (1, 3))
        if array.type != "row float32":
            raise self._wrong(f"a call of row_sums of {array.type[4:]}")
        self.looked.read = True
        # The function itself shares sums among threads: it may write anywhere in `out`.
        self._before_reading()
        self._before_writing(_Touched(written=ANYWHERE))
        self.line(f"row_sums({out.text} + {start}, {array.text} + {2 * TEAM} * ({first}));")
        return _Value("", "long long")

    def _gathered(self, args: list[ast.expr]) -> _Value:
        """An element of each lane's own place."""
        array, places = self._array(args[0]), self._array(args[1])
        index = self._to(self._value(args[2]), "long long")
        self.looked.read = True
        lane = " + team_lane()" if self.team else ""
        read = self._read(f"{array.text}[{places.text}[{index}{lane}]]", array.type[4:])
        return _Value(self._to(read, "vec double"), "vec double")

    def _nonzero_bytes(self, args: list[ast.expr]) -> _Value:
        """Which of 64 bytes are not 0; each thread looks for itself."""
        array, start = self._array(args[0]), self._to(self._value(args[1]), "long long")
        self.looked.read = True
        self._before_reading()
        word, k = self._new("n"), self._new("k")
        self.line(f"unsigned long long {word} = 0;")
        self.line(f"for (int {k} = 0; {k} < 64; ++{k})")
        self.line(f"    {word} |= (unsigned long long)({array.text}[{start} + {k}] != 0) << {k};")
        return _Value(f"(long long){word}", "long long")

    def _store_bytes(self, name: str, args: list[ast.expr]) -> _Value:
        """A number into bytes at any place; the first of a team stores it."""
        base, start = self._array(args[0]), self._to(self._value(args[1]), "long long")
        kind = _BYTES[name]
        text = self._to(self._value(args[2]), "double" if kind in ("double", "float") else "long long")
        self._before_reading()
        number, k = self._new("b"), self._new("k")
        self.line(f"const {kind} {number} = ({kind})({text});")
        if self.team:
            self._before_writing(_Touched(first_written=True))
        test = "team_lane() == 0 && " if self.team else ""
        self.line(f"for (int {k} = 0; {test}{k} < (int)sizeof {number}; ++{k})")
        self.line(f"    {_writable(base)}[{start} + {k}] = ((const unsigned char *)&{number})[{k}];")
        return _Value("", "long long")

    def _turned(self, args: list[ast.expr]) -> _Value:
        """Eight elements from a place of each lane's own."""
        if self._vector(self._array(args[0])) == _WIDE:
            raise self._wrong("a call of gather_transpose into vectors of sixteen")
        out, array, places = self._array(args[0]), self._array(args[2]), self._array(args[3])
        start, offset = (self._to(self._value(args[k]), "long long") for k in (1, 4))
        self.looked.read = True
        self._before_reading()
        self._before_writing(_Touched(own_written=True) if out.type.startswith("row") else _Touched(written=ANYWHERE))
        first, to, k = self._new("g"), self._new("g"), self._new("k")
        read = self._read(f"{array.text}[{first} + {k}]", array.type[4:])
        value = self._to(read, f"vec {_MEMORY[out.type[4:]]}")
        with self.block(""):
            self.line(f"const long long {first} = {places.text}[team_lane()] + {offset};")
            step = f"{TEAM} * ({start})" if out.type.startswith("row") else start
            self.line(f"const long long {to} = {step} + team_lane();")
            self.line(f"for (int {k} = 0; {k} < 8; ++{k}) {out.text}[{to} + {TEAM} * {k}] = {value};")
        return _Value("", "long long")

    def _compressed(self, args: list[ast.expr]) -> _Value:
        """Those of eight elements that are in a word, side by side."""
        out, array = self._array(args[0]), self._array(args[2])
        start, first, word = (self._to(self._value(args[k]), "long long") for k in (1, 3, 4))
        self.looked.read = True
        self._before_reading()
        # Read before the wait, since `out` may be `array`.
        name = self._new("s")
        self.line(f"const {_MEMORY[out.type[4:]]} {name} = {array.text}[{first} + team_lane()];")
        self._before_writing(_Touched(written=ANYWHERE))
        # The lane's place is the number of chosen lanes before it.
        place = f"{start} + __popc((unsigned)({word}) & ((1u << team_lane()) - 1u))"
        self.line(f"if (({word}) >> team_lane() & 1) {out.text}[{place}] = {name};")
        return _Value("", "long long")

    def _loop(self, other: Loop, args: list[ast.expr]) -> _Value:
        signature = other.signature
        rooms = {f"{name}.room" for name, _ in signature.records}
        # A record's room comes with it.
        named = [(n, k) for n, k in zip(signature.names, signature.kinds, strict=True) if n not in rooms]
        given, lanes = [], ""
        for (_, kind), arg in zip(named, args, strict=True):
            if isinstance(arg, ast.Name) and arg.id in self.records:
                given.append(_word(arg.id))
            elif kind in _TYPES:
                given.append(self._to(self._value(arg), _TYPES[kind]))
            else:
                array = self._array(arg)
                lanes = lanes or (array.type[4:] if kind == "LANES" else "")
                given.append(array.text)
        name = self.known.instance(other, lanes or "float64")
        self._before_reading()
        self._note(self.known.touched[name])
        return _Value(f"{name}({', '.join(given)})", "double" if signature.real else "long long")

    def _to(self, value: _Value, type_: str) -> str:
        if value.type == type_:
            return value.text
        if type_ == "long long" and "double" in value.type:
            raise self._wrong("a float where a whole number belongs")
        if type_ == _WIDE:
            return f"Wide((float){'' if value.type == 'double' else '(double)'}({value.text}))"
        # By f64 first, which is a number's type in loops.
        if type_ == "vec float" and value.type in ("long long", "bool"):
            return f"(float)(double)({value.text})"
        return value.text if _c(value.type) == _c(type_) else f"({_c(type_)})({value.text})"


def _c(type_: str) -> str:
    """The type of C."""
    return "bool" if type_.startswith("vec bool") else type_.removeprefix("vec ")


def _pointer(type_: str) -> str:
    element = type_[4:].partition("/")[0]
    constant = "" if type_.startswith("row") or element in ("float64", "int64", "int32") else "const "
    return f"{constant}{_MEMORY[element]} *"


def _writable(base: _Value) -> str:
    """An array that is stored to: its pointer, which says that it is not."""
    pointer = _pointer(base.type)
    return f"(({pointer.removeprefix('const ')})({base.text}))" if pointer.startswith("const ") else base.text


def _declared(type_: str, name: str) -> str:
    return f"{type_}{'' if type_.endswith('*') else ' '}{name}"


def _number(value: float) -> _Value:
    return _Value(repr(value), "double") if isinstance(value, float) else _Value(f"{int(value)}LL", "long long")


def _alike(a: _Value, b: _Value) -> tuple[str, str, str]:
    """Two numbers of one type: a vector's before a number's, a float before a whole number."""
    if a.type == b.type:
        return a.text, b.text, a.type
    type_ = next((t for t in (_WIDE, "vec double", "vec float", "double") if t in (a.type, b.type)), "long long")
    if type_ == _WIDE:
        return *(v.text if v.type == type_ else f"Wide((float)(double)({v.text}))" for v in (a, b)), type_  # type: ignore[return-value]
    if type_ == "vec float":
        return *(v.text if v.type == type_ else f"(float)({v.text})" if v.type == "double" else
                 f"(float)(double)({v.text})" for v in (a, b)), type_  # type: ignore[return-value]
    own = _c(type_)
    return *(v.text if _c(v.type) == own else f"({own})({v.text})" for v in (a, b)), type_  # type: ignore[return-value]


def _of_bits(name: str, type_: str, text: str) -> _Value:
    """The exponent or the mantissa of a number."""
    bits = f"__double_as_longlong({text})"
    made = f"(double)(({bits} >> 52) - 1023)" if name == "exponent" else (
        f"__longlong_as_double(({bits} & ((1LL << 52) - 1)) | 1023LL << 52)")  # fmt: skip
    return _Value(made, type_ if type_ == "vec double" else "double")


def _apart(a: str, b: str) -> bool:
    """Whether two vectors that are stored in one array are known not to overlap: "array@place"."""
    if not a or not b:
        return False
    (own, first), (other, second) = a.split("@"), b.split("@")
    numbers = [re.fullmatch(r"(\d+)LL", one) for one in (first, second)]
    if own != other or not all(numbers):
        return False
    return abs(int(numbers[0][1]) - int(numbers[1][1])) >= TEAM  # type: ignore[index]

