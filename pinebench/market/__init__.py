"""Where bars come from, and what is known about the symbol that they belong to."""
