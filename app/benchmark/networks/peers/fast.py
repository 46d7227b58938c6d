"""fusetrack with --fast: layers that may be computed in another way within a stated bound."""

from __future__ import annotations

from app.benchmark.networks.peers import fusetrack
from app.benchmark.networks.peers.base import Network, Prepared


def prepare(network: Network) -> Prepared:
    """See `fusetrack.prepare`.

    Raises:
        DefinitionError: also where that is nothing else.
    """
    return fusetrack.prepare(network, exact=False)
