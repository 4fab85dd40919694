"""Functions that are called with one element after the other."""
