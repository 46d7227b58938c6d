"""From loop nests to program text; no device is touched here."""
