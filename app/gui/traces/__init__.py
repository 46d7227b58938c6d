"""Signals over time: the timeline, traces, spectra."""
