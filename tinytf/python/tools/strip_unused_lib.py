"""TensorFlow's path to the extraction of the subgraph between given input and output nodes."""

from tinytf._src.saved_model.tools.stripping import strip_unused, strip_unused_from_files

__all__ = ["strip_unused", "strip_unused_from_files"]
