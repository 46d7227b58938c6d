"""Which detection is which track's: gates, exact assignment, mergers, things out of sight; compiled."""
