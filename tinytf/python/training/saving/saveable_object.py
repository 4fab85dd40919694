"""TensorFlow's path to saveable objects."""

from tinytf._src.checkpoint.saveables import SaveableObject, SaveSpec

__all__ = ["SaveSpec", "SaveableObject"]
