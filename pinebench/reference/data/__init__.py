"""The data of the reference: records in text files and plain tables, loaded on first use."""
