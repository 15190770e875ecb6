"""Inspects runs: the values of every name and call on every bar, the bars on which they changed, and the lines that
made or changed a drawing."""
