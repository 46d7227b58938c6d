"""Data channels in the window: their curves under the video, how they are read, and how they are aligned."""
