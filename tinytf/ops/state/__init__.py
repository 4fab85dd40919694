"""Assignments to variables, whole or in slices."""
