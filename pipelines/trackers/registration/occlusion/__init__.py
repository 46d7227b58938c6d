"""Windows that something covers, and where they are meanwhile."""
