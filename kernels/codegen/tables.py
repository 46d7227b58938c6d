"""Lists of candidates as LLVM IR, row by row, in raster order."""

from __future__ import annotations

from kernels.codegen.fold import Addresses
from kernels.codegen.loop import Loop
from kernels.codegen.reduction import slot
from kernels.codegen.writer import stored, vector
from kernels.fusion.rows import Item
from kernels.ir.body import Body
from kernels.ir.image import BOOL
from kernels.ir.planes import Border
from kernels.ir.table import Candidates, joint_table_size, table_type


def candidates(at: Addresses, loop: Loop, item: Item, body: Body, t: str, width: int) -> None:
    """Append the row's pixels where the condition holds: count:N[frame] counts them all, table:N takes the first."""
    w = at.w
    table = body.outputs[item.index].table
    assert isinstance(table, Candidates)
    condition = item.roots[0]
    store = loop.seen[condition, None]
    # The condition lies in a row of its own by now: 64 bytes of it make a word of bits.
    flags = at.row(store, 0, Border())
    loop.lanes, loop.x = 1, f"%{w.fresh('x')}"
    type_ = table_type(table, joint_table_size(table)).numpy
    # The row's values, printed apart: they depend on x alone and stand in the innermost block.
    lines: list[str] = []
    row = f"%{w.fresh('entry')}"
    with w.into(lines):
        column = w.op(f"trunc i64 {loop.x} to i32")
        line = w.op(f"trunc i64 {at.r} to i32")
        fields = type_.fields
        assert fields is not None
        for name, value in (("x", column), ("y", line)):
            place = w.op(f"getelementptr i8, ptr {row}, i64 {fields[name][1]}")
            # Rows are packed: no alignment.
            w.line(f"store i32 {value}, ptr {place}, align 1")
        for (name, expr), root in zip(table.columns, item.roots[1:], strict=True):
            value, memory = loop.value(root), vector(1, stored(expr.dtype))
            if expr.dtype == BOOL:
                value = w.op(f"zext <1 x i1> {value} to <1 x i8>")
            place = w.op(f"getelementptr i8, ptr {row}, i64 {fields[name][1]}")
            w.line(f"store {memory} {value}, ptr {place}, align 1")
    with w.into(at.head):
        rows, counts = slot(at, f"table:{item.index}"), slot(at, f"count:{item.index}")
        count = w.op(f"getelementptr i64, ptr {counts}, i64 {t}")
        first = w.op(f"mul i64 {t}, {table.capacity}")
    # Addresses of the row before the scan.
    w.lines += at.head
    with w.loop("scan", "0", str(width), 64) as x:
        flagged = w.op(f"load <64 x i8>, ptr {w.op(f'getelementptr i8, ptr {flags}, i64 {x}')}, align 64")
        bits = w.op(f"bitcast <64 x i1> {w.op(f'icmp ne <64 x i8> {flagged}, zeroinitializer')} to i64")
        # Flags beyond the row are padding: the last word is masked. A shift by 64 would be poison.
        left = w.op(f"sub i64 {width}, {x}")
        short = w.op(f"icmp slt i64 {left}, 64")
        shift = w.op(f"select i1 {short}, i64 {left}, i64 0")
        some = w.op(f"sub i64 {w.op(f'shl i64 1, {shift}')}, 1")
        bits = w.op(f"and i64 {bits}, {w.op(f'select i1 {short}, i64 {some}, i64 -1')}")
        before, head, inside, after = w.block, w.fresh("pick"), w.fresh("pick.do"), w.fresh("pick.end")
        rest, latch = f"%{w.fresh('bits')}", w.fresh("pick.next")
        # Bit by bit from the lowest: raster order.
        w.line(f"br label %{head}")
        w.label(head)
        w.line(f"{rest} = phi i64 [ {bits}, %{before} ], [ {rest}.next, %{latch} ]")
        w.line(f"br i1 {w.op(f'icmp ne i64 {rest}, 0')}, label %{inside}, label %{after}")
        w.label(inside)
        bit = w.call("i64", "llvm.cttz.i64", ("i64", rest), ("i1", "true"))
        w.line(f"{loop.x} = add i64 {x}, {bit}")
        # All are counted, though only those that the table has room for are written.
        n = w.op(f"load i64, ptr {count}, align 8")
        w.line(f"store i64 {w.op(f'add i64 {n}, 1')}, ptr {count}, align 8")
        with w.when(w.op(f"icmp slt i64 {n}, {table.capacity}"), "keep"):
            index = w.op(f"mul i64 {w.op(f'add i64 {first}, {n}')}, {type_.itemsize}")
            w.line(f"{row} = getelementptr i8, ptr {rows}, i64 {index}")
            w.lines += lines
        w.line(f"br label %{latch}")
        w.label(latch)
        # Clears the lowest bit.
        w.line(f"{rest}.next = and i64 {rest}, {w.op(f'sub i64 {rest}, 1')}")
        w.line(f"br label %{head}")
        w.label(after)
