"""The tools of pinebench. Each capability is declared once, for the command line, scripts and models."""
