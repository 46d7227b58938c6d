"""A row program as readable text: what each loop over a row makes, from what, and where it is kept.

    pass 0, images of 64x48
      ring2: u16, 5 rows, reflect101 2 px left and 2 px right
      row y+2, from 2 above the strip to 2 below, 32 pixels a vector:
        t1 = i16(in0[y, x])
        ring2 = t1 + ...

An image is written `name[y+dy, x+dx]`, `t-1` in front where it is that of the frame before; what stands beyond an
edge follows from the border that its store names, or that is behind it in braces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kernels.fusion.normal import is_delay
from kernels.fusion.rows import Group, Item, Pass, RowProgram, Store
from kernels.ir.body import Body
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType
from kernels.ir.planes import Border, Tap
from kernels.ir.table import Candidates, Reduction

_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "lt": "<", "le": "<=",
          "eq": "==", "ne": "!=", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}  # fmt: skip
_LONG = 88
"""Characters from which a part gets a line of its own."""


def outline(body: Body, program: RowProgram) -> str:
    """The text, a line each; ends with a newline."""
    lines = []
    for number, type_ in enumerate(body.inputs):
        if type_ is not None:
            back = program.inputs_back.get(number)
            lines.append(f"in{number}: {type_}" + (f", and the {back} frames before" if back else ""))
    lines += [f"{_identifier(output.name)}: {output.type}, leaves" for output in body.outputs]
    lines += [f"{_identifier(name)}: {scalar}, an argument" for name, scalar in body.live.items() if scalar is not None]
    for store, depth in zip(program.frames, program.depth, strict=True):
        lines.append(_declared(store) + (f", and the {depth} before" if depth else ""))
    for name, first in program.firsts.items():
        lines.append(f"was({name}) is {_Text({}, {}).of(first)} in the first frame")
    for number, plan in enumerate(program.passes):
        lines.append(f"pass {number}, images of {plan.size[1]}x{plan.size[0]}")
        lines += [f"  {_declared(store)}" for store in plan.stores]
        for group in plan.groups:
            lines.append(f"  {_heading(group)}")
            lines += [f"    {line}" for line in _statements(body, plan, group)]
    return "\n".join(lines) + "\n"


def _identifier(name: str) -> str:
    return name.replace(" ", "_")


def _declared(store: Store) -> str:
    rows = {"ring": f"{store.rows} rows", "state": "the strip's rows, kept", "frame": "all rows"}[store.kind]
    rows = "1 row" if rows == "1 rows" else rows
    sides = f", {_border(store.border)} {store.left} px left and {store.right} px right" if store.border else ""
    return f"{store.name}: {store.plane.dtype}, {rows}{sides}"


def _border(border: Border) -> str:
    return f"constant {border.value:g}" if border.mode == "constant" else border.mode


def _heading(group: Group) -> str:
    row = f"row y+{group.lead}" if group.lead else "row y"
    beyond = []
    if group.up:
        beyond.append(f"from {group.up} above the strip")
    if group.down:
        beyond.append(f"to {group.down} below")
    return ", ".join([row, " ".join(beyond), f"{group.lanes} pixels a vector:"] if beyond else
                     [row, f"{group.lanes} pixels a vector:"])  # fmt: skip


def _statements(body: Body, plan: Pass, group: Group) -> Iterator[str]:
    """What the group's items are, parts that are used twice first."""
    names: dict[Expr, str] = {}
    made = {root for item in group.items if item.kind == "plane" for root in item.roots}
    counts: dict[Expr, int] = {}
    text = _Text(plan.seen, names, body)
    for item in group.items:
        for root in item.roots:
            _count(root, counts, made, item.kind == "plane", plan.seen)
    for item in group.items:
        # Operands first; who is used twice, or is long, gets a line and a name.
        for part in _parts(item, made, plan.seen):
            if part in names or part in item.roots:
                continue
            if counts.get(part, 0) > 1 or len(text.of(part)) > _LONG:
                yield f"t{len(names) + 1} = {text.of(part)}"
                names[part] = f"t{len(names) + 1}"
        yield from _result(body, item, text)
        if item.kind == "plane":
            names.setdefault(item.roots[0], item.stores[0].name if item.stores else f"v{len(names) + 1}")


def _result(body: Body, item: Item, text: _Text) -> Iterator[str]:
    if item.kind == "plane":
        targets = " = ".join(store.name for store in item.stores) or "here"
        yield f"{targets} = {text.of(item.roots[0], own=True)}"
        return
    output = body.outputs[item.index]
    name = _identifier(output.name)
    if item.kind == "output":
        assert isinstance(output.type, ImageType)
        for channel, root in enumerate(item.roots):
            yield f"{name}{f'.{channel}' if len(item.roots) > 1 else ''} = {text.of(root)}"
    elif isinstance(output.table, Candidates):
        yield f"{name}: a row where {text.of(item.roots[0])}"
        for (column, _), root in zip(output.table.columns, item.roots[1:], strict=True):
            yield f"  {column} = {text.of(root)}"
    else:
        assert isinstance(output.table, Reduction)
        for reduced, root in zip(output.table.columns, item.roots, strict=True):
            yield f"{name}.{reduced.name} = {reduced.kind} of {text.of(root)}"


