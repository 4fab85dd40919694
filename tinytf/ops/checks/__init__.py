"""Checks of values and shapes."""
