"""Queues, and tensors that stay in sessions."""
