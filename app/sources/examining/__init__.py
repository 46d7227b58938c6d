"""What takes too long to be looked at whenever a clip is read: `fusetrack info --verify`."""
