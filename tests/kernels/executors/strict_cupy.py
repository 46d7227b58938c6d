"""A CuPy of NumPy with several GPUs that insists on the right one being current, keeps a log, and fails on demand."""

from __future__ import annotations

import ctypes
import types
from typing import Any

import numpy as np

from tests.kernels.executors.test_cuda import Fake, FakeError

CALLS = ("alloc", "pinned", "Stream", "Event", "upload", "download", "fill", "record", "wait", "synchronize", "load",
         "launch", "capability")  # fmt: skip
"""What can be made to fail, by `StrictCupy.fail`."""


class StrictCupy(Fake):
    """Its attributes say what happened.

    Attributes:
        current: number of the current GPU.
        log: (call, number of the GPU that it was for).
        fail: errors by call, raised from then on.
        streams: the stack of CuPy's current streams.
    """

    def __init__(self, count: int = 2) -> None:
        super().__init__()
        self.count = count
        self.current = 0
        self.log: list[tuple[str, int]] = []
        self.order: list[Any] = []
        self.fail: dict[str, Exception] = {}
        self.owner: dict[int, int] = {}  # streams by number
        self.copied: list[str] = []
        fake = self

        class Device:
            def __init__(self, id: int) -> None:  # noqa: A002
                self.id = id
                self._before: list[int] = []

            def __enter__(self) -> Any:
                self._before.append(fake.current)
                fake.current = self.id
                return self

            def __exit__(self, *_: object) -> None:
                fake.current = self._before.pop()

            @property
            def compute_capability(self) -> str:
                fake.did("capability", self.id)
                return "90"

        class Stream:
            def __init__(self, non_blocking: bool = False, null: int = -1) -> None:
                self.device_id = fake.current if null < 0 else null
                self.ptr = len(fake.owner) + 1
                fake.owner[self.ptr] = self.device_id
                if null < 0:
                    assert non_blocking
                    fake.did("Stream", self.device_id)

            def __enter__(self) -> Any:
                assert self.device_id == fake.current
                fake.streams.append(self)
                return self

            def __exit__(self, *_: object) -> None:
                fake.streams.pop()

            def wait_event(self, event: Any) -> None:
                fake.did("wait", self.device_id)
                fake.order.append(("wait", self, event))

            def synchronize(self) -> None:
                fake.did("synchronize", self.device_id)

            def begin_capture(self) -> None:
                fake.did("capture", self.device_id)

            def end_capture(self) -> Any:
                return types.SimpleNamespace(launch=lambda stream: fake.did("replay", stream.device_id))

        class Event:
            def __init__(self, disable_timing: bool = False) -> None:
                self.device_id = fake.current
                fake.did("Event", self.device_id)

            def record(self, stream: Any) -> None:
                assert stream.device_id == self.device_id, "an event and a stream of two devices"
                fake.did("record", self.device_id)
                fake.order.append(("record", stream, self))

            def synchronize(self) -> None:
                fake.did("synchronize", self.device_id)

        class Function:
            def __init__(self, name: str, device: int) -> None:
                self.name, self.ptr, self.device = name, 0, device

            def __call__(self, grid: Any, block: Any, arguments: Any, shared_mem: int, stream: Any) -> None:
                assert stream.device_id == self.device == fake.current, "a launch for another device"
                fake.did("launch", self.device)

        class Module:
            def load(self, cubin: bytes) -> None:
                self.device = fake.current
                fake.did("load", self.device)

            def get_function(self, name: str) -> Any:
                return Function(name, self.device)

        plain, pinned = self.cuda.alloc, self.cuda.alloc_pinned_memory

        def alloc(size: int) -> Any:
            fake.did("alloc", fake.current)
            return plain(size)

        def alloc_pinned(size: int) -> Any:
            fake.did("pinned", fake.current)
            return pinned(size)

        def move(to: int, source: int, size: int, kind: int, stream: int) -> None:
            fake.did({1: "upload", 2: "download", 3: "copy"}[kind], fake.owner[stream])
            ctypes.memmove(to, source, size)

        def fill(to: int, value: int, size: int, stream: int) -> None:
            fake.did("fill", fake.owner[stream])
            ctypes.memset(to, value, size)

        self.null = [Stream(null=i) for i in range(count)]
        self.streams: list[Any] = []
        runtime = self.cuda.runtime
        runtime.memcpyAsync, runtime.memsetAsync = move, fill
        for name, made in (("Device", Device), ("Stream", Stream), ("Event", Event), ("alloc", alloc),
                           ("alloc_pinned_memory", alloc_pinned)):  # fmt: skip
            setattr(self.cuda, name, made)
        self.cuda.function = types.SimpleNamespace(Module=Module)
        self.cuda.get_current_stream = lambda: fake.streams[-1] if fake.streams else fake.null[fake.current]
        self._arrays()

    def did(self, call: str, device: int) -> None:
        """A call for a device, which must be the current one."""
        if call in self.fail:
            raise self.fail[call]
        assert device == self.current, f"{call} for GPU {device} while {self.current} is current"
        self.log.append((call, device))

    def _arrays(self) -> None:
        """Arrays on a device: NumPy's, with a number."""
        fake = self

        class Array:
            def __init__(self, content: np.ndarray, device: int = 0) -> None:
                self.content, self.device = content, fake.cuda.Device(device)
                self.data = types.SimpleNamespace(ptr=content.ctypes.data)
                self.shape, self.dtype = content.shape, content.dtype

        def noted(name: str, given: Any) -> None:
            fake.order.append((name, fake.cuda.get_current_stream(), given))

        def asarray(given: Any) -> Array:
            noted("asarray", given)
            return given.array

        def from_dlpack(given: Any) -> Array:
            noted("from_dlpack", given)
            return given.array

        def ascontiguousarray(given: Array) -> Array:
            noted("ascontiguousarray", given)
            return given if given.content.flags.c_contiguous else Array(given.content.copy(), given.device.id)

        def asnumpy(given: Array) -> np.ndarray:
            assert given.device.id == fake.current
            fake.copied.append("down")
            return given.content.copy()

        self.ndarray, self.asarray, self.from_dlpack = Array, asarray, from_dlpack
        self.ascontiguousarray, self.asnumpy = ascontiguousarray, asnumpy


def runtime_error(name: str) -> Exception:
    """As the runtime says it."""
    return FakeError(f"cudaError{name}: something\nin several lines")
