"""The primitive operations of branches and loops, for tensors, references and composite tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.composite import is_composite
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import colocate_with, name_scope
from tinytf._src.framework.tensors.conversion import internal_convert_to_tensor
from tinytf._src.ops.control_flow.slices import as_indexed_slices

__all__ = ["exit", "merge", "switch"]


def own_tensor(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    """Converts a value to a tensor of the default graph; a function graph captures tensors of outer graphs."""
    tensor = internal_convert_to_tensor(value, dtype, name, as_ref)
    return get_default_graph()._own(tensor)


def _for_parts(make: Callable[[Tensor], Tensor], data: Any) -> Any:
    """Applies `make` to a tensor, or to each component of a composite tensor."""
    if is_composite(data):
        return nest.map_structure(make, data, expand_composites=True)
    return make(own_tensor(data, as_ref=True))


@called_by_users
def switch(data: Any, pred: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Returns a pair: `data` if `pred` is false, and `data` if it is true.

    The other output is dead, and its consumers do not run. `data` may be an IndexedSlices or a SparseTensor.
    """
    with name_scope(name, "Switch", [data, pred]) as scope:
        if not is_composite(data):
            data = own_tensor(data, dtype, "data", as_ref=True)
        pred = own_tensor(pred, name="pred")
        if not is_composite(data):
            return gen_ops.switch(data, pred, name=scope)
        parts = [gen_ops.switch(part, pred) for part in nest.flatten(data, expand_composites=True)]
        return tuple(nest.pack_sequence_as(data, [part[i] for part in parts], expand_composites=True) for i in (0, 1))


def switch_beside(data: Any, pred: Tensor, name: str = "Switch") -> Any:
    """Does the same as `switch`, colocated with `data`; for a reference it yields references."""
    if not is_composite(data):
        data = own_tensor(data, name="data")
    with colocate_with(data, ignore_existing=True):
        if isinstance(data, Tensor) and data.dtype._is_ref_dtype:
            return gen_ops.ref_switch(data, pred, name=name)
        return switch(data, pred, name=name)


@called_by_users
def merge(inputs: Sequence[Any], name: str | None = None) -> Any:
    """Returns the input that is not dead, and its index.

    All inputs are tensors, all are SparseTensors, or all are IndexedSlices or tensors that are converted to
    IndexedSlices. Raises ValueError if an input is None or if only some IndexedSlices have a `dense_shape`, and
    TypeError for other mixtures.
    """
    if any(item is None for item in inputs):
        raise ValueError(f"At least one of the merge inputs is None: {inputs}")
    with name_scope(name, "Merge", inputs) as scope:
        inputs = [item if is_composite(item) else own_tensor(item, as_ref=True) for item in inputs]
        if all(isinstance(item, Tensor) for item in inputs):
            if all(item.dtype._is_ref_dtype for item in inputs):
                return gen_ops.ref_merge(inputs, name=scope)
            return gen_ops.merge(inputs, name=scope)
        if all(isinstance(item, (IndexedSlices, Tensor)) for item in inputs):
            inputs = as_indexed_slices(inputs)
        for item in inputs:
            if isinstance(item, Tensor):
                raise TypeError(f"Type {type(item)} not supported")
            nest.assert_same_structure(inputs[0], item, expand_composites=True)
        merged = [gen_ops.merge(parts) for parts in zip(*(nest.flatten(item, True) for item in inputs), strict=True)]
        whole = nest.pack_sequence_as(inputs[0], [part[0] for part in merged], expand_composites=True)
        return whole, merged[0][1]


def identity(data: Any, name: str | None = None) -> Any:
    """Returns a copy of a tensor; for a reference, another reference to the same variable."""

    def copy(tensor: Tensor) -> Tensor:
        make = gen_ops.ref_identity if tensor.dtype._is_ref_dtype else gen_ops.identity
        return make(tensor, name=name)

    return _for_parts(copy, data)


def enter(
    data: Tensor, frame_name: str, is_constant: bool, parallel_iterations: int, name: str | None = None
) -> Tensor:
    """Brings an outside tensor into a loop, as the initial value of a variable or as a loop invariant."""
    data = own_tensor(data, as_ref=True)
    make = gen_ops.ref_enter if data.dtype._is_ref_dtype else gen_ops.enter
    return make(data, frame_name, is_constant, parallel_iterations, name=name)


@called_by_users
def exit(data: Any, name: str | None = None) -> Any:
    """Returns the value of `data`, a tensor, IndexedSlices or SparseTensor of a loop, after the loop has ended."""

    def leave(tensor: Tensor) -> Tensor:
        make = gen_ops.ref_exit if tensor.dtype._is_ref_dtype else gen_ops.exit
        return make(tensor, name=name)

    return _for_parts(leave, data)


def next_iteration(data: Any) -> Any:
    """Passes the value of `data`, a tensor of a loop, to the next iteration."""

    def go_on(tensor: Tensor) -> Tensor:
        make = gen_ops.ref_next_iteration if tensor.dtype._is_ref_dtype else gen_ops.next_iteration
        return make(tensor)

    return _for_parts(go_on, data)
