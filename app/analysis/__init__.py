"""What `fusetrack msd`, `shapes` and `frf` show: tables and figures of what tracks say."""
