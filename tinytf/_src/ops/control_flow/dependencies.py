"""Operations that only add control dependencies."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies, device, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor, convert_to_tensor_or_indexed_slices
from tinytf._src.framework.values import tensor_like

__all__ = ["group", "no_op", "tuple", "with_dependencies"]


@tf_export("no_op")
def no_op(name: str | None = None) -> Operation:
    """Creates an operation that does nothing; its control inputs come from the enclosing `control_dependencies`.

    Args:
      name: optional name of the operation.

    Returns:
      An operation; None in eager execution.
    """
    return gen_ops.no_op(name=name)


def _leaves(nested: Any) -> Iterator[Any]:
    if isinstance(nested, (Tensor, Operation)):
        yield nested
    elif isinstance(nested, Mapping):
        for key in sorted(nested):
            yield from _leaves(nested[key])
    elif isinstance(nested, (Sequence, KeysView, ValuesView, ItemsView)) and not isinstance(nested, (str, bytes)):
        for element in nested:  # Includes ranges, deques and the views of a dict.
            yield from _leaves(element)
    elif isinstance(nested, SparseTensor):
        yield from (nested.indices, nested.values, nested.dense_shape)
    else:
        yield nested


@tf_export("group")
def group(*inputs: Any, **kwargs: Any) -> Operation:
    """Creates an operation that completes when all inputs have completed.

    Inputs on several devices get one no-op per device in front of the returned one.

    Args:
      *inputs: tensors, operations, or nested lists of them.
      **kwargs: only `name`, the optional name of the operation.

    Returns:
      An operation; None in eager execution, where everything has completed.

    Raises:
      ValueError: if there is another keyword argument.
      TypeError: if an input is neither a tensor nor an operation.
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
    """Returns a copy of a tensor or IndexedSlices that depends on `dependencies`, on the same device.

    In eager execution it returns the tensor itself.
    """
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
    """Returns copies of tensors that become available only when all tensors and `control_inputs` have been computed.

    Args:
      tensors: list of tensors, IndexedSlices, operations or None.
      name: optional name of the name scope.
      control_inputs: optional list of further operations or tensors.

    Returns:
      A list like `tensors`: IndexedSlices keep their form, an operation becomes a group, None stays None. In eager
        execution it is `tensors` itself.

    Raises:
      ValueError: if there is neither a tensor nor an operation.
      TypeError: if a control input is neither a tensor nor an operation.
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
