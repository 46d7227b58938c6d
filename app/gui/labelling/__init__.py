"""Labelling of key points: the panel, its training, what menus offer."""
