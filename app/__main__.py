"""`python -m fusetrack` (installed) and `python -m app` (in a checkout)."""

import sys

from app.cli import program

sys.exit(program())
