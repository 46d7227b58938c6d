"""What a window works with, without Qt: the engine in a process of its own, tracks, traces, edits of the pipeline."""
