"""Files that lie beside a clip and hold what was made of it by hand: corrections, events."""
