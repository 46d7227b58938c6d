"""Several stages as one body, and a body as loops: what stands between the language and the generated code."""
