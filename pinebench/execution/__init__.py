"""Scripts on bars as a whole: with a broker that trades for them, and whether what they showed stays."""
