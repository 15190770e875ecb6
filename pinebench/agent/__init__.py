"""The conversation with Claude about charts and scripts, in which Claude uses the tools."""
