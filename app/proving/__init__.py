"""Proof that fused programs give what the stages and the reference give, on frames of a clip."""
