"""TensorFlow's path to op declarations."""

from tinytf._src.framework.graph.graph_def import registered_ops as get_registered_ops

__all__ = ["get_registered_ops"]
