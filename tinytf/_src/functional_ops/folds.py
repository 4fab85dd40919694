"""`tf.foldl` and `tf.foldr`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.functional_ops.elements import as_tensors, check_callable, elements_scope
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.control_flow.loops import while_loop
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray

__all__ = ["foldl", "foldr"]


@tf_export("foldl")
@called_by_users
def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Folds the elements of tensors from the first to the last: `fn(… fn(fn(initializer, elems[0]), elems[1]) …,
    elems[-1])`.

    In graph mode, `fn` is called once, to build the body of a loop; in eager mode, once per element.

    Args:
      fn: callable `(accumulated, element)` that returns the next accumulated value; `element` has the structure of
        `elems`.
      elems: Tensor, or nested structure of Tensors with equal size along dimension 0, whose slices are the elements.
      initializer: Tensor or nested structure, the first accumulated value; None means the first element, which `fn`
        then skips.
      parallel_iterations: int, number of iterations that may run in parallel.
      back_prop: bool, whether gradients are supported.
      swap_memory: bool, whether values kept for gradients may be swapped to host memory.
      name: str, name scope of the operations.

    Returns:
      The last accumulated value.

    Raises:
      TypeError: if `fn` is not callable.

    Example:
      total = tf.foldl(lambda a, x: a + x, tf.constant([1, 2, 3]))
    """
    check_callable(fn)
    with elements_scope(name, "foldl", [elems]):
        count, arrays = _arrays(elems)
        if initializer is None:
            first, result = 1, nest.map_structure(lambda array: array.read(0), arrays)
        else:
            first, result = 0, initializer

        def compute(i: Any, result: Any) -> Any:
            element = nest.map_structure(lambda array: array.read(i), arrays)
            result = fn(result, element)
            return [i + 1, result]

        return while_loop(
            lambda i, _: i < count,
            compute,
            [constant(first), result],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )[1]


@tf_export("foldr")
@called_by_users
def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Folds the elements of tensors from the last to the first: `fn(… fn(fn(initializer, elems[-1]), elems[-2]) …,
    elems[0])`.

    Args:
      fn: callable `(accumulated, element)` that returns the next accumulated value; `element` has the structure of
        `elems`.
      elems: Tensor, or nested structure of Tensors with equal size along dimension 0, whose slices are the elements.
      initializer: Tensor or nested structure, the first accumulated value; None means the last element, which `fn` then
        skips.
      parallel_iterations: int, number of iterations that may run in parallel.
      back_prop: bool, whether gradients are supported.
      swap_memory: bool, whether values kept for gradients may be swapped to host memory.
      name: str, name scope of the operations.

    Returns:
      The last accumulated value.

    Raises:
      TypeError: if `fn` is not callable.
    """
    check_callable(fn)
    with elements_scope(name, "foldr", [elems]):
        count, arrays = _arrays(elems)
        last, result = count, initializer
        if initializer is None:
            last = count - 1
            result = nest.map_structure(lambda array: array.read(last), arrays)

        def compute(i: Any, result: Any) -> Any:
            i -= 1
            element = nest.map_structure(lambda array: array.read(i), arrays)
            return [i, fn(result, element)]

        return while_loop(
            lambda i, _: i > 0,
            compute,
            [last, result],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )[1]


def _arrays(elems: Any) -> tuple[Any, Any]:
    """The number of elements, and TensorArrays with the elements."""
    [first, *_] = as_tensors(nest.flatten(elems))
    count = first.shape[0].value or shape(first)[0]
    # Converts the elements again, as TensorFlow does.
    arrays = nest.map_structure(lambda elem: TensorArray(elem.dtype, count, dynamic_size=False).unstack(elem), elems)
    return count, arrays
