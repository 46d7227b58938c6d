"""What Python programs call: `fusetrack.track`, `apply`, `Pipeline`, `open`, `live` and the analyses of tracks."""
