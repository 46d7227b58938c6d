"""Tracks on their way out while they are found, for whoever closes a loop: stimulators, motors, other programs."""
