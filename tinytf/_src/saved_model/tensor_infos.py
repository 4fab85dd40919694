"""Builds and resolves `TensorInfo`s, the descriptions of tensors in signatures."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.scopes.name_scope import prepend_name_scope
from tinytf._src.framework.values import dtypes


@tf_export("saved_model.build_tensor_info", "saved_model.utils.build_tensor_info")
@called_by_users
def build_tensor_info(tensor: Any) -> Any:
    """Returns the `TensorInfo` of a tensor: dtype, shape and name.

    Args:
      tensor: a `Tensor` or `SparseTensor`.

    Raises:
      RuntimeError: in eager execution, where tensors have no names.
    """
    if executing_eagerly():
        raise RuntimeError("build_tensor_info is not supported in Eager mode.")
    info = protos.TensorInfo(
        dtype=dtypes.as_dtype(tensor.dtype).as_datatype_enum, tensor_shape=tensor.get_shape().as_proto()
    )
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


def build_tensor_info_from_op(op: Operation) -> Any:
    """Returns a `TensorInfo` that names an operation."""
    return protos.TensorInfo(name=op.name, tensor_shape=protos.TensorShapeProto(unknown_rank=True))


@tf_export("saved_model.get_tensor_from_tensor_info", "saved_model.utils.get_tensor_from_tensor_info")
@called_by_users
def get_tensor_from_tensor_info(tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None) -> Any:
    """Returns the tensor that a `TensorInfo` names.

    Args:
      tensor_info: a `TensorInfo`.
      graph: a `Graph`; None: the default graph.
      import_scope: name scope into which the model was imported, or None.

    Returns:
      A `Tensor` or `SparseTensor`.

    Raises:
      KeyError: if the graph has no tensor of that name.
      ValueError: if the message names no tensor.
    """
    graph = graph or get_default_graph()

    def tensor(name: str) -> Any:
        return graph.get_tensor_by_name(prepend_name_scope(name, import_scope))

    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return tensor(tensor_info.name)
    if encoding == "coo_sparse":
        names = tensor_info.coo_sparse
        return SparseTensor(
            tensor(names.indices_tensor_name),
            tensor(names.values_tensor_name),
            tensor(names.dense_shape_tensor_name),
        )
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")


def get_element_from_tensor_info(tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None) -> Any:
    """Returns the tensor or operation that a `TensorInfo` names."""
    graph = graph or get_default_graph()
    return graph.as_graph_element(prepend_name_scope(tensor_info.name, import_scope))
