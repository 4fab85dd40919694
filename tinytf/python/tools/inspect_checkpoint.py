"""TensorFlow's path to the printing of a checkpoint's tensors."""

from tinytf._src.saved_model.tools.printing import print_tensors_in_checkpoint_file

__all__ = ["print_tensors_in_checkpoint_file"]
