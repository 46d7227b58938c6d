"""Several stages as one body, and a body as loops: what is between the language and the generated code."""
