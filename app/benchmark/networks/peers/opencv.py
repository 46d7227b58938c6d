"""OpenCV's dnn module; from OpenCV 5 on the faster of its two engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.benchmark.networks.peers.base import Array, Network, Prepared, fastest
from kernels.opencv import cv2

ENGINES = {"classic engine": "ENGINE_CLASSIC", "new engine": "ENGINE_NEW"}


class _Net:
    """A network in one engine; outputs are fresh arrays in every run, which OpenCV cannot avoid."""

    def __init__(self, network: Network, *engine: Any) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(network.file), *engine)
        self._inputs, self._names = network.inputs, list(network.outputs)
        self.results: Mapping[str, Array] = {}

    def run(self) -> None:
        for name, array in self._inputs.items():
            self._net.setInput(array, name)
        self.results = dict(zip(self._names, self._net.forward(self._names), strict=True))


def prepare(network: Network) -> Prepared:
    """A network in the engine that is the fastest here."""
    cv2.setNumThreads(network.threads)
    engines = {note: getattr(cv2.dnn, name) for note, name in ENGINES.items() if hasattr(cv2.dnn, name)}
    made: dict[str, _Net] = {}

    def lazily(note: str, *engine: Any) -> Callable[[], object]:
        def run() -> None:
            if note not in made:
                made[note] = _Net(network, *engine)
            made[note].run()

        return run

    choices = {note: lazily(note, engine) for note, engine in engines.items()} or {"": lazily("")}
    note = fastest(choices)
    chosen = made[note]
    return Prepared(chosen.run, lambda: chosen.results, cv2.__version__, note)
