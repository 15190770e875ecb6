"""Sources of bars, and the properties of the symbol that the bars belong to."""
