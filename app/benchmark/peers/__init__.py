"""What else could compute the chains: a module a library.

Those that need more packages than fusetrack lie in `tests/benchmark_peers/chains/` of the repository, loaded only
where these are installed. Every module has `CONTENDERS`: chain -> contender -> what makes it, and `set_threads`. The
contender "opencv" is the baseline: it computes what the chain says, and its output is compared.
"""
