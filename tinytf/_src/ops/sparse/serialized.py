"""SparseTensors that are serialized, or kept in the session."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.sparse.sparse_parts import converted

_KEEPING = ("AddSparseToTensorsMap", "AddManySparseToTensorsMap")


@tf_export("io.serialize_sparse", "serialize_sparse")
@called_by_users
def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """Serializes a SparseTensor.

    Args:
      sp_input: SparseTensor.
      name: optional name of the operation.
      out_type: string for serialized TensorProtos, or variant.

    Returns:
      A vector [3] with indices, values and dense shape.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
    """
    sparse = converted(sp_input)
    return gen_ops.serialize_sparse(sparse.indices, sparse.values, sparse.dense_shape, name=name, out_type=out_type)


@tf_export("io.serialize_many_sparse", "serialize_many_sparse")
@called_by_users
def serialize_many_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """Serializes each row of a SparseTensor.

    Args:
      sp_input: SparseTensor of rank 2 or more with sorted indices.
      name: optional name of the operation.
      out_type: string for serialized TensorProtos, or variant.

    Returns:
      A matrix [rows, 3] whose rows are as in `serialize_sparse`.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
    """
    sparse = converted(sp_input)
    return gen_ops.serialize_many_sparse(
        sparse.indices, sparse.values, sparse.dense_shape, name=name, out_type=out_type
    )


@called_by_users
def deserialize_sparse(serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None) -> Any:
    """Deserializes SparseTensors; invalid input raises InvalidArgumentError at run time.

    Args:
      serialized_sparse: string or variant tensor [..., 3]; leading dimensions become leading dimensions of the result.
      dtype: dtype of the values.
      rank: optional int, rank of the result.
      name: optional name of the operation.

    Returns:
      A SparseTensor.
    """
    return _of_rank(gen_ops.deserialize_sparse(serialized_sparse, dtype, name=name), rank)


@tf_export("io.deserialize_many_sparse", "deserialize_many_sparse")
@called_by_users
def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> Any:
    """Deserializes the rows of a SparseTensor; invalid input, or rows of different ranks, raise InvalidArgumentError at
    run time.

    Args:
      serialized_sparse: string matrix [n, 3] as from `serialize_many_sparse`.
      dtype: dtype of the values.
      rank: optional int, rank of a row.
      name: optional name of the operation.

    Returns:
      A SparseTensor whose other sizes are the largest of its rows.
    """
    return _of_rank(gen_ops.deserialize_many_sparse(serialized_sparse, dtype, name=name), rank)


def add_sparse_to_tensors_map(sp_input: Any, shared_name: str | None = None) -> Tensor:
    """Stores a SparseTensor in a map owned by the session, named `shared_name` or after the operation.

    Returns its key in the map, an int64 scalar.
    """
    sparse = converted(sp_input)
    return gen_ops.add_sparse_to_tensors_map(
        sparse.indices, sparse.values, sparse.dense_shape, shared_name=shared_name or ""
    )


def add_many_sparse_to_tensors_map(sp_input: Any, shared_name: str | None = None) -> Tensor:
    """Stores the rows of a SparseTensor with sorted indices in such a map; returns their keys, an int64 vector."""
    sparse = converted(sp_input)
    return gen_ops.add_many_sparse_to_tensors_map(
        sparse.indices, sparse.values, sparse.dense_shape, shared_name=shared_name or ""
    )


def keeps_sparse_tensors(op: Operation) -> bool:
    """Returns whether the operation stores SparseTensors in the session."""
    return op.type in _KEEPING


def take_many_sparse_from_tensors_map(sparse_map_op: Any, sparse_handles: Any, rank: int | None = None) -> SparseTensor:
    """Removes SparseTensors from a map and stacks them as rows of one.

    Args:
      sparse_map_op: operation that stored them; TypeError for any other operation.
      sparse_handles: int64 vector of keys.
      rank: optional int, rank of the result.
    """
    if not isinstance(sparse_map_op, Operation):
        raise TypeError("sparse_map_op be an Operation")
    if not keeps_sparse_tensors(sparse_map_op):
        raise TypeError(
            "sparse_map_op must be one of AddSparseToTensorsMap or AddSparseToTensorsMap. "
            f"Instead, found `{sparse_map_op.type}`."
        )
    with colocate_with(sparse_map_op):
        taken = gen_ops.take_many_sparse_from_tensors_map(
            sparse_handles,
            dtype=sparse_map_op.get_attr("T"),
            container=_text(sparse_map_op.get_attr("container")),
            shared_name=_text(sparse_map_op.get_attr("shared_name")) or sparse_map_op.name,
        )
    return _of_rank(taken, rank)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _of_rank(parts: Any, rank: int | None) -> SparseTensor:
    indices, values, shape = parts
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)
