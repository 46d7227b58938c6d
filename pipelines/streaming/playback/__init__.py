"""A clip or a session through a pipeline back and forth, with changes at their frames."""
