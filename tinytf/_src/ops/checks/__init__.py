"""Assertions about values and shapes."""
