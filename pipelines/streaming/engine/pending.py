"""A batch on its way through an engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from kernels.executors.base import Batch
from kernels.ir.table import Table
from kernels.param import Value
from pipelines.frame import FrameBatch, Pixels
from pipelines.graph import Ref


class Finishing(Protocol):
    """What brings batches to their end: an engine."""

    overflow: dict[str, int]
    seconds: dict[str, float]

    def finish(self, pending: Pending) -> None:
        """Finish the batches up to this one."""
        ...


@dataclass(eq=False, slots=True)
class Pending:
    """A batch under way; made by `Engine.submit`.

    Args:
        engine: that it is in.
        batch: the frames.
        params: live parameters, by program: those of when it was begun.
        values: what is on the host.

    Attributes:
        lying: images that lie on a device, or will.
        begun: what programs on devices have begun, by number of the program.
        at: number of the program that comes next.
        done: it has a result or an error.
        peeked: what `Engine.peek` saw in the last frame, by the names of outputs; empty where it did not look.
    """

    engine: Finishing
    batch: FrameBatch
    params: Mapping[str, Mapping[str, Value]]
    values: dict[Ref, Batch]
    lying: dict[Ref, Any] = field(default_factory=dict)
    begun: dict[int, Any] = field(default_factory=dict)
    at: int = 0
    done: bool = False
    made: Mapping[Ref, Batch] = field(default_factory=dict)
    error: Exception | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    overflow: dict[str, int] = field(default_factory=dict)
    counted: bool = False
    peeked: dict[str, Pixels] = field(default_factory=dict)

    def result(self) -> Mapping[Ref, Batch]:
        """The tapped outputs; finishes the batches before first. See `Engine.step`."""
        self.engine.finish(self)
        if not self.counted:  # what is not asked for has not been processed
            self.counted = True
            for mine, all_ in ((self.overflow, self.engine.overflow), (self.seconds, self.engine.seconds)):
                for key, number in mine.items():
                    all_[key] = all_.get(key, 0) + number  # type: ignore[assignment]
        if self.error is not None:
            raise self.error
        return self.made

    def count_overflow(self, node: str, data: Any) -> None:
        """Count the rows of tables that had no room."""
        for datum in data if isinstance(data, list) else ():
            if isinstance(datum, Table) and datum.overflow:
                self.overflow[node] = self.overflow.get(node, 0) + datum.overflow

    def close(self) -> None:
        """It is over; hold nothing but the result."""
        self.done = True
        self.values, self.lying, self.begun = {}, {}, {}
