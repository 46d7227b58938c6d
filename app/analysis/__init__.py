"""What `fusetrack msd` and `fusetrack shapes` show: tables and figures of what tracks say."""
