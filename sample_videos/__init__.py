"""Small simulated clips with their exact truth; README.md says what each shows and how to make it again."""
