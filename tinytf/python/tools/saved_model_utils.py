"""TensorFlow's path to functions that read a SavedModel's MetaGraphDefs."""

from tinytf._src.saved_model.tools.model_graphs import get_meta_graph_def, get_saved_model_tag_sets, read_saved_model

__all__ = ["get_meta_graph_def", "get_saved_model_tag_sets", "read_saved_model"]
