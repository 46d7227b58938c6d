"""Engines for networks; see `app.benchmark.networks.peers`."""
