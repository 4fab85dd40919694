"""TensorFlow's path to the declarations of ops."""

from tinytf.framework.graph_def import registered_ops as get_registered_ops

__all__ = ["get_registered_ops"]
