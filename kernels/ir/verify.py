"""The verifier: refuses an ill-formed body with one sentence that says which rule it breaks.

The constructors of `kernels.ir.expr` check most of this when a stage is written; the verifier checks it again, for
whole bodies, after every pass that rewrites them, and adds the rules that only a whole body can break.
"""

from __future__ import annotations

from collections.abc import Callable

from kernels.errors import ExprError
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, Size, joint_size, postorder
from kernels.ir.image import BOOL, I32, ImageType
from kernels.ir.ops import OPS, fits, misfit
from kernels.ir.planes import Gather, Input, Tap, Window
from kernels.ir.recurrence import recurrences, start_order, wandering
from kernels.ir.table import Reduction, table_type
from kernels.ir.volumes import WHOLE, Contract, Weights, channels_of, contract_type, mosaic_shape

Check = Callable[[Expr, Body], str | None]
_ARITY = {"input": 0, "state": 0, "const": 0, "param": 0, "coord": 0, "load": 1, "gather": 3, "window": 1, "recur": 2,
          "table": 1, "convert": 1, "contract": 2, "part": 1, "vector": 0}  # fmt: skip
_ANY_ARITY = ("stack", "mosaic")
_ARG: dict[str, type] = {"input": Input, "state": str, "param": str, "coord": str, "load": Tap, "gather": Gather,
                         "window": Window, "recur": str, "table": tuple, "contract": Contract, "part": tuple,
                         "vector": Weights, "mosaic": tuple}  # fmt: skip


def _known(node: Expr, _body: Body) -> str | None:
    arity = OPS[node.op].arity if node.op in OPS else _ARITY.get(node.op)
    if node.op in _ANY_ARITY:
        arity = max(1, len(node.src))
    if arity is None:
        return f"there is no operation {node.op!r}"
    if len(node.src) != arity:
        return f"{node.op} has {len(node.src)} operands instead of {arity}"
    wanted = _ARG.get(node.op)
    if wanted is not None and not isinstance(node.arg, wanted):
        return f"{node.op} has {node.arg!r} where a {wanted.__name__} belongs"
    return None


def _typed(node: Expr, _body: Body) -> str | None:
    given = tuple(s.dtype for s in node.src)
    if node.op in OPS:
        wanted, result = OPS[node.op].rule(*given)
        if wanted != given or result != node.dtype:
            return f"{node.op} of {', '.join(map(str, given))} gives {result} from {', '.join(map(str, wanted))}, " \
                   f"not {node.dtype}"  # fmt: skip
    if node.op in ("load", "gather", "window") and given[0] != node.dtype:
        return f"{node.op} of a plane of {given[0]} cannot be {node.dtype}"
    if node.op == "recur" and set(given) != {node.dtype}:
        return f"recurrence {node.arg!r} starts as {given[0]} and goes on as {given[1]}, but is {node.dtype}"
    if node.op == "gather" and given[1:] != (I32, I32):
        return f"the coordinates of a gather must be i32, not {given[1]} and {given[2]}"
    if node.op == "table" and (given[0].is_float or given[0] == BOOL):
        return f"the index of a table must be a whole number, not {given[0]}"
    if node.op == "contract" and contract_type(node.src[0], node.src[1], node.arg) != node.dtype:
        return f"a contraction of {given[0]} cannot be {node.dtype}"
    if node.op in ("stack", "part", "mosaic") and set(given) != {node.dtype}:
        return f"{node.op} of {', '.join(map(str, given))} cannot be {node.dtype}"
    if node.op == "vector" and node.arg.array.dtype != node.dtype.numpy:
        return f"a vector of {node.arg.array.dtype} cannot be {node.dtype}"
    if node.op == "coord" and node.dtype != I32:
        return f"a coordinate is i32, not {node.dtype}"
    return None


def _valued(node: Expr, _body: Body) -> str | None:
    if node.op == "const" and not fits(node.arg, node.dtype):
        return f"{node.arg!r} is not a value of {node.dtype}"
    if node.op == "table" and (not node.arg or misfit(node.arg, node.dtype) is not None):
        return f"a table needs entries, all of them values of {node.dtype}"
    if node.op == "vector" and (node.arg.array.ndim != 1 or node.arg.array.size < 2):
        return f"a vector has one axis and at least two values, not the shape {node.arg.array.shape}"
    if node.op == "coord" and node.arg not in ("x", "y"):
        return f"there is no coordinate {node.arg!r}; it is 'x' or 'y'"
    if node.op == "window" and (node.arg.kind not in ("sum", "min", "max") or node.arg.x0 > node.arg.x1
                                or node.arg.y0 > node.arg.y1):  # fmt: skip
        return f"a window takes sum, min or max over a rectangle that is not empty, not {node.arg}"
    if node.op == "load" and min(node.arg.stride_x, node.arg.stride_y) < 1:
        return "the stride of a load must be at least 1"
    return None


def _channelled(node: Expr, _body: Body) -> str | None:
    if node.op == "part":
        first, count = node.arg
        if first < 0 or count < 1 or first + count > node.src[0].channels:
            return f"a volume of {node.src[0].channels} channels has no channels {first}..{first + count - 1}"
    if node.op == "recur" and node.channels > 1:
        return f"recurrence {node.arg!r} has {node.channels} channels; a recurrence keeps one, so take them one by one"
    if node.op == "gather" and max(s.channels for s in node.src[1:]) > 1:
        return "the coordinates of a gather must be of one channel"
    wanted = channels_of(node)
    if node.channels != wanted:
        return f"{node.op} has {node.channels} channels, but {wanted} follow from what it is made of"
    return None


