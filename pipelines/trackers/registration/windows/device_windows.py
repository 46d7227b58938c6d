"""Windows on a GPU, where their frames lie: a warp takes a window, and its first eight threads run a loop of the host's
(`kernels.codegen.cuda_loops`), to its bits.

What is in the memory of the device for longer goes up when it changes; what is of a batch goes up with it, and what its
frames showed comes down. The host's memory stays what counts: it goes on from any batch by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_launch import CudaKernel, CudaProgram
from kernels.codegen.cuda_loops import Way, loop_texts
from kernels.codegen.cuda_prelude import PRELUDE
from kernels.loops.language import Loop
from pipelines.trackers.lying_images import LyingImages, said_of_gpu

Array = npt.NDArray[Any]

BLOCKS = 1024
"""Windows that are followed side by side at most: more warps than the largest cards hold at a time in so many
registers."""
SCRATCH = 256 << 20
"""Bytes of scratch memory for them, where that is enough for `FEWEST`: cards have gigabytes, which frames want, too."""
FEWEST = 64
"""Windows that are followed side by side at least, if there are as many: about one for each multiprocessor of a card of
middle size."""
CHAIN, CLOCK = 112.0, 1.7e9
"""Cycles of a row of eight columns of a window, whose pixels are interpolated and added up: fourteen operations that
wait for one another, of eight cycles each; and cycles a second. An estimate that no card has confirmed."""
PIXELS = {"uint8": "unsigned char", "uint16": "unsigned short", "int16": "short", "int32": "int", "uint32": "unsigned",
          "float32": "float", "float64": "double"}  # fmt: skip
"""Types of pixels that loops take, as CUDA names them."""
_NAME = "follow_windows"


def blocks_of(points: int, each: int) -> int:
    """How many windows are followed side by side, of which one takes `each` bytes of scratch memory."""
    return min(points, BLOCKS, max(FEWEST, SCRATCH // each))


def waited(window: int, points: int, rounds: float) -> float:
    """Seconds a frame that a device takes for windows, by an estimate: their latency, for most of a card idles.

    Args:
        window: side, px.
        points: how many there are.
        rounds: looks at all pixels of each.
    """
    rows = -(-window // 8) * (window + 14)
    return rounds * rows * CHAIN / CLOCK * -(-points // BLOCKS)


def window_program(one: Loop, pixels: str, parameters: str, body: str, *, wide: bool) -> CudaProgram:
    """A program whose kernel calls a loop.

    Args:
        one: the loop.
        pixels: type of the frames.
        parameters: of the kernel, after the frames.
        body: of the kernel, which calls `loop_NAME`.
        wide: whether LANES are sixteen f32.
    """
    loops = loop_texts([one], Way(True, pixels, wide), "float32" if wide else "float64")
    text = (f'extern "C" __global__ void __launch_bounds__(32) {_NAME}(\n'
            f"    const {PIXELS[pixels]} *images, {parameters})\n{{\n{body}}}\n")  # fmt: skip
    kernel = CudaKernel(_NAME, (32, 1), (1, 1), False, 0, (), (0, 0), (0, 0, 0, 0))
    return CudaProgram(f"{PRELUDE}{loops}{text}", (kernel,), cast(Any, None))


class DeviceWindows:
    """The windows of one tracker on a device.

    Args:
        device: where the frames lie (`kernels.executors.device.Device`).
        type_: of the frames.
        program: from `window_program`.
    """

    def __init__(self, device: Any, type_: Any, program: CudaProgram) -> None:
        self.device, self.type = device, type_
        self._memory: dict[str, tuple[int, Any]] = {}
        with said_of_gpu("windows"):
            self._function = device.load(program)[_NAME]
            self._stream, self._done = device.stream(), device.event()

    def starts(self, images: LyingImages) -> Array:
        """The first pixel of each frame in their batch, int64."""
        place = np.arange(images.first, images.first + len(images), dtype=np.int64)
        made: Array = place * (self.type.height * self.type.width)
        return made

    def there(self, name: str) -> Any:
        """Memory of that name."""
        return self._memory[name][1]

    def room(self, name: str, size: int) -> Any:
        """Memory of that name, of so many bytes at least."""
        if self._memory.get(name, (0, None))[0] < size:
            with said_of_gpu("windows"):
                self._memory[name] = size, self.device.memory(size)
        return self._memory[name][1]

    def put(self, name: str, array: Array) -> Any:
        """Put an array there, and wait for it; its memory."""
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        pin = self.device.pinned(flat.size)
        pin[:] = flat
        memory = self.room(name, flat.size)
        with said_of_gpu("windows"):
            self.device.upload(memory, pin, self._stream)
            self._wait()
        return memory

    def copied(self, images: LyingImages, to: Any, offset: int, size: int) -> None:
        """Copy bytes of frames to memory of ours.

        Raises:
            DefinitionError: the device fails, or the frames are there no longer.
        """
        hold = images.batch.hold
        with said_of_gpu("windows"):
            if hold is not None:
                self.device.wait(self._stream, hold.ready)
            self.device.copy(to, 0, images.batch.memory, offset, size, self._stream)
            self._done_with(hold)

    def fetched(self, name: str, size: int) -> Array:
        """The first bytes of memory of that name, here."""
        with said_of_gpu("windows"):
            made: Array = self.device.fetch(self.there(name), size, size, 1).reshape(-1)
        return made

    def run(self, images: LyingImages, blocks: int, arguments: Sequence[Any], made: Any, size: int) -> Array:
        """Run the kernel, and fetch what it made.

        Args:
            images: the frames.
            blocks: windows side by side.
            arguments: of the kernel, after the frames.
            made: memory, of which the first `size` bytes come down.

        Raises:
            DefinitionError: the device fails, or the frames are there no longer.
        """
        device, hold = self.device, images.batch.hold
        with said_of_gpu("windows"):
            if hold is not None:
                device.wait(self._stream, hold.ready)
            device.launch(self._function, (blocks, 1, 1), (32, 1), (images.batch.memory, *arguments), 0, self._stream)
            pin = device.pinned(size)
            device.download(pin, made, self._stream)
            self._done_with(hold)
        return cast(Array, pin)

    def _done_with(self, hold: Any) -> None:
        self._wait()
        if hold is not None and hold.over:
            raise RuntimeError("images that were left on the device have been written over")

    def _wait(self) -> None:
        self.device.record(self._done, self._stream)
        self.device.synchronize(self._done)
