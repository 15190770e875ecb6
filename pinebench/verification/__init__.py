"""Verifies the runtime: what a chart shows of a script is compared with a run of the same script on the same bars."""
