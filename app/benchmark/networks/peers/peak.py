"""The fused multiply-adds of f32 that so many threads make, and nothing else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from app.benchmark.networks.peers.base import Network, Prepared
from app.version import __version__
from kernels.executors.machine import Machine
from kernels.executors.peak import PeakLoop


def prepare(network: Network) -> Prepared:
    """A loop a thread, all at the same time."""
    loop = PeakLoop(Machine())
    if network.threads == 1:
        return Prepared(loop, dict, __version__, macs=loop.macs)
    pool = ThreadPoolExecutor(network.threads - 1)

    def run() -> None:
        others = [pool.submit(loop) for _ in range(network.threads - 1)]
        loop()
        for other in others:
            other.result()

    return Prepared(run, dict, __version__, macs=network.threads * loop.macs)
