"""`SparseTensor`: the elements of a tensor that are not zero, and where they are."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.constant_value import constant_value_as_shape
from tinytf.framework.dtypes import DType
from tinytf.framework.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf.framework.eval_session import eval_session
from tinytf.framework.tensor_like import TensorLike
from tinytf.framework.tensor_shape import TensorShape


@tf_export("SparseTensorValue")
class SparseTensorValue(NamedTuple):
    """What a session returns for, and accepts as, a `SparseTensor`."""

    indices: Any
    values: Any
    dense_shape: Any


@tf_export("SparseTensor", "sparse.SparseTensor")
class SparseTensor(TensorLike):
    """`values[i]` at position `indices[i]` of a tensor of shape `dense_shape`, zero elsewhere.

    `indices` is an int64 matrix [n, rank] in row-major order, `values` a vector of n elements, `dense_shape` an int64
    vector. Raises ValueError if their shapes contradict each other.
    """

    __slots__ = ("_indices", "_values", "_dense_shape", "__weakref__", "__dict__")

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        from tinytf.framework.conversion import convert_to_tensor
        from tinytf.framework.name_scope import name_scope

        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            self._indices = convert_to_tensor(indices, name="indices", dtype=dtypes.int64)
            self._values = convert_to_tensor(values, name="values")
            self._dense_shape = convert_to_tensor(dense_shape, name="dense_shape", dtype=dtypes.int64)
        # As dimensions, which elements of shapes are not after `enable_v2_tensorshape`.
        count, rank = self._indices.get_shape().with_rank(2).dims or []
        (known_count,) = self._values.get_shape().with_rank(1).dims or []
        (known_rank,) = self._dense_shape.get_shape().with_rank(1).dims or []
        count.merge_with(known_count)
        rank.merge_with(known_rank)

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A SparseTensor of a `SparseTensorValue` or of another one. Raises TypeError for anything else."""
        if not isinstance(sparse_tensor_value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        value = sparse_tensor_value
        return cls(value.indices, value.values, value.dense_shape)

    @property
    def indices(self) -> Any:
        """Where the elements are: int64, [n, rank]."""
        return self._indices

    @property
    def values(self) -> Any:
        """The elements: [n]."""
        return self._values

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense tensor: int64, [rank]."""
        return self._dense_shape

    def get_shape(self) -> TensorShape:
        """What is known of the shape of the dense tensor."""
        return constant_value_as_shape(self._dense_shape)

    @property
    def shape(self) -> TensorShape:
        """The same as `get_shape()`."""
        return self.get_shape()

    @property
    def op(self) -> Any:
        """The operation that yields `values`."""
        return self._values.op

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self._values.dtype

    @property
    def graph(self) -> Any:
        """The graph that holds the component tensors."""
        return self._indices.graph

    def consumers(self) -> list[Any]:
        """The operations that take any of the component tensors."""
        parts = self._indices, self._values, self._dense_shape
        return list(dict.fromkeys(op for part in parts for op in part.consumers()))

    _consumers = consumers

    def eval(self, feed_dict: Any = None, session: Any = None) -> SparseTensorValue:
        """Runs the components in `session`, or in the default session. ValueError as for `Tensor.eval`."""
        try:
            session = eval_session(self.graph, session, "tensor")
            return SparseTensorValue(*session.run([self._indices, self._values, self._dense_shape], feed_dict))
        except REPORTED:
            leave_to_user()
            raise

    @staticmethod
    def _override_operator(operator: str, func: Any) -> None:
        """Installs a Python operator, for example "__mul__"."""
        setattr(SparseTensor, operator, func)

    def __str__(self) -> str:
        return f"SparseTensor(indices={self._indices}, values={self._values}, dense_shape={self._dense_shape})"


@tf_export("convert_to_tensor_or_sparse_tensor")
@called_by_users
def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of `value`; a `SparseTensor` of a sparse tensor or its value.

    Raises RuntimeError if `value` is sparse and not of type `dtype`, otherwise as `convert_to_tensor`.
    """
    if not isinstance(value, (SparseTensor, SparseTensorValue)):
        from tinytf.framework.conversion import convert_to_tensor

        return convert_to_tensor(value, dtype=dtype, name=name)
    sparse = SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(sparse.dtype):
        wanted = dtypes.as_dtype(dtype).name
        raise RuntimeError(f"Sparse dtype: requested = {wanted}, actual = {sparse.dtype.name}")
    return sparse


def is_sparse(x: Any) -> bool:
    """Whether `x` is a `SparseTensor` or `SparseTensorValue`."""
    return isinstance(x, (SparseTensor, SparseTensorValue))
