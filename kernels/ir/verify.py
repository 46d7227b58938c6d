"""The verifier: refuses an ill-formed body with one sentence that says which rule it breaks.

The constructors of `kernels.ir.expr` check most of this when a stage is written; the verifier checks it again, for
whole bodies, after every pass that rewrites them, and adds the rules that only a whole body can break.
"""

from __future__ import annotations

from collections.abc import Callable

from kernels.errors import ExprError
from kernels.ir.body import Body
from kernels.ir.expr import Expr, joint_size, postorder
from kernels.ir.image import BOOL, I32, ImageType
from kernels.ir.ops import OPS
from kernels.ir.table import table_type

Check = Callable[[Expr, Body], str | None]
_ARITY = {"input": 0, "state": 0, "const": 0, "param": 0, "coord": 0, "load": 1, "gather": 3, "window": 1, "recur": 2,
          "table": 1, "convert": 1}  # fmt: skip


def _known(node: Expr, _body: Body) -> str | None:
    arity = OPS[node.op].arity if node.op in OPS else _ARITY.get(node.op)
    if arity is None:
        return f"there is no operation {node.op!r}"
    if len(node.src) != arity:
        return f"{node.op} has {len(node.src)} operands instead of {arity}"
    return None


def _typed(node: Expr, _body: Body) -> str | None:
    if node.op in OPS:
        given = tuple(s.dtype for s in node.src)
        wanted, result = OPS[node.op].rule(*given)
        if wanted != given or result != node.dtype:
            return f"{node.op} of {', '.join(map(str, given))} gives {result} from {', '.join(map(str, wanted))}, " \
                   f"not {node.dtype}"  # fmt: skip
    if node.op in ("load", "gather", "window") and node.src[0].dtype != node.dtype:
        return f"{node.op} of a plane of {node.src[0].dtype} cannot be {node.dtype}"
    if node.op == "recur" and {s.dtype for s in node.src} != {node.dtype}:
        return f"recurrence {node.arg!r} starts as {node.src[0].dtype} and goes on as {node.src[1].dtype}"
    if node.op == "gather" and any(s.dtype != I32 for s in node.src[1:]):
        return "the coordinates of a gather must be i32"
    if node.op == "table" and (node.src[0].dtype.is_float or node.src[0].dtype == BOOL):
        return "the index of a table must be a whole number"
    return None


def _sized(node: Expr, _body: Body) -> str | None:
    if node.op in ("load", "gather", "window"):
        if node.src[0].size is None:
            return f"{node.op} needs an image, not a value that is the same everywhere"
        return None
    if node.op == "recur" and node.size is None:
        return f"recurrence {node.arg!r} varies over no image; use an input in it"
    if node.src and node.size != joint_size(node.src):
        return f"{node.op} has size {node.size}, its operands {joint_size(node.src)}"
    return None


def _causal(node: Expr, _body: Body) -> str | None:
    if node.op == "load" and node.arg.dt > 0:
        return f"a load looks {node.arg.dt} frames into the future; dt must be <= 0"
    return None


def _input_exists(node: Expr, body: Body) -> str | None:
    if node.op != "input":
        return None
    at = node.arg
    if not 0 <= at.index < len(body.inputs) or not isinstance(body.inputs[at.index], ImageType):
        return f"input {at.index} is not an image of this body"
    image = body.inputs[at.index]
    assert isinstance(image, ImageType)
    if at.channel >= image.channels or image.dtype != node.dtype or at.size != (image.height, image.width):
        return f"channel {at.channel} of input {at.index} is used as {node.dtype} {at.size}, but the input is {image}"
    return None


def _param_exists(node: Expr, body: Body) -> str | None:
    if node.op == "param" and body.live.get(node.arg) != node.dtype:
        return f"{node.arg!r} is not a live parameter of type {node.dtype}"
    return None


CHECKS: tuple[Check, ...] = (_known, _typed, _sized, _causal, _input_exists, _param_exists)
"""The rules for a single node; a rule returns what is wrong, or None."""


def verify(body: Body, name: str = "the stage") -> None:
    """Check every rule.

    Raises:
        ExprError: `name` and the first rule broken.
    """
    if body.host is not None:
        return
    nodes = list(postorder(body.roots))
    for node in nodes:
        for check in CHECKS:
            wrong = check(node, body)
            if wrong:
                raise ExprError(f"{name}: {wrong}")
    _recurrences(nodes, name)
    for output in body.outputs:
        if output.table is not None:
            size = joint_size(output.roots)
            if size is None:
                raise ExprError(f"{name}: table {output.name!r} is reduced from no image")
            if table_type(output.table, size) != output.type:
                raise ExprError(f"{name}: table {output.name!r} is declared as {output.type}")
            continue
        image = output.type
        if not isinstance(image, ImageType) or len(output.planes) != image.channels:
            raise ExprError(f"{name}: output {output.name!r} has {len(output.planes)} planes but is {image}")
        for plane in output.planes:
            if plane.dtype != image.dtype or plane.size not in (None, (image.height, image.width)):
                raise ExprError(f"{name}: output {output.name!r} is {image}, its plane {plane.dtype} {plane.size}")


def _recurrences(nodes: list[Expr], name: str) -> None:
    made: dict[str, Expr] = {}
    for node in nodes:
        if node.op == "recur":
            if made.setdefault(node.arg, node) is not node:
                raise ExprError(f"{name}: two different recurrences are called {node.arg!r}")
            if any(below.op == "state" for below in postorder(node.src[:1])):
                raise ExprError(f"{name}: recurrence {node.arg!r} starts from a state, which does not exist yet")
    for node in nodes:
        if node.op == "state":
            owner = made.get(node.arg)
            if owner is None:
                raise ExprError(f"{name}: state {node.arg!r} has no recurrence that updates it")
            if owner.dtype != node.dtype:
                raise ExprError(f"{name}: state {node.arg!r} is {node.dtype}, its recurrence {owner.dtype}")
