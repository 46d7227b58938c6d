"""What tracks say about the things that move, without knowing the truth; one question a file."""
