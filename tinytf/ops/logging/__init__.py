"""Assertions and prints."""
