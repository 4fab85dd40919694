"""The operators that rewritten functions call: each has Python's semantics unless its operands are tensors
of a graph."""
