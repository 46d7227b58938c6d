"""Published cost models of fused convolution layers, a file each: what they count, on any network."""
