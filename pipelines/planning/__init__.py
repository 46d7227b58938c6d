"""Planning: which stages become one kernel, with which tiles, and why."""
