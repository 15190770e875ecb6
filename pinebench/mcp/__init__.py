"""An MCP server that offers the tools to models over stdio or HTTP, built on the official SDK."""
