"""TensorFlow's path to graphs of files in files of events."""

from tinytf.events.imported_graph import import_to_tensorboard

__all__ = ["import_to_tensorboard"]
