"""The engine in a process of its own: orders to it, reports and pictures from it, how fast it goes."""
