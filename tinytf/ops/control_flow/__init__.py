"""What waits for what."""
