"""fusetrack: the network alone, as one program of the cpu back end."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.benchmark.networks.peers.base import Array, Network, Prepared
from app.version import __version__
from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.fusion.algebra import simplified
from kernels.ir.image import ImageType
from kernels.networks.bodies import frame_of, model_body
from kernels.networks.onnx_reader import read


def prepare(network: Network, exact: bool = True) -> Prepared:
    """A program, its outputs in memory that stays.

    Args:
        exact: as the network says it; else with what `fusetrack run --fast` rewrites.

    Raises:
        DefinitionError: the network is not understood, the back end leaves it to the reference, or nothing is
            rewritten for a CPU.
    """
    made = model_body(read(network.file), {name: array.shape for name, array in network.inputs.items()})
    body, done = simplified(made.body, exact)
    if not exact and all(rewriting.kind == "tensor" for rewriting in done):
        raise DefinitionError("nothing in it is computed in another way with --fast")
    program = executor("cpu", network.threads).compile(body)
    reason = getattr(program, "reason", "")
    if reason:
        raise DefinitionError(f"only the reference runs it, which is not timed: {reason}")
    frames = [frame_of(array)[np.newaxis] for array in network.inputs.values()]
    out: dict[str, Array] = {}
    for output in made.body.outputs:
        assert isinstance(output.type, ImageType)
        out[output.name] = np.zeros((1, *output.type.shape), output.type.dtype.numpy)

    def outputs() -> Mapping[str, Array]:
        return {name: made.values(name, out[name][0]) for name in network.outputs}

    return Prepared(lambda: program.run(frames, {}, out), outputs, __version__)
