"""Peers, one library a file, loaded only where it is installed (extra `peers`).

Those that need more packages than fusetrack lie in `benchmark_peers/trackers/` of the repository. Every module has
`CONTENDERS`, a tuple of `app.benchmark.trackers.contender.Contender`.
"""
