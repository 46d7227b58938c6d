"""The file formats of `fusetrack export`, one a file; `catalogue.py` lists them."""
