"""`tf.foldl` and `tf.foldr`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import nest
from tinytf.framework.constant_op import constant
from tinytf.framework.error_traceback import called_by_users
from tinytf.functional.elements import as_tensors, check_callable, elements_scope
from tinytf.ops.array.shape_ops import shape
from tinytf.ops.control_flow.loops import while_loop
from tinytf.ops.data_flow.tensor_array_ops import TensorArray

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
    """`fn(… fn(fn(initializer, elems[0]), elems[1]) …, elems[-1])`.

    Args:
      fn: takes what it has returned so far, and an element in the structure of `elems`.
      elems: a tensor, or a structure of tensors of one first dimension, along which the elements are.
      initializer: what the first call takes. Without it the first element is that, and the calls begin with the second.
      parallel_iterations, back_prop, swap_memory, name: as of `tf.while_loop`.

    TypeError for an `fn` that is no function. `fn` is called once, to build the body of a loop; in eager execution once
    for each element.
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
    """`fn(… fn(fn(initializer, elems[-1]), elems[-2]) …, elems[0])`. Arguments and errors are those of `tf.foldl`."""
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
    """The number of elements, and them in TensorArrays."""
    [first, *_] = as_tensors(nest.flatten(elems))
    count = first.shape[0].value or shape(first)[0]
    # Elements are converted anew, as TensorFlow does.
    arrays = nest.map_structure(lambda elem: TensorArray(elem.dtype, count, dynamic_size=False).unstack(elem), elems)
    return count, arrays
