"""The tools for models: an MCP server over stdio or HTTP, on the official SDK."""
