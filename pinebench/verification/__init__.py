"""Verifies the runtime: it compares what a chart shows for a script with a run of the same script on the same bars."""
