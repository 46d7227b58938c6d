"""What runs a body: the NumPy reference (the meaning) and, beside it, the fast back ends."""
