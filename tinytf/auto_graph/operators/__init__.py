"""The operators that rewritten functions call: each does what Python does, unless tensors decide."""
