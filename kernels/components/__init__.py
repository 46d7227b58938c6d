"""Connected components measured: regions, backgrounds, centres and outlines put together, as the stage does."""
