"""Arrays of others that lie on a GPU: CuPy's, and whatever speaks __cuda_array_interface__ or DLPack.

Who made such an array may still be at it, in a stream of its own. Each protocol has its way to say so: a CuPy array is
made in CuPy's current stream; DLPack is told the stream in which the array is wanted, and has it ready there;
__cuda_array_interface__ names its stream, for which CuPy waits. So the array is asked for, and made dense, with the
stream that will use it as CuPy's current one, after an event in the one that was current before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.executors.device import Array, Event, Lying, Stream

ON_GPU = (2, 13)
"""DLPack's numbers of CUDA memory and of memory that CUDA manages."""


def adopted(cupy: Any, index: int, given: Any, stream: Stream, event: Event) -> Lying | Array:
    """See `kernels.executors.device.Device.adopt`; the GPU is CuPy's current one.

    Args:
        index: of the GPU.
        event: to order the streams with.
    """
    kind = None
    if not isinstance(given, cupy.ndarray):
        if hasattr(given, "__cuda_array_interface__"):
            kind = "interface"
        elif hasattr(given, "__dlpack_device__"):
            kind, (place, number) = "dlpack", given.__dlpack_device__()
            if place in ON_GPU and number != index:
                with cupy.cuda.Device(number):
                    elsewhere: Array = cupy.asnumpy(cupy.from_dlpack(given))
                return elsewhere
            if place not in ON_GPU:
                return _on_host(given)
        else:
            return _on_host(given)
    event.record(cupy.cuda.get_current_stream())  # who made it, if it was CuPy, may still be at it
    stream.wait_event(event)
    with stream:
        if kind == "interface":
            given = cupy.asarray(given)
        elif kind == "dlpack":
            given = cupy.from_dlpack(given)
        if given.device.id != index:
            with given.device:
                copied: Array = cupy.asnumpy(given)
            return copied
        dense = cupy.ascontiguousarray(given)
    return Lying(_Kept(dense), tuple(dense.shape), np.dtype(dense.dtype))


class _Kept:
    """Device memory together with the array that owns it."""

    def __init__(self, array: Any) -> None:
        self.array, self.ptr = array, array.data.ptr


def _on_host(given: Any) -> Array:
    if hasattr(given, "__array__") or not hasattr(given, "__dlpack__"):
        return np.asarray(given)
    return np.from_dlpack(given)
