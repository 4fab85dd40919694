"""TensorFlow's path to the checkpoint reader."""

from tinytf._src.checkpoint.checkpoint_reader import new_checkpoint_reader as NewCheckpointReader

__all__ = ["NewCheckpointReader"]
