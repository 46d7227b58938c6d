"""Simulated scenes: camera pictures with exactly known motion, for demonstrations, tests and benchmarks."""
