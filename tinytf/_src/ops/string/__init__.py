"""Substrings and splits, lengths, and conversion of strings to numbers."""
