"""TensorFlow's path to frozen graphs made faster."""

from tinytf.saving.tools.inference import fold_batch_norms, optimize_for_inference

__all__ = ["fold_batch_norms", "optimize_for_inference"]
