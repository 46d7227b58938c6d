"""The user's pipeline as it is edited: its stages, its history, its picture as a graph, two of them side by side."""
