"""Scripts on bars as a whole: whether what they showed stays, and whether it is what was expected."""
