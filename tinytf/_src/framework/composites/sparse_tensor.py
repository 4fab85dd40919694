"""`SparseTensor`: a tensor stored as the positions and values of its nonzero elements."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.composite_tensor import CompositeTensor
from tinytf._src.framework.composites.type_spec import BatchableTypeSpec, TensorSpec, without_first_dimension
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.eval_session import eval_session
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value_as_shape
from tinytf._src.framework.values.dtypes import DType
from tinytf._src.framework.values.tensor_like import TensorLike
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape


@tf_export("SparseTensorValue")
class SparseTensorValue(NamedTuple):
    """The value of a `SparseTensor` that a session returns or accepts as a feed."""

    indices: Any
    values: Any
    dense_shape: Any

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec.from_value(self)


@tf_export("SparseTensor", "sparse.SparseTensor")
class SparseTensor(TensorLike, CompositeTensor):
    """A sparse tensor in coordinate format: element `values[i]` at position `indices[i]`, zeros elsewhere.

    Args:
      indices: int64 matrix of shape [n, rank], positions in row-major order.
      values: vector of shape [n], of any type.
      dense_shape: int64 vector of shape [rank], the shape of the dense tensor.

    Raises:
      ValueError: if the static shapes of the arguments are inconsistent.

    Example:
      sp = tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1.0, 2.0], dense_shape=[3, 4])
    """

    __slots__ = ("_indices", "_values", "_dense_shape", "__weakref__", "__dict__")

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        from tinytf._src.framework.scopes.name_scope import name_scope
        from tinytf._src.framework.tensors.conversion import convert_to_tensor

        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            self._indices = convert_to_tensor(indices, name="indices", dtype=dtypes.int64)
            self._values = convert_to_tensor(values, name="values")
            self._dense_shape = convert_to_tensor(dense_shape, name="dense_shape", dtype=dtypes.int64)
        # Uses `dims`, because items of a shape are ints after `enable_v2_tensorshape`.
        count, rank = self._indices.get_shape().with_rank(2).dims or []
        (known_count,) = self._values.get_shape().with_rank(1).dims or []
        (known_rank,) = self._dense_shape.get_shape().with_rank(1).dims or []
        count.merge_with(known_count)
        rank.merge_with(known_rank)

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """Converts a value to a SparseTensor.

        Args:
          sparse_tensor_value: SparseTensorValue or SparseTensor.

        Returns:
          A new SparseTensor.

        Raises:
          TypeError: for values of other types.
        """
        if not isinstance(sparse_tensor_value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        value = sparse_tensor_value
        return cls(value.indices, value.values, value.dense_shape)

    @property
    def indices(self) -> Any:
        """The positions: int64 Tensor of shape [n, rank]."""
        return self._indices

    @property
    def values(self) -> Any:
        """The elements: Tensor of shape [n]."""
        return self._values

    @property
    def dense_shape(self) -> Any:
        """The shape of the dense tensor: int64 Tensor of shape [rank]."""
        return self._dense_shape

    def get_shape(self) -> TensorShape:
        """The static shape of the dense tensor, a TensorShape."""
        return constant_value_as_shape(self._dense_shape)

    @property
    def shape(self) -> TensorShape:
        """The same as `get_shape()`."""
        return self.get_shape()

    @property
    def op(self) -> Any:
        """The operation that produces `values`."""
        return self._values.op

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self._values.dtype

    @property
    def graph(self) -> Any:
        """The graph that contains the component tensors."""
        return self._indices.graph

    def consumers(self) -> list[Any]:
        """The operations that consume any of the component tensors."""
        parts = self._indices, self._values, self._dense_shape
        return list(dict.fromkeys(op for part in parts for op in part.consumers()))

    _consumers = consumers

    def eval(self, feed_dict: Any = None, session: Any = None) -> SparseTensorValue:
        """Evaluates the component tensors.

        Args:
          feed_dict: dict of fed values, as for `Session.run`.
          session: Session; None means the default session.

        Returns:
          SparseTensorValue.

        Raises:
          ValueError: if there is no default session, or the session has another graph.
        """
        try:
            session = eval_session(self.graph, session, "tensor")
            return SparseTensorValue(*session.run([self._indices, self._values, self._dense_shape], feed_dict))
        except REPORTED:
            leave_to_user()
            raise

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape, self.dtype)

    @staticmethod
    def _override_operator(operator: str, func: Any) -> None:
        """Installs a Python operator, for example "__mul__"."""
        setattr(SparseTensor, operator, func)

    def __str__(self) -> str:
        return f"SparseTensor(indices={self._indices}, values={self._values}, dense_shape={self._dense_shape})"


@tf_export("SparseTensorSpec")
class SparseTensorSpec(BatchableTypeSpec):
    """Describes sparse tensors by the shape of the dense tensor and the element type. Immutable.

    Args:
      shape: TensorShape or a value that it accepts; None means any shape.
      dtype: element type.

    Raises:
      TypeError: if `dtype` is not a type.
    """

    __slots__ = ("_shape", "_dtype")

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The specification of a sparse tensor.

        Args:
          value: SparseTensor or SparseTensorValue.

        Returns:
          SparseTensorSpec.

        Raises:
          TypeError: for values of other types.
        """
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        if not isinstance(value, SparseTensorValue):
            raise TypeError("Expected SparseTensor or SparseTensorValue")
        if isinstance(value.values, np.ndarray):
            return cls(value.dense_shape, value.values.dtype)
        return cls.from_value(SparseTensor.from_value(value))

    @property
    def shape(self) -> TensorShape:
        """The TensorShape of the dense tensor."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The element type, a DType."""
        return self._dtype

    @property
    def value_type(self) -> type:
        """The class SparseTensor."""
        return SparseTensor

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.ndims
        indices, dense_shape = TensorSpec([None, rank], dtypes.int64), TensorSpec([rank], dtypes.int64)
        return [indices, TensorSpec([None], self._dtype), dense_shape]

    def _to_components(self, value: Any) -> list[Any]:
        if isinstance(value, SparseTensorValue):
            value = SparseTensor.from_value(value)
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components: Any) -> Any:
        """Returns a SparseTensor, or a SparseTensorValue if all components are arrays."""
        if all(isinstance(part, np.ndarray) for part in components):
            return SparseTensorValue(*components)
        return SparseTensor(*components)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype

    def _batch(self, batch_size: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> SparseTensorSpec:
        return SparseTensorSpec(without_first_dimension(self._shape), self._dtype)


@tf_export("convert_to_tensor_or_sparse_tensor")
@called_by_users
def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Converts a value to a Tensor, or to a SparseTensor if it is sparse.

    Args:
      value: SparseTensor, SparseTensorValue, or a value that `tf.convert_to_tensor` accepts.
      dtype: element type that the result must have; None infers it.
      name: str, name of a constant that the conversion may create.

    Returns:
      Tensor or SparseTensor.

    Raises:
      RuntimeError: if `value` is sparse and has another type than `dtype`.
    """
    if not isinstance(value, (SparseTensor, SparseTensorValue)):
        from tinytf._src.framework.tensors.conversion import convert_to_tensor

        return convert_to_tensor(value, dtype=dtype, name=name)
    sparse = SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(sparse.dtype):
        wanted = dtypes.as_dtype(dtype).name
        raise RuntimeError(f"Sparse dtype: requested = {wanted}, actual = {sparse.dtype.name}")
    return sparse


def is_sparse(x: Any) -> bool:
    """Whether `x` is a `SparseTensor` or `SparseTensorValue`."""
    return isinstance(x, (SparseTensor, SparseTensorValue))
