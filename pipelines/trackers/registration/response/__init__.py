"""Linear responses of windows to small displacements, calibrated, as vibration is measured."""
