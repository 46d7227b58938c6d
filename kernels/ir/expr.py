"""Expressions: what one output pixel is, as an immutable, hash-consed graph.

Equal nodes are one object, so `is` compares, a dict by node is a memo, and common subexpressions exist once.

Leaves
    input     a plane (one channel) of an input image; arg = Input (this and those below: `kernels.ir.planes`)
    state     the value that this pixel's recurrence had one frame ago; arg = its name
    const     arg = the number
    param     a live parameter, an argument of the kernel; arg = its name
    coord     this pixel's own coordinate in an image; arg = "x" or "y"
Nodes
    load      another plane at an offset in x, y and t, with a border rule; arg = Tap
    gather    another plane at computed integer coordinates (y, x); arg = Gather
    window    sum, min or max of a plane over a rectangle; arg = Window
    recur     a per-pixel recurrence: src = (first, update), arg = its name; the value is `update`, in which
              state(name) is the value of one frame ago, and `first` in its place in the first frame
    table     src = (index,), arg = a tuple of numbers; the index saturates at both ends
    convert   to another type; rounds half to even and saturates
    and the scalar operations of `kernels.ir.ops`, and those that mix and count channels: `kernels.ir.volumes`

A plane that is loaded may itself be an expression: `load` then means "compute that plane whole, extend it by the
border rule, and look there". This makes an intermediate image inside one stage, and the fusion of two stages,
the same thing.

In time, frames before the first are copies of the first (dt = -1 in frame 0 sees frame 0), for any plane. A load
with dt < 0 sees the plane as it was in that frame, with that frame's live parameters.

A state may occur anywhere, not only inside its recurrence; but a recurrence belongs to its pixel: no path leads from
its update through a load, gather or window back to it (`kernels.ir.recurrence`).

Longer than other files, since each of Python's operators is a method, and what makes a node must be here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from threading import Lock
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np

from kernels.errors import ExprError
from kernels.ir.image import BOOL, F32, I32, DType
from kernels.ir.ops import OPS, fits, misfit
from kernels.ir.ops import convert as convert_values

Size = tuple[int, int]
Number = bool | int | float


_TABLE: WeakValueDictionary[tuple[Any, ...], Expr] = WeakValueDictionary()
_LOCK = Lock()  # the window builds bodies in the background
_FIELDS = ("op", "src", "arg", "dtype", "size", "channels")
_BY_SPELLING = ("const", "table")
"""As dictionary keys 1, 1.0 and True are equal, and 0.0 and -0.0, which are not the same constant; and no NaN is."""


class Expr:
    """One node. Build with the functions below or the operators; never mutate.

    Attributes:
        op: the operation's name.
        src: operand nodes.
        arg: what else says what the node is (hashable).
        dtype: type of its value.
        size: (height, width) of the image over which it varies; None if it is the same for every image.
        channels: values that a pixel has of it. One goes with any number: it is the same for all of them.
    """

    __slots__ = ("__weakref__", "arg", "channels", "dtype", "op", "size", "src")
    __array_ufunc__: ClassVar[None] = None  # so that NumPy numbers leave `number + expr` to us
    op: str
    src: tuple[Expr, ...]
    arg: Any
    dtype: DType
    size: Size | None
    channels: int

    def __new__(
        cls, op: str, src: tuple[Expr, ...], arg: Any, dtype: DType, size: Size | None, channels: int = 0
    ) -> Expr:
        channels = channels or joint_channels(src)  # 0: as many as its operands have
        # The key holds operands by identity, since they are unique: hash-consing costs no walk down.
        key = (op, src, repr(arg) if op in _BY_SPELLING else arg, dtype, size, channels)
        found = _TABLE.get(key)
        if found is None:
            made = super().__new__(cls)
            for name, value in zip(_FIELDS, (op, src, arg, dtype, size, channels), strict=True):
                object.__setattr__(made, name, value)
            # `setdefault` under the lock: of two threads that build the same node at once both get the one that was
            # first.
            with _LOCK:
                found = _TABLE.setdefault(key, made)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Expr is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        # As one flat list, so that neither depth nor shared operands hurt.
        index: dict[Expr, int] = {}
        flat: list[tuple[Any, ...]] = []
        for node in postorder((self,)):
            index[node] = len(flat)
            flat.append((node.op, tuple(index[s] for s in node.src), node.arg, node.dtype, node.size, node.channels))
        return _restored, (flat,)

    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, _memo: object) -> Expr:
        return self

    def __repr__(self) -> str:
        return _brief(self, 4)

    def __bool__(self) -> bool:
        raise ExprError("an expression has no truth value while the stage is built; use select, & and |")

    def to(self, dtype: DType) -> Expr:
        """Converted to `dtype` (rounds half to even, saturates)."""
        return convert(self, dtype)

    def eq(self, other: Expr | Number) -> Expr:
        """Pixel-wise ==, a bool (the operator == compares nodes)."""
        return apply("eq", self, other)

    def ne(self, other: Expr | Number) -> Expr:
        """Pixel-wise !=, a bool."""
        return apply("ne", self, other)

    def __add__(self, other: Expr | Number) -> Expr:
        return apply("add", self, other)

    def __radd__(self, other: Number) -> Expr:
        return apply("add", other, self)

    def __sub__(self, other: Expr | Number) -> Expr:
        return apply("sub", self, other)

    def __rsub__(self, other: Number) -> Expr:
        return apply("sub", other, self)

    def __mul__(self, other: Expr | Number) -> Expr:
        return apply("mul", self, other)

    def __rmul__(self, other: Number) -> Expr:
        return apply("mul", other, self)

    def __truediv__(self, other: Expr | Number) -> Expr:
        return apply("div", self, other)

    def __rtruediv__(self, other: Number) -> Expr:
        return apply("div", other, self)

    def __floordiv__(self, other: Expr | Number) -> Expr:
        return apply("floordiv", self, other)

    def __rfloordiv__(self, other: Number) -> Expr:
        return apply("floordiv", other, self)

    def __mod__(self, other: Expr | Number) -> Expr:
        return apply("mod", self, other)

    def __rmod__(self, other: Number) -> Expr:
        return apply("mod", other, self)

    def __neg__(self) -> Expr:
        return apply("neg", self)

    def __abs__(self) -> Expr:
        return apply("abs", self)

    def __lt__(self, other: Expr | Number) -> Expr:
        return apply("lt", self, other)

    def __le__(self, other: Expr | Number) -> Expr:
        return apply("le", self, other)

    def __gt__(self, other: Expr | Number) -> Expr:
        return apply("lt", other, self)

    def __ge__(self, other: Expr | Number) -> Expr:
        return apply("le", other, self)

    def __and__(self, other: Expr | Number) -> Expr:
        return apply("and", self, other)

    def __or__(self, other: Expr | Number) -> Expr:
        return apply("or", self, other)

    def __xor__(self, other: Expr | Number) -> Expr:
        return apply("xor", self, other)

    def __rand__(self, other: Number) -> Expr:
        return apply("and", other, self)

    def __ror__(self, other: Number) -> Expr:
        return apply("or", other, self)

    def __rxor__(self, other: Number) -> Expr:
        return apply("xor", other, self)

    def __invert__(self) -> Expr:
        return apply("not", self)

    def __lshift__(self, other: Expr | int) -> Expr:
        return apply("shl", self, other)

    def __rshift__(self, other: Expr | int) -> Expr:
        return apply("shr", self, other)

    def __rlshift__(self, other: int) -> Expr:
        return apply("shl", other, self)

    def __rrshift__(self, other: int) -> Expr:
        return apply("shr", other, self)


def _restored(flat: list[tuple[Any, ...]]) -> Expr:
    nodes: list[Expr] = []
    # Operands come before users, thus they exist; hash-consing gives the very nodes of this process.
    for op, src, arg, dtype, size, channels in flat:
        nodes.append(Expr(op, tuple(nodes[i] for i in src), arg, dtype, size, channels))
    return nodes[-1]


def _brief(node: Expr, depth: int) -> str:
    detail = "" if node.arg is None else f"[{node.arg}]"
    if not node.src:
        return f"{node.op}{detail}"
    inner = ", ".join(_brief(s, depth - 1) for s in node.src) if depth else "..."
    return f"{node.op}{detail}({inner})"


def joint_size(nodes: Iterable[Expr]) -> Size | None:
    """The one image size over which the nodes vary.

    Raises:
        ExprError: two of them vary over images of different sizes.
    """
    size: Size | None = None
    for node in nodes:
        if node.size is not None:
            if size is not None and node.size != size:
                raise ExprError(f"pixels of images of different sizes meet: {size[1]}x{size[0]} and "
                                f"{node.size[1]}x{node.size[0]}")  # fmt: skip
            size = node.size
    return size


def joint_channels(nodes: Iterable[Expr]) -> int:
    """How many channels the nodes have together: those of one go with any number.

    Raises:
        ExprError: two of them have different numbers.
    """
    found = 1
    # One channel goes with any number.
    for node in nodes:
        if node.channels not in (1, found):
            if found != 1:
                raise ExprError(f"images of {found} and of {node.channels} channels meet")
            found = node.channels
    return found


def apply(op: str, *operands: Expr | Number) -> Expr:
    """The scalar operation `op` on expressions and Python numbers, with the promotion rules applied.

    A Python number takes the type of the other operands if it is a value of it (an int beside a float becomes a
    float; a small int beside a byte stays a byte under min, max and comparison); else it is i32 or f32.
    """
    info = OPS[op]
    if len(operands) != info.arity:
        raise ExprError(f"{op} takes {info.arity} operands, not {len(operands)}")
    # A literal takes its type from the values, not from the condition of `select`.
    first = 1 if op == "select" else 0
    beside = [o.dtype for o in operands[first:] if isinstance(o, Expr)]
    nodes = tuple(o if isinstance(o, Expr) else _literal(_number(o), beside) for o in operands)
    wanted, result = info.rule(*(n.dtype for n in nodes))
    src = tuple(convert(n, t) for n, t in zip(nodes, wanted, strict=True))
    return Expr(op, src, None, result, joint_size(src))


def _number(value: object) -> Number:
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, bool | int | float):
        raise ExprError(f"an expression meets {value!r}, a {type(value).__name__}; it takes expressions and numbers")
    return value


def _literal(value: Number, beside: list[DType]) -> Expr:
    # In the order of the operands: the first type that holds the number exactly.
    for dtype in beside:
        if dtype != BOOL and (dtype.is_float or not isinstance(value, float)) and fits(value, dtype):
            return const(value, dtype)
    return const(value)


def const(value: Number, dtype: DType | None = None) -> Expr:
    """A number: bool, i32 (a Python int) or f32 (a Python float) unless `dtype` says otherwise."""
    value = _number(value)
    if dtype is None:
        dtype = BOOL if isinstance(value, bool) else I32 if isinstance(value, int) else F32
    if not fits(value, dtype):
        raise ExprError(f"{value!r} is not a value of {dtype}")
    if dtype == BOOL:
        return Expr("const", (), bool(value), dtype, None)
    if dtype.is_float:  # the constant is the nearest value of its type, in every back end
        return Expr("const", (), float(dtype.numpy.type(value)), dtype, None)
    return Expr("const", (), int(value), dtype, None)


def convert(node: Expr, dtype: DType) -> Expr:
    """`node` as `dtype`; itself when it is that already."""
    if node.dtype == dtype:
        return node
    if node.op == "const":
        value = convert_values(np.asarray(node.arg, node.dtype.numpy), dtype)
        return Expr("const", (), value.item(), dtype, None)
    return Expr("convert", (node,), None, dtype, node.size)


def select(condition: Expr, then: Expr | Number, other: Expr | Number) -> Expr:
    """`then` where `condition` holds, else `other`."""
    return apply("select", condition, then, other)


def minimum(a: Expr | Number, b: Expr | Number) -> Expr:
    """The smaller one; b if either is NaN."""
    return apply("min", a, b)


def maximum(a: Expr | Number, b: Expr | Number) -> Expr:
    """The larger one; b if either is NaN."""
    return apply("max", a, b)


def sqrt(a: Expr) -> Expr:
    """Square root, f32; NaN below 0."""
    return apply("sqrt", a)


def floor(a: Expr) -> Expr:
    """The largest whole number not above `a`, as a float."""
    return apply("floor", a)


def rint(a: Expr) -> Expr:
    """The nearest whole number, halves to even, as a float."""
    return apply("rint", a)


def param(name: str, dtype: DType) -> Expr:
    """A live parameter: an argument of the kernel."""
    return Expr("param", (), name, dtype, None)


def state(name: str, dtype: DType) -> Expr:
    """The value of recurrence `name` at this pixel, one frame ago."""
    return Expr("state", (), name, dtype, None)


def recur(name: str, first: Expr | Number, update: Expr) -> Expr:
    """The recurrence `name`: its value is `update`; state(name) inside is its value one frame ago.

    In the first frame state(name) is `first` (converted to the same type; may use the inputs and other recurrences).
    """
    start = first if isinstance(first, Expr) else const(first, update.dtype)
    start = convert(start, update.dtype)
    return Expr("recur", (start, update), name, update.dtype, joint_size((start, update)))


def lookup(values: Iterable[Number], index: Expr, dtype: DType) -> Expr:
    """Entry `index` of a fixed table (saturating at both ends), of type `dtype`."""
    numbers = [_number(v) for v in values]
    if not numbers:
        raise ExprError("a table needs at least one entry")
    wrong = misfit(numbers, dtype)
    if wrong is not None:
        raise ExprError(f"{wrong!r} is not a value of {dtype}")
    entries = tuple(np.array(numbers, dtype.numpy).tolist())
    if index.dtype.is_float or index.dtype == BOOL:
        raise ExprError(f"a table's index must be a whole number, not {index.dtype}")
    return Expr("table", (index,), entries, dtype, index.size)


def postorder(roots: Iterable[Expr], leaves: Container[Expr] = ()) -> Iterator[Expr]:
    """Each node below `roots` once, operands before users; nothing below `leaves`."""
    seen: set[Expr] = set()
    # An explicit stack: graphs are deeper than Python's recursion.
    for root in roots:
        stack = [(root, iter(() if root in leaves else root.src))]
        while stack:
            node, rest = stack[-1]
            if node in seen:
                stack.pop()
                continue
            for operand in rest:
                if operand not in seen:
                    stack.append((operand, iter(() if operand in leaves else operand.src)))
                    break
            else:
                seen.add(node)
                stack.pop()
                yield node


def frontier(roots: Iterable[Expr], among: Container[Expr], stops: Callable[[Expr], bool]) -> list[Expr]:
    """The first nodes on all ways down from `roots` at which `stops` is true; ways end at what is not `among`."""
    found: list[Expr] = []
    waiting, seen = list(roots), set[Expr]()
    while waiting:
        node = waiting.pop()
        if node in seen or node not in among:
            continue
        seen.add(node)
        if stops(node):
            found.append(node)
        else:
            waiting += node.src
    return found
