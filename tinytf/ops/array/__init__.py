"""Ops that make tensors and arrange their elements."""
