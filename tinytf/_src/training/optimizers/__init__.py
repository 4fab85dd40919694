"""Optimizers: each creates the operations that update variables by gradients."""
