"""What networks give, as tables: heat-map peaks, anchors, coordinates, animals; and crops that follow."""
