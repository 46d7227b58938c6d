"""Work of a batch that comes again and again, recorded and started with one call: CUDA graphs.

What a batch puts into the compute stream (kernels, the fills and copies before and after them) is the same from batch
to batch but for the memory that takes turns: slots of the ring, and states that are read and written alternately. So it
is recorded once for each combination, and from then on started with one call. A graph is used only for exactly what it
was recorded with: the same functions, memory and numbers. Values of live parameters are none of these: kernels read
them from memory (`kernels.codegen.cuda_launch.live_bytes`). What comes for the first time is launched one by one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from kernels.executors.base import PartError
from kernels.executors.device import Device, Graph, Stream

WORTH = 3
"""Launches, fills and copies of a batch from which on a graph is used unless said otherwise. With a driver that
does nothing (the work of Python and of this module alone) one launch takes the host 7 us, three 14 to 20 and four 29; a
graph takes 5 to 8, however many it holds. A driver takes longer to start a graph than a kernel, which eats the
difference for one launch or two."""

GRAPHS = 24
"""Graphs that are kept: three slots, two turns of the states, and a few lengths of batches."""


class Graphs:
    """Recorded work of one device, by what it was recorded with.

    Args:
        device: where.
        wanted: whether work is recorded at all.

    Attributes:
        wanted: likewise.
        trouble: why there are no graphs though they were wanted; "" if there is no reason.
        most: graphs that are kept.
        recorded, replayed: graphs, and how often one was started.
    """

    def __init__(self, device: Device, wanted: bool) -> None:
        self.device, self.wanted = device, wanted
        self.trouble = ""
        self.most = GRAPHS
        self.recorded = self.replayed = 0
        self._known: OrderedDict[Any, Graph | None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def start(self, key: Any, work: Callable[[Stream], object], stream: Stream) -> None:
        """Put work into a stream, by its graph if there is one.

        Args:
            key: of all that `work` depends on.
        """
        graph = self._graph(key, work, stream) if self.wanted else None
        if graph is None:
            work(stream)
        else:
            self.device.replay(graph, stream)
            self.replayed += 1

    def _graph(self, key: Any, work: Callable[[Stream], object], stream: Stream) -> Graph | None:
        """The graph of this very work, recorded if it comes for the second time; None where there is none."""
        # The first time only its key is kept: what comes once is not worth recording.
        if key not in self._known:
            self._known[key] = None
            if len(self._known) > self.most:
                self._known.popitem(last=False)
            return None
        self._known.move_to_end(key)
        graph = self._known[key]
        if graph is None:
            try:
                graph = self.device.capture(work, stream)
            except Exception as error:  # an old driver or CuPy; nothing has been done yet, and it goes without
                first = error.error if isinstance(error, PartError) else error
                self.wanted, self.trouble = False, " ".join(f"{type(first).__name__}: {first}".split())
                self._known.clear()
                return None
            self._known[key] = graph
            self.recorded += 1
        return graph
