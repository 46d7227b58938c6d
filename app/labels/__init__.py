"""Key points labelled by hand: what is known of them, and the files of the programs that make them."""
