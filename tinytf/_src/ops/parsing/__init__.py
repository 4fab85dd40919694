"""Parsing of Examples and other serialized values to tensors."""
