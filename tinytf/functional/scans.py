"""`tf.scan`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import nest
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.functional.elements import as_tensors, check_callable, elements_scope, first_dimension, stacked
from tinytf.ops.control_flow.loops import while_loop
from tinytf.ops.data_flow.tensor_array_ops import TensorArray

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
    """All that `tf.foldl` comes by on its way, stacked: the result of each call of `fn`.

    Args:
      fn: takes what it returned for the element before, and an element in the structure of `elems`; returns tensors in the
        structure of `initializer`, or of `elems` without that.
      elems: a tensor, or a structure of tensors of one first dimension, along which the elements are.
      initializer: what the first call takes. Without it the first element is that, and the first result.
      infer_shape: whether all results have one shape.
      reverse: whether it begins with the last element; results stand where their elements do.
      parallel_iterations, back_prop, swap_memory, name: as of `tf.while_loop`.

    TypeError for an `fn` that is no function. `fn` is called once, to build the body of a loop; in eager execution once
    for each element.
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
        done = 1 if initializer is None else 0  # elements without a call
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
