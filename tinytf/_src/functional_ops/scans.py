"""`tf.scan`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.functional_ops.elements import as_tensors, check_callable, elements_scope, first_dimension, stacked
from tinytf._src.ops.control_flow.loops import while_loop
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray

__all__ = ["scan"]


@tf_export("scan")
@called_by_users
def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Like `tf.foldl`, but returns all intermediate results, stacked along dimension 0.

    In graph mode, `fn` is called once, to build the body of a loop; in eager mode, once per element.

    Args:
      fn: callable `(accumulated, element)` that returns the next accumulated value, in the structure of `initializer`
        (or of `elems` without one); `element` has the structure of `elems`.
      elems: Tensor, or nested structure of Tensors with equal size along dimension 0, whose slices are the elements.
      initializer: Tensor or nested structure, the first accumulated value; None means the first element, which is then
        also the first result.
      parallel_iterations: int, number of iterations that may run in parallel.
      back_prop: bool, whether gradients are supported.
      swap_memory: bool, whether values kept for gradients may be swapped to host memory.
      infer_shape: bool, whether all results have the same shape, which is then checked.
      reverse: bool, whether to start at the last element; results keep the positions of their elements.
      name: str, name scope of the operations.

    Returns:
      Tensor or nested structure of Tensors, with one result per element.

    Raises:
      TypeError: if `fn` is not callable.

    Example:
      sums = tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]))
    """
    check_callable(fn)
    structure = elems if initializer is None else initializer
    given = nest.flatten(elems)
    with elements_scope(name, "scan", given):
        tensors = as_tensors(given)
        count = first_dimension(tensors[0])
        arrays = [
            TensorArray(tensor.dtype, count, dynamic_size=False, element_shape=tensor.shape[1:]) for tensor in tensors
        ]
        arrays = [array.unstack(tensor) for array, tensor in zip(arrays, tensors, strict=True)]
        done = 1 if initializer is None else 0  # number of elements without a call of `fn`
        if initializer is None:
            state = [array.read(count - 1 if reverse else 0) for array in arrays]
        else:
            state = [convert_to_tensor(value) for value in nest.flatten(initializer)]
        results = [
            TensorArray(
                value.dtype,
                count,
                dynamic_size=False,
                infer_shape=infer_shape,
                element_shape=value.shape if infer_shape else None,
            )
            for value in state
        ]
        if initializer is None:
            place = count - 1 if reverse else 0
            results = [array.write(place, value) for array, value in zip(results, state, strict=True)]

        def compute(i: Any, state: Any, results: Any) -> Any:
            element = nest.pack_sequence_as(elems, [array.read(i) for array in arrays])
            returned = fn(nest.pack_sequence_as(structure, state), element)
            nest.assert_same_structure(structure, returned)
            state = nest.flatten(returned)
            results = [array.write(i, value) for array, value in zip(results, state, strict=True)]
            return (i - 1 if reverse else i + 1), state, results

        results = while_loop(
            (lambda i, *_: i >= 0) if reverse else (lambda i, *_: i < count),
            compute,
            (count - 1 - done if reverse else done, state, results),
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )[2]
        return nest.pack_sequence_as(structure, stacked(results, tensors))
