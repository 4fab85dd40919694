"""TensorFlow's path to graphs with the values of a checkpoint in place of their variables."""

from tinytf.saving.tools.freezing import freeze_graph, freeze_graph_with_def_protos

__all__ = ["freeze_graph", "freeze_graph_with_def_protos"]
