"""Many clips through one pipeline: `driver.py` plans and reports, each clip has a process."""
