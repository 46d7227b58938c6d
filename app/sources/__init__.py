"""Where frames come from: camera files, videos, image sequences, arrays, simulated scenes."""
