"""TensorFlow's path to optimizations of frozen graphs."""

from tinytf._src.saved_model.tools.inference import (
    ensure_graph_is_valid,
    fold_batch_norms,
    fuse_resize_and_conv,
    node_from_map,
    node_name_from_input,
    optimize_for_inference,
    values_from_const,
)

__all__ = [
    "ensure_graph_is_valid",
    "fold_batch_norms",
    "fuse_resize_and_conv",
    "node_from_map",
    "node_name_from_input",
    "optimize_for_inference",
    "values_from_const",
]
