"""Inverse compositional Lucas-Kanade fits of windows."""
