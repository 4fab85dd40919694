"""`tf.contrib.staging`: tuples of tensors on their way from one part of a program to another."""

from tinytf.python.ops.data_flow_ops import StagingArea

__all__ = ["StagingArea"]
