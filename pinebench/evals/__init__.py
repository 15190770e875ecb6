"""The benchmark of models that write Pine: tasks that are judged on hidden bars, the judge, and the runs of models."""
