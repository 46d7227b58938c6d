"""The scenes, one a file; `app.sources.simulated.source.scenes` finds them."""
