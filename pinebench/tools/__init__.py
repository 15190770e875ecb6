"""Every capability of pinebench as a tool that is declared once, for the command line, scripts and models alike."""
