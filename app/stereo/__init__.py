"""Several cameras: their calibration as a file, boards in their clips, their tracks as places in space."""
