"""The tracks that the window holds: found, corrected, measured, in the user's units."""
