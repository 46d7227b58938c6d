"""Figures by matplotlib: how they look, how they are written. What they show is drawn beside what they show."""
