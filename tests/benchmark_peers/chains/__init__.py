"""Chains of kernels by Numba and Halide; see `app.benchmark.peers`."""
