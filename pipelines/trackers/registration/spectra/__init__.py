"""Spectra of motion while it is measured."""
