"""fusetrack: a frame of a camera through the whole engine, stretched to the network's size and scaled on the way."""

from __future__ import annotations

from dataclasses import replace

from app.benchmark.clips import frames
from app.benchmark.networks.peers.base import Network, Prepared
from app.benchmark.ours import bound_to, own
from app.version import __version__
from kernels.errors import DefinitionError
from pipelines.definition import loads

SIZE = 512
"""Height and width of the frame, px."""
NODE = "network"
MOST_CHANNELS = 4
"""Of what a camera gives."""


def prepare(network: Network) -> Prepared:
    """An engine whose pipeline is the stage `network` alone, all of whose outputs are kept.

    Raises:
        DefinitionError: the network does not take pictures, or the back end leaves something to the reference.
    """
    shapes = [array.shape for array in network.inputs.values()]
    if len(shapes) != 1 or len(shapes[0]) != 4 or shapes[0][1] > MOST_CHANNELS:
        raise DefinitionError("it takes no picture")
    clip = frames(shapes[0][1], 1, SIZE, SIZE)
    pipeline = replace(loads(f"[stages.{NODE}]\n", NODE).with_settings({f"{NODE}.model": str(network.file)}))
    refs = tuple(ref for ref in bound_to(pipeline, clip).types if ref.node == NODE)
    made = own(replace(pipeline, taps=refs), clip, "cpu", network.threads, fused=True)
    if made.fallbacks:
        raise DefinitionError(f"only the reference runs it, which is not timed: {made.fallbacks[0]}")
    return Prepared(made.run, dict, __version__)
