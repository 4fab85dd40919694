"""Python functions as ops."""
