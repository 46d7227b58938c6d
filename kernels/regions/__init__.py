"""From masks to regions: runs, labels, backgrounds, and what makes a centre of mass unsure."""
