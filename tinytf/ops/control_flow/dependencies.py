"""Operations that only say what runs before what."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import tensor_like
from tinytf.framework.conversion import convert_to_tensor, convert_to_tensor_or_indexed_slices
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.name_scope import colocate_with, control_dependencies, device, name_scope
from tinytf.framework.operation import Operation
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.framework.tensor import Tensor

__all__ = ["group", "no_op", "tuple", "with_dependencies"]


@tf_export("no_op")
def no_op(name: str | None = None) -> Operation:
    """An operation that does nothing; under `control_dependencies` it stands for them. None in eager execution."""
    return gen_ops.no_op(name=name)


def _leaves(nested: Any) -> Iterator[Any]:
    if isinstance(nested, (Tensor, Operation)):
        yield nested
    elif isinstance(nested, Mapping):
        for key in sorted(nested):
            yield from _leaves(nested[key])
    elif isinstance(nested, (Sequence, KeysView, ValuesView, ItemsView)) and not isinstance(nested, (str, bytes)):
        for element in nested:  # ranges, deques and the values of a dict, too
            yield from _leaves(element)
    elif isinstance(nested, SparseTensor):
        yield from (nested.indices, nested.values, nested.dense_shape)
    else:
        yield nested


@tf_export("group")
def group(*inputs: Any, **kwargs: Any) -> Operation:
    """An operation that is done when all inputs (tensors, operations, nested lists of them) are.

    Inputs of several devices get a NoOp each before the one that is returned. Keyword: `name`. ValueError for other
    keywords, TypeError for inputs that are no part of a graph. None in eager execution: all are done.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    if executing_eagerly():
        return None  # type: ignore[return-value]
    leaves = list(_leaves(inputs))
    with name_scope(name, "group_deps", leaves) as scope:
        if not leaves:
            return no_op(name=scope)
        by_device: dict[str, list[Any]] = {}
        for leaf in leaves:
            if not hasattr(leaf, "device"):
                raise TypeError(f"Expected tf.group() expected Tensor arguments not '{leaf}' with type '{type(leaf)}'")
            by_device.setdefault(leaf.device or "", []).append(leaf)
        if len(by_device) == 1:
            [(where, members)] = by_device.items()
            return _group_on(where, members, scope)
        parts = [_group_on(where, by_device[where], None) for where in sorted(by_device)]
        with control_dependencies(parts):
            return no_op(name=scope)


def _group_on(where: str, members: list[Any], name: str | None) -> Operation:
    with control_dependencies(members):
        if not where:
            return no_op(name=name)
        with device(where):
            return no_op(name=name)


@called_by_users
def with_dependencies(dependencies: Any, output_tensor: Any, name: str | None = None) -> Any:
    """A copy of a tensor (or IndexedSlices) that waits for `dependencies`, on the same device; the tensor itself where
    operations are executed."""
    if executing_eagerly():
        return output_tensor
    with name_scope(name, "control_dependency", [*dependencies, output_tensor]) as scope:
        with colocate_with(output_tensor), control_dependencies(dependencies):
            output = convert_to_tensor_or_indexed_slices(output_tensor)
            if isinstance(output, IndexedSlices):
                return IndexedSlices(_copy(output.values, scope), output.indices, output.dense_shape)
            return _copy(output, scope)


def _copy(tensor: Tensor, name: str) -> Tensor:
    if tensor.dtype._is_ref_dtype:
        return gen_ops.ref_identity(tensor, name=name)
    return gen_ops.identity(tensor, name=name)


@tf_export("tuple")
@called_by_users
def tuple(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """Copies of tensors that all wait for each other, and for `control_inputs`.

    IndexedSlices keep their form, operations become groups, None stays None. ValueError if there is no tensor,
    TypeError for control inputs that are no part of a graph. In eager execution they have waited already: `tensors` itself.
    """
    if executing_eagerly():
        return tensors
    with name_scope(name, "tuple", tensors):
        tensors = [
            t if t is None or isinstance(t, Operation) or tensor_like.is_tensor(t) else convert_to_tensor(t)
            for t in tensors
        ]
        gating = [t if isinstance(t, Operation) else t.op for t in tensors if t is not None]
        for control in control_inputs or ():
            if isinstance(control, Tensor):
                control = control.op
            elif not isinstance(control, Operation):
                raise TypeError(f"Control input must be Operation or Tensor: {control}")
            gating.append(control)
        if not gating:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        gate = group(*sorted(set(gating), key=lambda op: op._id))
        results: list[Any] = []
        for t in tensors:
            if t is None:
                results.append(None)
            elif isinstance(t, Operation):
                with control_dependencies([gate]):
                    results.append(group(t))
            else:
                results.append(with_dependencies([gate], t))
        return results
