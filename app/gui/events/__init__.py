"""Named events in the window: marking them, their list, what can be done with them."""
