"""All measurements of a run, within a time, as far as Ctrl-C lets them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from app.benchmark.measure import How
from app.benchmark.results import Result, threads

LEAST = 1.0
"""Seconds that are measured at least, once all is ready."""


@dataclass(frozen=True, slots=True)
class Job:
    """One measurement: what `measure` is given besides the seconds and the tick."""

    name: str
    how: How
    measure: Callable[[How, Callable[[], float], Callable[[], None]], tuple[Result, bool]]

    @property
    def label(self) -> str:
        return f"{self.name} {self.how.size}x{self.how.size}, {threads(self.how.threads)}"


@dataclass(slots=True)
class Campaign:
    """Runs jobs one after the other, the time that is left shared evenly among those that are left.

    Args:
        seconds: for all, making ready included.
        told: called now and then with the job's label and the share of the time that is over.

    Attributes:
        interrupted: Ctrl-C ended it; results until then are there, the last one with fewer rounds.
        left: jobs for which no time was left.
    """

    jobs: Sequence[Job]
    seconds: float
    told: Callable[[str, float], None] = lambda label, share: None  # noqa: ARG005 - nobody listens
    interrupted: bool = False
    left: list[Job] = field(default_factory=list)

    def run(self) -> Iterator[Result]:
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
                self.told(label, min(1.0, (time.perf_counter() - begin) / self.seconds))

            tick()
            try:
                result, self.interrupted = job.measure(job.how, remaining, tick)
            except KeyboardInterrupt:
                self.interrupted = True
                return
            if result.contenders:
                yield result
            if self.interrupted:
                return
