"""The chart server: MCP over HTTP for clients on other computers, protected by OAuth."""
