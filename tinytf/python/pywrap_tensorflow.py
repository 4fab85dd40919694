"""TensorFlow's path to what reads checkpoints."""

from tinytf.saving.checkpoint_reader import new_checkpoint_reader as NewCheckpointReader

__all__ = ["NewCheckpointReader"]
