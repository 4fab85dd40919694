"""TensorFlow's path to what a checkpoint has, printed."""

from tinytf.saving.tools.printing import print_tensors_in_checkpoint_file

__all__ = ["print_tensors_in_checkpoint_file"]
