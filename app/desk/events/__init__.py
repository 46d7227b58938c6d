"""Events: frames of a clip that the user has marked and named."""
