"""Assignments to variables and to slices of variables."""
