"""Recurrent neural networks: cells, and functions that unroll them over sequences."""
