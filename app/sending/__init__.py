"""Tracks sent to other programs while they are found, for closed loops: stimulators, motors."""
