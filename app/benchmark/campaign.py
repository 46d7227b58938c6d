"""All measurements of a run, within a time, as far as Ctrl-C lets them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

LEAST = 1.0
"""Seconds that are measured at least, once all is ready."""


class Measurement(Protocol):
    """What a job gives."""

    @property
    def contenders(self) -> Sized:
        """Empty where nothing was measured."""
        ...


R = TypeVar("R", bound=Measurement)


@dataclass(frozen=True, slots=True)
class Job(Generic[R]):
    """One measurement.

    Args:
        label: for people.
        measure: from the seconds that are left, asked when all is ready, and what is to be called after every round:
            the result, and whether Ctrl-C ended it.
    """

    label: str
    measure: Callable[[Callable[[], float], Callable[[], None]], tuple[R, bool]]


@dataclass(slots=True)
class Campaign(Generic[R]):
    """Runs jobs one after the other, the time that is left shared evenly among those that are left.

    Args:
        seconds: for all, making ready included.
        progress: called now and then with the job's label and the share of the time that is over.

    Attributes:
        interrupted: Ctrl-C ended it; results until then are there, the last one with fewer rounds.
        left: jobs for which no time was left.
    """

    jobs: Sequence[Job[R]]
    seconds: float
    progress: Callable[[str, float], None] = lambda label, share: None  # noqa: ARG005 - for no listener
    interrupted: bool = False
    left: list[Job[R]] = field(default_factory=list)

    def run(self) -> Iterator[R]:
        """The results as they come."""
        begin = time.perf_counter()
        for number, job in enumerate(self.jobs):
            now = time.perf_counter()
            over = now - begin
            if number and over >= self.seconds:
                self.left = list(self.jobs[number:])
                return
            end = now + (self.seconds - over) / (len(self.jobs) - number)

            def remaining(end: float = end) -> float:
                return max(LEAST, end - time.perf_counter())

            def tick(label: str = job.label) -> None:
                self.progress(label, min(1.0, (time.perf_counter() - begin) / self.seconds))

            tick()
            try:
                result, self.interrupted = job.measure(remaining, tick)
            except KeyboardInterrupt:
                self.interrupted = True
                return
            if result.contenders:
                yield result
            if self.interrupted:
                return
