"""Several cameras in the window: their calibration, and places in space of what they followed."""
