"""Peers, one library a file, loaded only where it is installed (extra `peers`).

Every module has `CONTENDERS`, a tuple of `app.benchmark.trackers.contender.Contender`.
"""
