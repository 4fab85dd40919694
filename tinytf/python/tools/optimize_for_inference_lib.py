"""TensorFlow's path to frozen graphs made faster."""

from tinytf.saving.tools.inference import fold_batch_norms, fuse_resize_and_conv, optimize_for_inference

__all__ = ["fold_batch_norms", "fuse_resize_and_conv", "optimize_for_inference"]
