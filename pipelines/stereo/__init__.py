"""Several cameras that see the same things: how each maps space to its picture, and places in space from theirs."""
