"""The shipped image stages, one a file; `kernels.plugins.registry` finds them by looking here."""
