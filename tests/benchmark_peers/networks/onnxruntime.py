"""onnxruntime, CPU provider, all optimisations, its outputs in memory that stays."""

from __future__ import annotations

import numpy as np

from app.benchmark.networks.peers.base import Network, Prepared

try:
    import onnxruntime
except ImportError:  # the bench looks before it loads; others, such as doctest, may still read this module
    onnxruntime = None


def prepare(network: Network) -> Prepared:
    """A session with bound inputs and outputs."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = network.threads, 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(network.file), options, providers=["CPUExecutionProvider"])
    first = session.run(list(network.outputs), dict(network.inputs))
    # Its own outputs would be fresh pages, cleared by the system, in every run.
    results = {name: np.zeros_like(np.asarray(value)) for name, value in zip(network.outputs, first, strict=True)}
    binding = session.io_binding()
    for name, array in network.inputs.items():
        binding.bind_cpu_input(name, array)
    for name, array in results.items():
        binding.bind_output(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
    return Prepared(lambda: session.run_with_iobinding(binding), lambda: results, onnxruntime.__version__)
