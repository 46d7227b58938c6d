"""What a plane is, in a line, for the comments of CUDA text."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.ir.expr import Expr

LONGEST = 76
_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "lt": "<", "le": "<=",
          "eq": "==", "ne": "!=", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}  # fmt: skip


def formula(node: Expr, names: Mapping[Expr, str]) -> str:
    """The expression of `node` over the planes that have names (its own is looked through), cut where it is long.

    >>> from kernels.ir.planes import Border, input_plane, load
    >>> from kernels.ir.image import I32
    >>> x = input_plane(0, 0, I32, (4, 6))
    >>> formula(load(x, Border(), -1) + load(x, Border(), 1, 2), {})
    'in0[-1, 0] + in0[1, 2]'
    """
    text = _text(node, names, 6, True)
    text = text[1:-1] if text.startswith("(") and text.endswith(")") and node.op in _INFIX else text
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4].rstrip()} ..."


def _text(node: Expr, names: Mapping[Expr, str], depth: int, own: bool = False) -> str:
    if node in names and not own:
        return names[node]
    arg = node.arg
    match node.op:
        case "input":
            return f"in{arg.index}" + (f".{arg.channel}" if arg.channel else "")
        case "const":
            return f"{arg:g}" if isinstance(arg, float) else str(arg)
        case "param" | "coord":
            return str(arg)
        case "state":
            return f"was({arg})"
        case "recur":
            return _text(node.src[1], names, depth) if own else str(arg)
        case "load":
            steps = f"{arg.dx}, {arg.dy}"
            if arg.size is not None:
                steps = f"{arg.stride_x}x + {arg.dx}, {arg.stride_y}y + {arg.dy}"
            time = f" {-arg.dt} before" if arg.dt else ""
            return f"{_text(node.src[0], names, depth)}[{steps}]{time}" if depth else "..."
    if depth == 0:
        return "..."
    src = [_text(s, names, depth - 1) for s in node.src]
    if node.op in _INFIX:
        return f"({src[0]} {_INFIX[node.op]} {src[1]})"
    if node.op in ("convert", "wrap"):
        return f"{node.dtype}({src[0].removeprefix('(').removesuffix(')') if node.src[0].op in _INFIX else src[0]})"
    return f"{node.op}({', '.join(src)})"
