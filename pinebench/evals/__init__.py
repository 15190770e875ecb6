"""The benchmark of models that write Pine: tasks with hidden behaviour, the judge, and the runs of models."""
