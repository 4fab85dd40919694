"""`tf.contrib.staging`: tuples of tensors on their way from one part of a program to another."""

from tinytf.python.missing import no_other_names
from tinytf.python.ops.data_flow_ops import StagingArea

__all__ = ["StagingArea"]
__getattr__ = no_other_names(__name__)
