"""Ops that compute with numbers, elementwise or along axes."""
