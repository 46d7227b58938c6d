"""Row programs as LLVM IR with explicit vectors: one function a pass.

A vector has 64 bytes of the widest type in its loop, or 16 pixels; LLVM splits it where the machine's are shorter. The
text keeps NumPy's bits: no fast-math flag, nothing contracted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernels.codegen.edges import pad
from kernels.codegen.fold import Addresses
from kernels.codegen.layout import Kernel, Layout
from kernels.codegen.loop import Loop
from kernels.codegen.products import shared_products
from kernels.codegen.reduction import reduction
from kernels.codegen.results import Results
from kernels.codegen.tables import candidates
from kernels.codegen.writer import Writer
from kernels.fusion.rows import Access, Group, Pass, RowProgram, Store
from kernels.ir.body import Body
from kernels.ir.expr import Expr

VERSION = 1
"""Of the generated code; part of the key of a cached program."""
_STEP_LINES = 140
_STEPS = 2


def _steps(vectors: int, lines: int) -> int:
    """How many vectors one turn of a loop over x takes: short bodies are repeated where the row's length allows."""
    # A body is only repeated where no vector is left over: a second copy of it for the rest would cost more code in the
    # instruction cache than the repetition saves.
    return _STEPS if vectors % _STEPS == 0 and _STEPS * lines <= _STEP_LINES else 1


@dataclass(frozen=True, slots=True)
class Code:
    """The text of a program and what its caller must know of each pass."""

    text: str
    kernels: tuple[Kernel, ...]


def generate(body: Body, program: RowProgram) -> Code:
    """Print a row program."""
    functions, kernels = [], []
    declared: dict[str, str] = {}
    constants: dict[str, str] = {}
    # Constant arrays and declarations are shared by the functions of a module: LLVM refuses a second of the same name.
    for number_, plan in enumerate(program.passes):
        printer = _PassPrinter(f"pass{number_}", body, program, plan)
        printer.w.constants = constants
        functions.append(printer.text())
        kernels.append(printer.kernel())
        declared |= printer.w.declared
    arrays = [f"{name} = {text}" for name, text in constants.items()]
    parts = ["\n".join(arrays), *functions, "\n".join(sorted(declared.values()))]
    return Code("\n\n".join(part for part in parts if part) + "\n", tuple(kernels))


