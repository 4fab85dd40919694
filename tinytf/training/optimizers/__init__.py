"""Optimizers: each adds the operations that change variables by their gradients."""
