"""TensorFlow's path to the conversion of graph files to event files."""

from tinytf._src.summary.imported_graph import import_to_tensorboard

__all__ = ["import_to_tensorboard"]
