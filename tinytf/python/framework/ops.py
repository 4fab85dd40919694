"""TensorFlow's path to graphs, operations and tensors, and to the functions that work on the default graph."""

from tinytf.framework.conversion import (
    convert_n_to_tensor,
    convert_n_to_tensor_or_indexed_slices,
    convert_to_tensor,
    convert_to_tensor_or_indexed_slices,
    internal_convert_n_to_tensor,
    internal_convert_to_tensor,
    internal_convert_to_tensor_or_indexed_slices,
    register_tensor_conversion_function,
)
from tinytf.framework.graph import (
    Graph,
    get_default_graph,
    get_default_session,
    has_default_graph,
    reset_default_graph,
)
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.indexed_slices import IndexedSlices, IndexedSlicesValue
from tinytf.framework.name_scope import (
    add_to_collection,
    add_to_collections,
    colocate_with,
    container,
    control_dependencies,
    device,
    get_collection,
    get_collection_ref,
    name_scope,
    op_scope,
    prepend_name_scope,
    strip_name_scope,
)
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.gradients.registry import NoGradient, NotDifferentiable, RegisterGradient, get_gradient_function

__all__ = [
    "Graph",
    "GraphKeys",
    "IndexedSlices",
    "IndexedSlicesValue",
    "NoGradient",
    "NotDifferentiable",
    "Operation",
    "RegisterGradient",
    "Tensor",
    "add_to_collection",
    "add_to_collections",
    "colocate_with",
    "container",
    "control_dependencies",
    "convert_n_to_tensor",
    "convert_n_to_tensor_or_indexed_slices",
    "convert_to_tensor",
    "convert_to_tensor_or_indexed_slices",
    "device",
    "get_collection",
    "get_collection_ref",
    "get_default_graph",
    "get_default_session",
    "get_gradient_function",
    "has_default_graph",
    "internal_convert_n_to_tensor",
    "internal_convert_to_tensor",
    "internal_convert_to_tensor_or_indexed_slices",
    "name_scope",
    "op_scope",
    "prepend_name_scope",
    "register_tensor_conversion_function",
    "reset_default_graph",
    "strip_name_scope",
]
