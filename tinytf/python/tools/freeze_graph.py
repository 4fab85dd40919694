"""TensorFlow's path to `freeze_graph`, which replaces variables by constants with a checkpoint's values."""

from tinytf._src.saved_model.tools.freezing import freeze_graph, freeze_graph_with_def_protos

__all__ = ["freeze_graph", "freeze_graph_with_def_protos"]
