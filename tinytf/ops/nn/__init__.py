"""Ops of neural networks, and losses."""
