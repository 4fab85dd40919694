"""Recurrent nets: cells, and functions that run them over sequences."""
