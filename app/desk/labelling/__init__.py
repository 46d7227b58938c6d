"""Key points that are labelled by hand in a window: what is set, how it is kept, what is proposed next."""
