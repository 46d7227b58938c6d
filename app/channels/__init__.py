"""Data channels beside a clip: what an oscilloscope, a data logger or a microphone measured while it was taken."""
