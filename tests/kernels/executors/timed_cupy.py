"""The CuPy of NumPy of `test_cuda`, with a clock, graphs, and what a driver says of an RTX 4090."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kernels.codegen import nvrtc
from kernels.executors import cuda_clock, cuda_device
from tests.kernels.executors.test_cuda import Fake


class TimedCupy(Fake):
    """Every record of an event is `tick` ms after the one before."""

    __version__ = "14.2.0"

    def __init__(self) -> None:
        super().__init__()
        self.now, self.tick = 0.0, 2.0
        self.replayed = 0
        self.capturing = False
        fake, plain = self, self.cuda.Stream

        class Stream(plain):  # type: ignore[misc, valid-type]
            def begin_capture(self) -> None:
                fake.capturing = True

            def end_capture(self) -> Any:
                assert fake.capturing
                fake.capturing = False

                class Graph:
                    def launch(self, _: Any) -> None:
                        fake.replayed += 1

                return Graph()

        class Event(plain):  # type: ignore[misc, valid-type]
            def record(self, _: Any) -> None:
                fake.now += fake.tick
                self.at = fake.now

        self.cuda.Stream, self.cuda.Event = Stream, Event
        self.cuda.get_elapsed_time = lambda a, b: b.at - a.at
        runtime = self.cuda.runtime
        runtime.driverGetVersion, runtime.runtimeGetVersion = (lambda: 13000), (lambda: 12080)


@contextmanager
def installed() -> Iterator[TimedCupy]:
    """While it lasts, this is the CuPy of the cuda executor, and texts compile to nothing."""
    made = TimedCupy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuda_device, "cupy", made)
        patch.setattr(cuda_device, "compile_text", lambda *_: nvrtc.Compiled(b"code", {}, ""))
        patch.setattr(cuda_device, "nvrtc_version", lambda: (13, 0))
        patch.setattr(cuda_clock, "driver_version", lambda: "580.65.06")
        yield made
