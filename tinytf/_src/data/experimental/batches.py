"""Batches of mapped elements, and sparse batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.dataset import UnaryDataset
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.data.kinds.arguments import boolean, int64
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensorSpec
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.tensors.conversion import convert_to_tensor, internal_convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.platform.deprecation import deprecated


@tf_export("data.experimental.dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Callable[[Any], Any]:
    """Joins elements of different shapes to sparse tensors.

    Args:
      batch_size: int or int64 tensor, number of elements of a batch.
      row_shape: TensorShape or int64 vector, the shape of one element in the result; elements have its rank and are not
        larger. None and -1 mean the largest size in the batch.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return _DenseToSparseBatchDataset(dataset, batch_size, row_shape)

    return transformation


@tf_export("data.experimental.map_and_batch_with_legacy_function")
@called_by_users
@deprecated(None, "Use `tf.data.experimental.map_and_batch()")
def map_and_batch_with_legacy_function(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> Callable[[Any], Any]:
    """Calls a function for each element and joins the results, as `map_and_batch` did in earlier versions: no control
    flow of TensorFlow 2 in the function.

    Args:
      map_func: as in `map_and_batch`.
      batch_size: as in `map_and_batch`.
      num_parallel_batches: as in `map_and_batch`.
      drop_remainder: as in `map_and_batch`.
      num_parallel_calls: as in `map_and_batch`.

    Returns:
      Function for `tf.data.Dataset.apply`.

    Raises:
      ValueError: if both `num_parallel_batches` and `num_parallel_calls` are given.
    """
    calls = _parallel_calls(batch_size, num_parallel_batches, num_parallel_calls)

    def transformation(dataset: Any) -> Any:
        return _MapAndBatchDataset(dataset, map_func, batch_size, calls, drop_remainder, use_legacy_function=True)

    return transformation


@tf_export("data.experimental.map_and_batch")
@called_by_users
@deprecated(
    None,
    "Use `tf.data.Dataset.map(map_func, num_parallel_calls)` followed by `tf.data.Dataset.batch(batch_size, "
    "drop_remainder)`. Static tf.data optimizations will take care of using the fused implementation.",
)
def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> Callable[[Any], Any]:
    """Calls a function for each element and joins the results.

    Args:
      map_func: takes an element as in `tf.data.Dataset.map`; returns a nested structure of tensors.
      batch_size: int or int64 tensor, number of elements of a batch.
      num_parallel_batches: int or int64 tensor, how many batches are made at once; None means one.
      drop_remainder: bool or bool tensor, whether a smaller batch at the end is left out.
      num_parallel_calls: int or int64 tensor, how many calls run at once; `tf.data.experimental.AUTOTUNE` lets the
        engine choose; None means the elements of `num_parallel_batches` batches.

    Returns:
      Function for `tf.data.Dataset.apply`.

    Raises:
      ValueError: if both `num_parallel_batches` and `num_parallel_calls` are given.
    """
    calls = _parallel_calls(batch_size, num_parallel_batches, num_parallel_calls)

    def transformation(dataset: Any) -> Any:
        return _MapAndBatchDataset(dataset, map_func, batch_size, calls, drop_remainder)

    return transformation


def _parallel_calls(batch_size: Any, num_parallel_batches: Any, num_parallel_calls: Any) -> Any:
    if num_parallel_batches is None:
        return batch_size if num_parallel_calls is None else num_parallel_calls
    if num_parallel_calls is not None:
        raise ValueError("The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.")
    return batch_size * num_parallel_batches


class _DenseToSparseBatchDataset(UnaryDataset):
    def __init__(self, input_dataset: Any, batch_size: Any, row_shape: Any) -> None:
        kind = structure.legacy_types(input_dataset.element_spec)
        if not isinstance(kind, dtypes.DType):
            raise TypeError(
                "DenseToSparseDataset requires an input whose elements have a single component, whereas the input has "
                f"{kind!r}."
            )
        self._structure = SparseTensorSpec(TensorShape([None]).concatenate(row_shape), kind)
        variant, row = input_dataset._variant_tensor, _shape_vector(row_shape)
        batches = gen_ops.dense_to_sparse_batch_dataset(variant, batch_size, row_shape=row, **self._flat_structure)
        super().__init__(input_dataset, batches)

    @property
    def element_spec(self) -> Any:
        """The specification of a batch."""
        return self._structure


def _shape_vector(shape: Any) -> Any:
    """Returns a shape as an int64 vector, with -1 for unknown sizes."""
    try:
        sizes = as_shape(shape).as_list()
        return convert_to_tensor([-1 if size is None else size for size in sizes], dtype=dtypes.int64)
    except (TypeError, ValueError):
        vector = internal_convert_to_tensor(shape, preferred_dtype=dtypes.int64)
    kind = f"The given shape {shape} must be a 1-D tensor of tf.int64 values, but the"
    if vector.shape.dims is not None and len(vector.shape.dims) != 1:
        raise ValueError(f"{kind} shape was {vector.shape}.")
    if vector.dtype != dtypes.int64:
        raise TypeError(f"{kind} element type was {vector.dtype.name}.")
    return vector


class _MapAndBatchDataset(UnaryDataset):
    def __init__(
        self,
        input_dataset: Any,
        map_func: Callable[..., Any],
        batch_size: Any,
        num_parallel_calls: Any,
        drop_remainder: Any,
        use_legacy_function: bool = False,
    ) -> None:
        self._map_func = StructuredFunctionWrapper(
            map_func,
            "tf.data.experimental.map_and_batch()",
            dataset=input_dataset,
            use_legacy_function=use_legacy_function,
        )
        batch_size = int64(batch_size, "batch_size")
        calls = int64(num_parallel_calls, "num_parallel_calls")
        drops = boolean(drop_remainder, "drop_remainder")
        size = constant_value(batch_size) if constant_value(drops) else None
        self._structure = nest.map_structure(lambda spec: spec._batch(size), self._map_func.output_structure)
        function = self._map_func.function
        batches = gen_ops.map_and_batch_dataset(
            input_dataset._variant_tensor,
            function.captured_inputs,
            f=function,
            batch_size=batch_size,
            num_parallel_calls=calls,
            drop_remainder=drops,
            preserve_cardinality=True,
            **self._flat_structure,
        )
        super().__init__(input_dataset, batches)

    def _functions(self) -> list[Any]:
        return [self._map_func]

    @property
    def element_spec(self) -> Any:
        """The specification of a batch."""
        return self._structure
