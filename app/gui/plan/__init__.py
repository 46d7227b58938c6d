"""Plans, generated code and proofs in the window."""
