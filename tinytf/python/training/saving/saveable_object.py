"""TensorFlow's path to saveable objects."""

from tinytf.saving.saveables import SaveableObject, SaveSpec

__all__ = ["SaveSpec", "SaveableObject"]
