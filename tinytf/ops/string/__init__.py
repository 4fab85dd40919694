"""Strings: their parts, their lengths, and the numbers that they are."""
