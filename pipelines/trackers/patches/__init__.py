"""Windows of pixels found again: interpolation, fits, operators, references, where there is texture."""
