"""Who runs a network: a module a contender, loaded only in the process of its own (`app.benchmark.networks.process`).

Each has `prepare(network: Network) -> Prepared` and may raise anything that its library raises.
"""
