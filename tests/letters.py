"""All letters that texts may have."""

from __future__ import annotations

from hypothesis import strategies as st

LETTERS = st.characters(exclude_categories=["Cs"])
"""What UTF-8 can write. Hypothesis draws from the same ones where nothing else is said, but finds out for each of a
million whether UTF-8 can, which takes each process two seconds in a fresh checkout."""