class _PassPrinter:
    def __init__(self, name: str, body: Body, program: RowProgram, plan: Pass) -> None:
        self.name, self.body, self.program, self.plan = name, body, program, plan
        self.w = Writer()
        self.layout = Layout()
        self.results = Results(self.w, self.layout, plan.size[1])
        self.addresses: dict[str, str] = {}
        self.images: dict[Access, str] = {}
        self.spares: dict[str, str] = {}
        self.states: dict[str, Store] = {}
        self.lasting: dict[tuple[Expr, int], str] = {}
        self.entry: list[str] = []
        self.frames = {store.name: i for i, store in enumerate(program.frames)}
        self.ranges: dict[tuple[int, int, int], tuple[str, str]] = {}
        if plan.columns:
            self.layout.slot("first_column")
            self.layout.slot("last_column")

    def kernel(self) -> Kernel:
        layout = self.layout
        return Kernel(self.name, self.plan, tuple(layout.slots), tuple(layout.accesses), layout.scratch,
                      tuple(layout.fills.values()), self.states)  # fmt: skip

    def text(self) -> str:
        w, body = self.w, list[str]()
        for store in self.plan.stores:
            self._place(store)
        # The slots that every pass has are loaded here; the body asks for others while it is made, and loads them
        # itself.
        entry = self._entry()
        with w.into(body):
            self._march()
        rooms = [f"  {name} = alloca {type_.partition(',')[0]}, align 64" for type_, name in self.spares.items()]
        head = [f"define void @{self.name}(ptr noalias %args) nounwind {{", "entry:"]
        return "\n".join([*head, *rooms, *entry, *self.entry, *body, "  ret void", "}"])

    def _place(self, store: Store) -> None:
        item = store.plane.dtype.itemsize
        name = f"%{store.name}"
        self.addresses[store.name] = name
        # States outlive the call, so the caller owns their memory and gives the address; rings are scratch of the call.
        if store.kind == "state":
            self.states[store.plane.arg] = store
            self.layout.slot(f"state:{store.plane.arg}")
            return
        start = self.layout.room(store.rows * store.pitch * item) + store.lead_in * item
        self.w.line(f"{name} = getelementptr i8, ptr %scratch, i64 {start}")

    def _entry(self) -> list[str]:
        """Loads of the argument block's slots."""
        w, rings, lines = self.w, self.w.lines, list[str]()
        with w.into(lines):
            for i, slot in enumerate(self.layout.slots):
                name, _, rest = slot.partition(":")
                target = f"%{slot}" if not rest and slot != "state" else self.addresses[self.states[rest].name]
                at = w.op(f"getelementptr i8, ptr %args, i64 {8 * i}")
                type_ = "ptr" if name in ("images", "scratch", "state") else "i64"
                w.line(f"{target} = load {type_}, ptr {at}, align 8")
            height = self.plan.size[0]
            for i, group in enumerate(self.plan.groups):
                above = w.op(f"sub i64 %first_row, {group.up}")
                below = w.op(f"add i64 %last_row, {group.down}")
                w.line(f"%low{i} = call i64 @llvm.smax.i64(i64 {above}, i64 0)")
                w.line(f"%high{i} = call i64 @llvm.smin.i64(i64 {below}, i64 {height})")
            w.declared["llvm.smax.i64"] = "declare i64 @llvm.smax.i64(i64, i64)"
            w.declared["llvm.smin.i64"] = "declare i64 @llvm.smin.i64(i64, i64)"
            # Groups run ahead of each other: in one step, group i makes row step + lead_i. The march begins with the
            # step in which the first of them has a row, and ends with that in which the last one has.
            starts = [w.op(f"sub i64 %low{i}, {g.lead}") for i, g in enumerate(self.plan.groups)]
            stops = [w.op(f"sub i64 %high{i}, {g.lead}") for i, g in enumerate(self.plan.groups)]
            self.start, self.stop = starts[0], stops[0]
            for one in starts[1:]:
                self.start = w.call("i64", "llvm.smin.i64", ("i64", self.start), ("i64", one))
            for one in stops[1:]:
                self.stop = w.call("i64", "llvm.smax.i64", ("i64", self.stop), ("i64", one))
        w.lines = []
        return [*lines, *rings]

    def _march(self) -> None:
        """For every frame, down the rows."""
        w, inside = self.w, list[str]()
        with w.loop("t", "%first_frame", "%last_frame") as t:
            self.t = t
            with w.into(inside):
                # Frame 0 of a batch is the first of the clip only where the caller says so (`is_first`).
                zero = w.op(f"icmp eq i64 {t}, 0")
                flag = w.op("icmp ne i64 %is_first, 0")
                self.starting = w.op(f"and i1 {zero}, {flag}")
                with w.loop("step", self.start, self.stop) as step:
                    for i, group in enumerate(self.plan.groups):
                        if i + 1 < len(self.plan.groups) and self.plan.groups[i + 1].joined is not None:
                            self._pair(i, step)
                        elif group.joined is None:
                            self._group(i, step)
            # Only now is it known which images the body reads; their addresses are loaded once a frame, before the
            # rows.
            for access, name in self.images.items():
                row = w.op(f"mul i64 %frames, {self.layout.access(access)}")
                at = w.op(f"getelementptr ptr, ptr %images, i64 {w.op(f'add i64 {row}, {t}')}")
                w.line(f"{name} = load ptr, ptr {at}, align 8")
            w.lines += inside

    def _addresses(self, number_: int, step: str) -> tuple[Addresses, str]:
        """The row of a group in a step, and whether it has one (i1)."""
        w, group = self.w, self.plan.groups[number_]
        made = ", ".join(" ".join((item.kind, *(s.name for s in item.stores))) for item in group.items)
        w.comment(f"group {number_}: {made}; {group.lead} rows ahead; {group.up} more above, {group.down} below")
        r = w.op(f"add nsw i64 {step}, {group.lead}", "r")
        after = w.op(f"icmp sge i64 {r}, %low{number_}")
        before = w.op(f"icmp slt i64 {r}, %high{number_}")
        at = Addresses(w, self.layout, self.body.inputs, self.addresses, self.images, self.states, self.frames, r,
                       spares=self.spares, entry=self.entry, lasting=self.lasting)  # fmt: skip
        return at, w.op(f"and i1 {after}, {before}")

    def _group(self, number_: int, step: str, often: bool = True) -> None:
        group = self.plan.groups[number_]
        at, active = self._addresses(number_, step)
        with self.w.when(active, f"group{number_}"):
            item = group.items[0]
            if item.kind == "reduction":
                reduction(at, self._loop(at, group, {}, "%x", whole=False), item, self.body, self.t)
            elif item.kind == "candidates":
                candidates(at, self._loop(at, group, {}, "%x", whole=False), item, self.body, self.t, self.plan.size[1])
            else:
                self._rows([(at, group)], often)

    def _pair(self, number_: int, step: str) -> None:
        """A group and the one that joins it: in one loop where both have a row and nothing folds at the top."""
        w, groups = self.w, (self.plan.groups[number_], self.plan.groups[number_ + 1])
        one, other = self._addresses(number_, step), self._addresses(number_ + 1, step)
        # Above `joined` the second group would look at rows that a border folds to ones not made in this step.
        inner = w.op(f"icmp sge i64 {other[0].r}, {groups[1].joined}")
        both = w.op(f"and i1 {inner}, {w.op(f'and i1 {one[1]}, {other[1]}')}")
        together, apart, after = (w.fresh(n) for n in ("together", "apart", "joined"))
        w.line(f"br i1 {both}, label %{together}, label %{apart}")
        w.label(together)
        self._rows([(one[0], groups[0]), (other[0], groups[1])])
        w.line(f"br label %{after}")
        w.label(apart)
        self._group(number_, step, often=False)
        self._group(number_ + 1, step, often=False)
        w.line(f"br label %{after}")
        w.label(after)

    def _loop(
        self, at: Addresses, group: Group, firsts: Mapping[str, Expr], x: str, tail: int = 0, whole: bool = True
    ) -> Loop:
        own = {root for item in group.items if item.kind == "plane" for root in item.roots}
        roots = [root for item in group.items for root in item.roots]
        shared = shared_products(roots, own, self.plan.seen)
        start, beside = "0", False
        # A pass over blocks of columns makes some columns beside its block for the groups that look aside; such columns
        # are other blocks' results and must not be written to the output twice by two threads.
        if self.plan.columns and whole:
            start, beside = self._columns(group)[0], any(item.kind == "output" for item in group.items)
        return Loop(at=at, lanes=group.lanes, x=x, tail=tail, whole=whole, start=start, seen=self.plan.seen, own=own,
                    firsts=firsts, shared=shared, beside=beside)  # fmt: skip

    def _columns(self, group: Group) -> tuple[str, str]:
        """The columns [from, to) that a group makes of a block, in turns of the loop over x."""
        key = group.left, group.right, group.lanes
        # Outward to multiples of whole turns, so that rows are read aligned.
        if key not in self.ranges:
            w, turn = self.w, group.lanes * _STEPS
            with w.into(self.entry):
                left = w.op(f"sub i64 %first_column, {group.left}")
                left = w.call("i64", "llvm.smax.i64", ("i64", left), ("i64", "0"))
                right = w.op(f"add i64 %last_column, {group.right + turn - 1}")
                self.ranges[key] = w.op(f"and i64 {left}, {-turn}", "from"), w.op(f"and i64 {right}, {-turn}", "to")
        return self.ranges[key]

    def _rows(self, members: Sequence[tuple[Addresses, Group]], often: bool = True) -> None:
        """One row of planes and images; of two groups, the second sees what the first makes without a detour.

        Args:
            members: the groups and their rows.
            often: whether more than a few rows take this way, so that it pays to repeat the loop's body.
        """
        w, width, lanes = self.w, self.plan.size[1], members[0][1].lanes
        own_rows = [self._own_row(at, group) for at, group in members]
        states = any(group.states for _, group in members)
        # A recurrence has another state in the first frame. Two versions of the loop, chosen once a row, in place of a
        # select for every pixel.
        versions = [self.program.firsts, {}] if states and self.program.plain_start else [{}]
        bodies = []
        for firsts in versions:
            x, lines = f"%{w.fresh('x')}", list[str]()
            with w.into(lines):
                loops = [self._loop(at, group, firsts, x) for at, group in members]
                for loop in loops:
                    loop.carries = True
                self._body(loops, members, own_rows)
            ends: list[str] = []
            # Rings are padded to whole vectors, so there the last vector may run over the row's end. Images of the
            # caller are not: the last pixels are a body of their own, with loads and stores of `tail` pixels.
            exact = any(item.kind == "output" for _, group in members for item in group.items)
            if (exact or any(k[0] == "image" for at, _ in members for k in at.made)) and width % lanes:
                last = width - width % lanes
                with w.into(ends):
                    tails = [self._loop(at, group, firsts, str(last), width % lanes) for at, group in members]
                    self._body(tails, members, own_rows)
                stop = last
            else:
                stop = -(-width // lanes) * lanes
            steps = [loops]
            # Later steps take over what the earlier ones hold in registers (`previous`): a row is loaded once, however
            # many taps look at it.
            while len(steps) < _steps(stop // lanes, len(lines) // len(steps) if often else len(lines) + _STEP_LINES):
                with w.into(lines):
                    x = w.op(f"add i64 {loops[0].x}, {lanes * len(steps)}")
                    steps.append([self._loop(at, group, firsts, x) for at, group in members])
                    for loop, before in zip(steps[-1], steps[-2], strict=True):
                        loop.carries, loop.previous, loop.step = True, before, len(steps) - 1
                    self._body(steps[-1], members, own_rows)
            bodies.append((steps, stop, lines, ends))
        # What does not depend on x stands before the choice between the versions.
        for at, _ in members:
            w.lines += at.head
        group = members[0][1]
        if len(bodies) == 1:
            self._across(group, *bodies[0])
        else:
            first, then, after = (w.fresh(n) for n in ("first", "then", "done"))
            w.line(f"br i1 {self.starting}, label %{first}, label %{then}")
            for name, body in zip((first, then), bodies, strict=True):
                w.label(name)
                self._across(group, *body)
                w.line(f"br label %{after}")
            w.label(after)
        # Borders last: they copy pixels that the loops have just made.
        for (at, group), own_row in zip(members, own_rows, strict=True):
            for store in (store for item in group.items for store in item.stores):
                pad(w, store, self.results.target(at, store, own_row), width)

    def _own_row(self, at: Addresses, group: Group) -> str:
        """Whether the row is of this strip (i1)."""
        if not (group.up or group.down):
            return "true"
        w = self.w
        with w.into(at.head):
            after, before = w.op(f"icmp sge i64 {at.r}, %first_row"), w.op(f"icmp slt i64 {at.r}, %last_row")
            return w.op(f"and i1 {after}, {before}")

    def _across(
        self, group: Group, steps: Sequence[Sequence[Loop]], stop: int, lines: Sequence[str], ends: Sequence[str]
    ) -> None:
        """The loop over x, several steps at a time."""
        w, x, start, limit = self.w, steps[0][0].x, "0", str(stop)
        if self.plan.columns:
            start, to = self._columns(group)
            # A block's last turn ends with the row.
            limit = w.call("i64", "llvm.smin.i64", ("i64", to), ("i64", limit))
        if stop:
            before, head, after = w.block, w.fresh("across"), w.fresh("across.end")
            w.line(f"br label %{head}")
            w.label(head)
            w.line(f"{x} = phi i64 [ {start}, %{before} ], [ {x}.next, %{head} ]")
            # What the first step of a turn takes over is what the last one of the turn before had at x and behind it.
            for begin, end in zip(steps[0], steps[-1], strict=True):
                for row, (type_, *firsts) in begin.kept.items():
                    for i, first in enumerate(firsts):
                        name, following = begin.carried[row][i], end.carried[row][i + 1]
                        w.line(f"{name} = phi {type_} [ {first}, %{before} ], [ {following}, %{head} ]")
            w.lines += lines
            w.line(f"{x}.next = add nuw nsw i64 {x}, {group.lanes * len(steps)}")
            w.line(f"{x}.more = icmp ult i64 {x}.next, {limit}")
            w.line(f"br i1 {x}.more, label %{head}, label %{after}")
            w.label(after)
        # The last pixels belong to the block that reaches the row's end.
        if ends and self.plan.columns:
            with w.when(w.op(f"icmp sgt i64 {to}, {stop}"), "rest"):
                w.lines += ends
        else:
            w.lines += ends

    def _body(
        self, loops: Sequence[Loop], members: Sequence[tuple[Addresses, Group]], own_rows: Sequence[str]
    ) -> None:
        """Everything that the groups make of one vector of pixels; reads before writes."""
        made: list[list[list[str]]] = []
        for loop, (_, group) in zip(loops, members, strict=True):
            # Its values stay in registers; what it made that many rows ahead is what this group sees at that dy.
            if made:  # what the group before has just made
                ahead = members[0][1].lead - group.lead
                loop.held = {(i.roots[0], ahead): v for i, (v, *_) in zip(members[0][1].items, made[0], strict=True)}
                loop.at.bytes |= loops[0].at.bytes
            made.append([[loop.value(root, own=item.kind == "plane") for root in item.roots] for item in group.items])
        for loop, (_, group), values, own_row in zip(loops, members, made, own_rows, strict=True):
            for item, results in zip(group.items, values, strict=True):
                self.results.put(loop, item, results, own_row)
