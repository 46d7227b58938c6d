"""`python -m fusetrack` (installed) and `python -m app` (in a checkout)."""

from app.cli import program
from app.ending import leave

leave(program())
