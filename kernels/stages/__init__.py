"""The shipped image stages, one a file; `kernels.stage.registry` finds them by looking here."""
