"""Layers: callable objects that own the variables of their computation."""
