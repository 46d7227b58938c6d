"""OpenVINO on the processor, one stream, f32 where the file has f32; channels first or last, whichever is faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from app.benchmark.networks.peers.base import Array, Network, Prepared, fastest

try:
    import openvino
except ImportError:  # the bench looks before it loads; others, such as doctest, may still read this module
    openvino = None

FIRST, LAST = "", "channels last"


class _Request:
    """An infer request over memory that stays.

    Args:
        last: images go in and come out with channels last, as the library computes them, which spares it turning them.
    """

    def __init__(self, network: Network, last: bool) -> None:
        core = openvino.Core()
        model = core.read_model(network.file)
        model.reshape({name: list(array.shape) for name, array in network.inputs.items()})
        self._last = {name for name, array in network.inputs.items() if last and array.ndim == 4}
        shapes = {name: model.output(name).partial_shape for name in network.outputs}
        self._last |= {name for name, shape in shapes.items() if last and len(shape) == 4}
        if last and not self._last:
            raise ValueError("it has no images")
        exact = {"INFERENCE_NUM_THREADS": network.threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"}
        self._request = core.compile_model(self._turned(model, network), "CPU", exact).create_infer_request()
        self._given = {name: np.ascontiguousarray(array.transpose(0, 2, 3, 1)) if name in self._last else array
                       for name, array in network.inputs.items()}  # fmt: skip
        for name, array in self._given.items():  # the library looks at this memory in every run
            self._request.set_tensor(name, openvino.Tensor(array, shared_memory=True))
        self._request.infer()  # shapes of outputs that depend on the input are known then
        self._results: dict[str, Array] = {}
        for name in network.outputs:
            tensor = self._request.get_tensor(name)
            self._results[name] = np.zeros(list(tensor.shape), tensor.element_type.to_dtype())
            self._request.set_tensor(name, openvino.Tensor(self._results[name], shared_memory=True))

    def _turned(self, model: Any, network: Network) -> Any:
        if not self._last:
            return model
        processor = openvino.preprocess.PrePostProcessor(model)
        for name in self._last:
            end = processor.input(name) if name in network.inputs else processor.output(name)
            end.tensor().set_layout(openvino.Layout("NHWC"))
            end.model().set_layout(openvino.Layout("NCHW"))
        return processor.build()

    def run(self) -> None:
        self._request.infer(share_outputs=True)

    @property
    def outputs(self) -> Mapping[str, Array]:
        return {name: array.transpose(0, 3, 1, 2) if name in self._last else array
                for name, array in self._results.items()}  # fmt: skip


def prepare(network: Network) -> Prepared:
    """The faster of two requests."""
    made: dict[str, _Request] = {}

    def lazily(note: str) -> Callable[[], object]:
        def run() -> None:
            if note not in made:
                made[note] = _Request(network, note == LAST)
            made[note].run()

        return run

    note = fastest({name: lazily(name) for name in (FIRST, LAST)})
    chosen = made[note]
    return Prepared(chosen.run, lambda: chosen.outputs, openvino.__version__.split("-")[0], note)
