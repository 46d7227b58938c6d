"""What else could compute the chains: a module a library, loaded only where the library is installed.

Every module has `CONTENDERS`: chain -> contender -> what makes it, and `set_threads`. The contender "opencv" is the
baseline: it computes what the chain says, and its output is compared.
"""
