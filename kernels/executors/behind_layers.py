"""A body with layers of a network, and with what layers cannot hold behind them, as two programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kernels.executors.base import Batch, InputCheck, Out, OutputCheck, Program, State
from kernels.fusion.behind_layers import Apart
from kernels.ir.body import Body
from kernels.param import Value


class ApartProgram:
    """Runs the layers of a batch, then what follows them.

    Args:
        body: whole.
        made: the same in two.
        layers, rest: their programs.

    Attributes:
        back_end: "cpu", or that of `rest` where it runs elsewhere, for `reason`.
    """

    def __init__(self, body: Body, made: Apart, layers: Program, rest: Program) -> None:
        self.body, self.layers, self.rest = body, layers, rest
        self._made = made
        self._check, self._check_out = InputCheck(body), OutputCheck(body)
        self.back_end = getattr(rest, "back_end", "cpu")
        self.reason = getattr(rest, "reason", "")

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Batch]:
        """See `kernels.executors.base.Program`."""
        frames = self._check(inputs, params)
        if out:
            self._check_out(out, frames, inputs)
        kept = {name: array for name, array in (out or {}).items() if name in self._made.kept}
        others = {name: array for name, array in (out or {}).items() if name not in self._made.kept}
        first = self.layers.run(inputs, params, kept or None)
        behind = self.rest.run([*inputs, *(first[name] for name in self._made.given)], params, others or None)
        return {o.name: (first if o.name in self._made.kept else behind)[o.name] for o in self.body.outputs}

    def reset(self) -> None:
        self.layers.reset()
        self.rest.reset()

    def snapshot(self) -> State:
        return self.rest.snapshot()

    def restore(self, state: State) -> None:
        self.layers.reset()
        self.rest.restore(state)
