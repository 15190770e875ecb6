"""The data that completion sorts by."""
