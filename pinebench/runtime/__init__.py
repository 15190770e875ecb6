"""A checked `Program` runs on bars: typed form, generated Python, and what the built-ins compute."""
