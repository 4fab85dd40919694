"""`tf.map_fn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import nest, tf_logging
from tinytf.framework.constant_op import constant
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.functional.elements import as_tensors, check_callable, elements_scope, stacked
from tinytf.ops.array.shape_ops import shape
from tinytf.ops.control_flow.loops import while_loop
from tinytf.ops.data_flow.tensor_array_ops import TensorArray

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
    """What `fn` returns for each element of `elems` along the first dimension, stacked.

    Args:
      fn: takes an element, in the structure of `elems`, and returns tensors in the structure of `dtype`.
      elems: a tensor, or a structure of tensors of one first dimension.
      dtype: the types of what `fn` returns, in a structure; those of `elems` if it is None.
      parallel_iterations: how many calls may run at a time: 10, or 1 where operations are executed.
      back_prop: whether it can be differentiated.
      swap_memory: whether what gradients need may be kept elsewhere than where it was computed.
      infer_shape: whether all results have one shape.
      name: of the name scope.

    TypeError for an `fn` that is no function and for SparseTensors, ValueError for scalars. `fn` is called once, to build
    the body of a loop; in eager execution once for each element.
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
