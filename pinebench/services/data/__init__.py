"""Statistics about real scripts, by which completions are sorted."""
