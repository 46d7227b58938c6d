"""Windows of a picture: interpolation, deformation, packing, texture."""