def _sized(node: Expr, _body: Body) -> str | None:
    if node.op in ("load", "gather", "window") and node.src[0].size is None:
        return f"{node.op} needs an image, not a value that is the same everywhere"
    if node.op == "recur" and node.size is None:
        return f"recurrence {node.arg!r} varies over no image; use an input in it"
    wanted = _size(node)
    if node.size != wanted:
        return f"{node.op} has size {node.size}, but {wanted} follows from what it is made of"
    return None


def _size(node: Expr) -> Size | None:
    match node.op:
        case "coord":
            return node.size or (0, 0)
        case "input":
            size: Size = node.arg.size
            return size
        case "load":
            return node.arg.size or node.src[0].size
        case "gather":
            varying = joint_size(node.src[1:])
            return node.arg.size if varying is None else varying
        case "contract":
            made: Size = node.arg.size
            return made
        case "mosaic":
            return mosaic_shape(node.src, node.arg)[0]
    return joint_size(node.src)


def _causal(node: Expr, _body: Body) -> str | None:
    if node.op == "load" and node.arg.dt > 0:
        return f"a load looks {node.arg.dt} frames into the future; dt must be <= 0"
    return None


def _input_exists(node: Expr, body: Body) -> str | None:
    if node.op != "input":
        return None
    at = node.arg
    image = body.inputs[at.index] if 0 <= at.index < len(body.inputs) else None
    if not isinstance(image, ImageType):
        return f"input {at.index} is not an image of this body"
    if at.channel == WHOLE and (image.channels == 1 or node.channels != image.channels):
        return f"all channels of input {at.index} are used as {node.channels}, but the input is {image}"
    there = at.channel == WHOLE or 0 <= at.channel < image.channels
    if not there or image.dtype != node.dtype or at.size != (image.height, image.width):
        return f"channel {at.channel} of input {at.index} is used as {node.dtype} {at.size}, but the input is {image}"
    return None


def _param_exists(node: Expr, body: Body) -> str | None:
    if node.op == "param" and body.live.get(node.arg) != node.dtype:
        return f"{node.arg!r} is not a live parameter of type {node.dtype}"
    return None


CHECKS: tuple[Check, ...] = (_known, _causal, _valued, _typed, _sized, _channelled, _input_exists, _param_exists)
"""The rules for a single node; a rule returns what is wrong, or None."""


def verify(body: Body, name: str = "the stage") -> None:
    """Check every rule.

    Raises:
        ExprError: `name` and the first rule broken.
    """
    names = [output.name for output in body.outputs]
    if not names or len(set(names)) < len(names):
        raise ExprError(f"{name}: it needs outputs of different names, not {', '.join(names) or 'none'}")
    if body.host is not None:
        return
    try:
        wrong = _wrong(body)
    except ExprError as error:  # from a rule of kernels.ir.ops, joint_size or kernels.ir.recurrence
        raise ExprError(f"{name}: {error}") from None
    if wrong:
        raise ExprError(f"{name}: {wrong}")


def _wrong(body: Body) -> str | None:
    nodes = list(postorder(body.roots))
    for node in nodes:
        for check in CHECKS:
            wrong = check(node, body)
            if wrong:
                return wrong
    wrong = _recurrences(body, nodes)
    for output in body.outputs:
        wrong = wrong or (_image(output) if output.table is None else _table(output, body))
    return wrong


def _recurrences(body: Body, nodes: list[Expr]) -> str | None:
    known = recurrences(body.roots)
    for node in nodes:
        if node.op == "state":
            owner = known.get(node.arg)
            if owner is None:
                return f"state {node.arg!r} has no recurrence that updates it"
            if owner.dtype != node.dtype or node.size not in (None, owner.size):
                return f"state {node.arg!r} is {node.dtype}, its recurrence {owner.dtype}"
    start_order(known)
    far = wandering(known)
    return far and (f"recurrence {far!r} looks at another pixel's or an earlier frame's value of itself; "
                    "only state() of this pixel may occur in it")  # fmt: skip


def _image(output: Output) -> str | None:
    image = output.type
    if not isinstance(image, ImageType) or sum(p.channels for p in output.planes) != image.channels:
        return f"output {output.name!r} has {sum(p.channels for p in output.planes)} planes but is {image}"
    for plane in output.planes:
        if plane.dtype != image.dtype or plane.size not in (None, (image.height, image.width)):
            return f"output {output.name!r} is {image}, its plane {plane.dtype} {plane.size}"
    return None


def _table(output: Output, body: Body) -> str | None:
    table = output.table
    assert table is not None
    size = joint_size(output.roots)
    if any(root.channels > 1 for root in output.roots):
        return f"table {output.name!r} is reduced from images of several channels; take one channel at a time"
    if size is None:
        return f"table {output.name!r} is reduced from no image"
    if table_type(table, size) != output.type:
        return f"table {output.name!r} is declared as {output.type}"
    if isinstance(table, Reduction) and table.regions.kind == "boxes":
        boxes = table.regions.boxes
        if boxes not in body.live or body.live[boxes] is not None:
            return f"table {output.name!r} takes its boxes from {boxes!r}, which is not a live parameter of points"
    return None
