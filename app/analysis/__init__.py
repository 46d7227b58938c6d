"""What `fusetrack msd` shows: tables and figures of what tracks say."""
