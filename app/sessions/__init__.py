"""Recording sessions: one MCAP file each, written by a process of its own, proved frame by frame."""
