"""Queues, staging areas, accumulators, TensorArrays and tensors that are kept in sessions."""
