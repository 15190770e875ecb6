"""What completion sorts by."""
