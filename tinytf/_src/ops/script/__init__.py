"""Ops that call Python functions."""
