"""SparseTensors as messages, and kept in the session."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import colocate_with
from tinytf.framework.operation import Operation
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.framework.tensor import Tensor
from tinytf.ops.sparse.sparse_parts import converted

_KEEPING = ("AddSparseToTensorsMap", "AddManySparseToTensorsMap")


@tf_export("io.serialize_sparse", "serialize_sparse")
@called_by_users
def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """A SparseTensor as a vector of three strings: TensorProtos of its indices, values and shape; or of three variants with
    these tensors, where `out_type` is `tf.variant`. TypeError for anything
    else than a SparseTensor."""
    sparse = converted(sp_input)
    return gen_ops.serialize_sparse(sparse.indices, sparse.values, sparse.dense_shape, name=name, out_type=out_type)


@tf_export("io.serialize_many_sparse", "serialize_many_sparse")
@called_by_users
def serialize_many_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """The rows of a SparseTensor of two dimensions at least, which is in order, each as `serialize_sparse` has it: a
    string matrix [rows, 3], or one of variants. TypeError for anything else than a SparseTensor."""
    sparse = converted(sp_input)
    return gen_ops.serialize_many_sparse(
        sparse.indices, sparse.values, sparse.dense_shape, name=name, out_type=out_type
    )


@called_by_users
def deserialize_sparse(serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None) -> Any:
    """The SparseTensor of strings or variants as `serialize_sparse` makes them.

    Args:
      serialized_sparse: strings or variants [..., 3]; where there are more than three, the SparseTensor has as many
        dimensions more, in which they stand side by side.
      dtype: of the values.
      rank: of the SparseTensor, if it is known.

    Running it fails with InvalidArgumentError for what are no SparseTensors of that type.
    """
    return _of_rank(gen_ops.deserialize_sparse(serialized_sparse, dtype, name=name), rank)


@tf_export("io.deserialize_many_sparse", "deserialize_many_sparse")
@called_by_users
def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> Any:
    """A SparseTensor whose rows are those of a string matrix [n, 3] as `serialize_many_sparse` makes it. Its other sizes
    are the largest of its rows'.

    Args:
      dtype: of the values.
      rank: of a row, if it is known.

    Running it fails with InvalidArgumentError for strings that are no SparseTensors of that type and of one rank.
    """
    return _of_rank(gen_ops.deserialize_many_sparse(serialized_sparse, dtype, name=name), rank)


def add_sparse_to_tensors_map(sp_input: Any, shared_name: str | None = None) -> Tensor:
    """Keeps a SparseTensor in the session, in the map of that name or of the operation's: its number there, an int64
    scalar."""
    sparse = converted(sp_input)
    return gen_ops.add_sparse_to_tensors_map(
        sparse.indices, sparse.values, sparse.dense_shape, shared_name=shared_name or ""
    )


def add_many_sparse_to_tensors_map(sp_input: Any, shared_name: str | None = None) -> Tensor:
    """The same of the rows of a SparseTensor, which is in order: their numbers, an int64 vector."""
    sparse = converted(sp_input)
    return gen_ops.add_many_sparse_to_tensors_map(
        sparse.indices, sparse.values, sparse.dense_shape, shared_name=shared_name or ""
    )


def keeps_sparse_tensors(op: Operation) -> bool:
    """Whether the operation keeps SparseTensors in the session."""
    return op.type in _KEEPING


def take_many_sparse_from_tensors_map(sparse_map_op: Any, sparse_handles: Any, rank: int | None = None) -> SparseTensor:
    """The SparseTensors of some numbers, which leave the map, as rows of one.

    Args:
      sparse_map_op: the operation that put them there. TypeError for others.
      sparse_handles: the numbers, an int64 vector.
      rank: of the result, if it is known.
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