def _inside(node: Expr, own: bool, stops: Mapping[tuple[Expr, Border | None], Store]) -> tuple[Expr, ...]:
    """The operands that are written out with `node`: not those of planes that lie in memory."""
    if (node, None) in stops and not own:
        return ()
    if node.op == "recur":
        return node.src[1:]
    if node.op == "load":
        return ()
    return node.src[1:] if node.op == "gather" else node.src


def _count(
    node: Expr, counts: dict[Expr, int], made: set[Expr], own: bool, stops: Mapping[tuple[Expr, Border | None], Store]
) -> None:
    stack = [(node, own)]
    while stack:
        at, mine = stack.pop()
        counts[at] = counts.get(at, 0) + 1
        # Counted at every use, searched at the first.
        if counts[at] == 1 and (mine or at not in made):
            stack += [(s, False) for s in _inside(at, mine, stops)]


def _parts(item: Item, made: set[Expr], stops: Mapping[tuple[Expr, Border | None], Store]) -> Iterator[Expr]:
    """What is computed for an item, operands first; leaves and planes in memory left out."""
    seen: set[Expr] = set()
    defined = item.roots if item.kind == "plane" else ()
    stack = [(root, False) for root in reversed(item.roots)]
    while stack:
        node, ready = stack.pop()
        if ready:
            if node.src and node.op != "load":
                yield node
            continue
        if node in seen:
            continue
        seen.add(node)
        own = node in defined
        if (node in made or (node, None) in stops) and not own:
            continue
        stack.append((node, True))
        stack += [(s, False) for s in reversed(_inside(node, own, stops))]


class _Text:
    """Expressions in the house's spelling."""

    def __init__(
        self, seen: Mapping[tuple[Expr, Border | None], Store], names: Mapping[Expr, str], body: Body | None = None
    ) -> None:
        self.seen, self.names, self.body = seen, names, body

    def of(self, node: Expr, own: bool = False) -> str:
        """The text of a node; of its definition with `own`."""
        if not own and node in self.names:
            return self.names[node]
        if not own and (node, None) in self.seen:
            return f"{self.seen[node, None].name}[y, x]"
        match node.op:
            case "input":
                return f"{self._input(node)}[y, x]"
            case "state":
                return f"was({node.arg})"
            case "recur":
                return self.of(node.src[1])
            case "const":
                return repr(node.arg)
            case "param":
                return _identifier(node.arg)
            case "coord":
                return str(node.arg)
            case "load":
                return self._load(node)
            case "gather":
                at = f"{self.of(node.src[1])}, {self.of(node.src[2])}"
                return f"{self._plane(node.src[0], None)}[{at}]{{{_border(node.arg.border)}}}"
            case "table":
                return f"table of {len(node.arg)}[{self.of(node.src[0])}]"
            case "convert":
                return f"{node.dtype}({self.of(node.src[0])})"
            case "neg":
                return f"-{self._operand(node.src[0])}"
            case "not":
                return f"~{self._operand(node.src[0])}"
        if node.op in _INFIX:
            return f"{self._operand(node.src[0])} {_INFIX[node.op]} {self._operand(node.src[1])}"
        return f"{node.op}({', '.join(self.of(s) for s in node.src)})"

    def _operand(self, node: Expr) -> str:
        text = self.of(node)
        plain = node in self.names or (node, None) in self.seen or node.op not in (*_INFIX, "neg")
        return text if plain else f"({text})"

    def _input(self, node: Expr) -> str:
        many = self.body is not None and getattr(self.body.inputs[node.arg.index], "channels", 1) > 1
        return f"in{node.arg.index}{f'.{node.arg.channel}' if many else ''}"

    def _plane(self, plane: Expr, border: Border | None) -> str:
        for key in ((plane, border), (plane, None)):
            if key in self.seen:
                return self.seen[key].name
        if plane in self.names:
            return self.names[plane]
        return self._input(plane) if plane.op == "input" else "?"

    def _load(self, node: Expr) -> str:
        tap: Tap = node.arg
        plane = node.src[0]
        stored = (plane, tap.border) in self.seen or (plane, None) in self.seen
        side = tap.dx or tap.size is not None
        name = self._plane(plane, tap.border if side else None)
        past = f"t{tap.dt}, " if tap.dt else ""
        at = f"{past}{_place('y', tap.dy, tap.stride_y)}, {_place('x', tap.dx, tap.stride_x)}"
        edge = "" if is_delay(node) or (stored and side) or not (tap.dy or tap.dx) else f"{{{_border(tap.border)}}}"
        return f"{name}[{at}]{edge}"


def _place(axis: str, offset: int, stride: int) -> str:
    text = axis if stride == 1 else f"{stride}*{axis}"
    return text + (f"{offset:+d}" if offset else "")
