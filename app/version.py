"""The version, in one place: the wheel, `fusetrack --version` and every summary read it here."""

__version__ = "0.1.0"
