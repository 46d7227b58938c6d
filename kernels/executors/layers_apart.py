"""A body with layers of networks, and with what layers cannot hold, as several programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.executors.base import Batch, InputCheck, Out, OutputCheck, Program, State
from kernels.fusion.layers_apart import Piece
from kernels.ir.body import Body
from kernels.ir.recurrence import recurrences
from kernels.param import Value


class ApartProgram:
    """Runs the pieces of a body on a batch, one after another.

    Args:
        body: whole.
        pieces: of it.
        programs: theirs.

    Attributes:
        back_end: "cpu", or that of the first program that runs elsewhere, for `reason`.
    """

    def __init__(self, body: Body, pieces: Sequence[Piece], programs: Sequence[Program]) -> None:
        self.body, self.pieces, self.programs = body, pieces, programs
        self._check, self._check_out = InputCheck(body), OutputCheck(body)
        elsewhere = [program for program in programs if getattr(program, "back_end", "cpu") != "cpu"]
        self.back_end = getattr(elsewhere[0], "back_end", "cpu") if elsewhere else "cpu"
        self.reason = getattr(elsewhere[0], "reason", "") if elsewhere else ""

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Batch]:
        """See `kernels.executors.base.Program`."""
        frames = self._check(inputs, params)
        if out:
            self._check_out(out, frames, inputs)
        made: dict[str, Batch] = {}
        for piece, program in zip(self.pieces, self.programs, strict=True):
            own = {name: array for name, array in (out or {}).items() if name in piece.names}
            made |= program.run([*inputs, *(made[name] for name in piece.given)], params, own or None)
        return {output.name: made[output.name] for output in self.body.outputs}

    def reset(self) -> None:
        for program in self.programs:
            program.reset()

    def snapshot(self) -> State:
        """One of the whole body: a recurrence is in one piece, and so is what is looked at later on."""
        states = [program.snapshot() for program in self.programs]
        memory = {name: array for state in states for name, array in state["memory"].items()}
        history: dict[int, Any] = {}
        for piece, state in zip(self.pieces, states, strict=True):
            planes = iter(state["history"])
            for number, channels in piece.pasts:
                # Image kernels keep channels apart.
                own = [next(planes) for _ in range(channels)]
                history[number] = own[0] if channels == 1 else [np.stack(of, -1) for of in zip(*own, strict=True)]
        return {"frames": states[0]["frames"], "memory": memory,
                "history": [history[number] for number in sorted(history)]}  # fmt: skip

    def restore(self, state: State) -> None:
        for piece, program in zip(self.pieces, self.programs, strict=True):
            own = recurrences(piece.body.roots)
            memory = {name: array for name, array in state["memory"].items() if name in own}
            history: list[Any] = []
            for number, channels in piece.pasts:
                past = state["history"][number]
                history += [past] if channels == 1 else [[one[..., c] for one in past] for c in range(channels)]
            program.restore({"frames": state["frames"], "memory": memory, "history": history})
