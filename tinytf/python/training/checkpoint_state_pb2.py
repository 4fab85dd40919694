"""TensorFlow's path to the message of the file `checkpoint`."""

from tinytf._src.protos import CheckpointState

__all__ = ["CheckpointState"]
