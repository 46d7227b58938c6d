"""Peers, one library a file, loaded only where it is installed (extra `peers`).

Those that need more packages than fusetrack lie in `tests/benchmark_peers/trackers/`. Every module has
`CONTENDERS`, a tuple of `app.benchmark.trackers.contender.Contender`.
"""
