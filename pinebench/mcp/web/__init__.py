"""The chart server: MCP over HTTP for clients of other computers, behind OAuth."""
