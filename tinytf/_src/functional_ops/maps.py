"""`tf.map_fn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.functional_ops.elements import as_tensors, check_callable, elements_scope, stacked
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.control_flow.loops import while_loop
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray

__all__ = ["map_fn"]


@tf_export("map_fn")
@called_by_users
def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """Applies `fn` to each element of tensors along dimension 0, and stacks the results.

    In graph mode, `fn` is called once, to build the body of a loop; in eager mode, once per element.

    Args:
      fn: callable that takes an element, in the structure of `elems`, and returns Tensors in the structure of `dtype`.
      elems: Tensor, or nested structure of Tensors with equal size along dimension 0, whose slices are the elements.
      dtype: element types of the results, in their structure; None means the structure and types of `elems`.
      parallel_iterations: int, number of iterations that may run in parallel; None means 10. Ignored in eager mode.
      back_prop: bool, whether gradients are supported.
      swap_memory: bool, whether values kept for gradients may be swapped to host memory.
      infer_shape: bool, whether all results have the same shape, which is then checked.
      name: str, name scope of the operations.

    Returns:
      Tensor or nested structure of Tensors, in the structure of `dtype`.

    Raises:
      TypeError: if `fn` is not callable, or `elems` is a SparseTensor.
      ValueError: if `elems` contains a scalar.

    Example:
      squares = tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3]))
    """
    check_callable(fn)
    if isinstance(elems, SparseTensor):
        raise TypeError(
            "To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, fn(input.values), "
            "input.dense_shape) or  SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
        )
    if executing_eagerly():
        if parallel_iterations and parallel_iterations > 1:
            tf_logging.log_first_n(
                tf_logging.WARN,
                "Setting parallel_iterations > 1 has no effect when executing eagerly. Consider calling map_fn with "
                "tf.contrib.eager.defun to execute fn in parallel.",
                1,
            )
        parallel_iterations = 1
    given = nest.flatten(elems)
    with elements_scope(name, "map", given):
        tensors = as_tensors(given)
        types = dtype or nest.pack_sequence_as(elems, [tensor.dtype for tensor in tensors])
        if tensors[0].shape.ndims == 0:
            raise ValueError(
                "elems must be a 1+ dimensional Tensor, not a scalar"
                if len(tensors) == 1
                else "elements in elems must be 1+ dimensional Tensors, not scalars"
            )
        dims = tensors[0].shape.dims
        count = (dims[0].value if dims else None) or shape(tensors[0])[0]
        arrays = [TensorArray(tensor.dtype, count, dynamic_size=False) for tensor in tensors]
        arrays = [array.unstack(tensor) for array, tensor in zip(arrays, tensors, strict=True)]
        first = constant(0)
        results = [
            TensorArray(result, count, dynamic_size=False, infer_shape=infer_shape) for result in nest.flatten(types)
        ]

        def compute(i: Any, results: Any) -> Any:
            returned = fn(nest.pack_sequence_as(elems, [array.read(i) for array in arrays]))
            nest.assert_same_structure(types, returned)
            values = nest.flatten(returned)
            results = [array.write(i, value) for array, value in zip(results, values, strict=True)]
            return i + 1, results

        _, results = while_loop(
            lambda i, _: i < count,
            compute,
            (first, results),
            parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        return nest.pack_sequence_as(types, stacked(results, tensors))
