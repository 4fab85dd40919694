"""TensorFlow's path to graphs cut down to what leads from some nodes to others."""

from tinytf.saving.tools.stripping import strip_unused, strip_unused_from_files

__all__ = ["strip_unused", "strip_unused_from_files"]
