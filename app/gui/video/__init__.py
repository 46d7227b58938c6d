"""The picture, what is drawn over it, and how it is looked at."""
