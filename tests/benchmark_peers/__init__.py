"""What `fusetrack bench` compares with and needs another package for: a library a file, in a checkout only.

They are no part of the wheel: who measures fusetrack against them has the repository. `chains` has the modules of
`app.benchmark.peers.base`, `trackers` those of `app.benchmark.trackers.peers.base`, `networks` those of
`app.benchmark.networks.contender`; what OpenCV and SciPy can do is compared everywhere and lies there.
"""
