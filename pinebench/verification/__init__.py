"""Verifies the runtime: it compares the values on a chart with a run of the same script on the same bars."""
