"""Windows found again far away: coarse to fine, and to whole pixels by cross-correlation."""
