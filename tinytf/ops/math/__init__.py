"""Ops that compute with numbers, element by element or over dimensions."""
