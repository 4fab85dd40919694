"""Explains errors of restoring a checkpoint that does not fit the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tinytf._src.checkpoint.checkpoint_reader import new_checkpoint_reader
from tinytf._src.checkpoint.nearest_names import nearest
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.dtypes import DType
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape

_MOST = 20  # lines of a message


class Wanted(NamedTuple):
    """A tensor that a saver restores."""

    name: str
    dtype: DType
    shape: TensorShape  # of the variable or slice


@contextmanager
def restore_errors_about(path: str, wanted: Callable[[], Iterable[Wanted]]) -> Iterator[None]:
    """Returns a context manager that extends errors of restoring by their probable cause and the differences between
    the checkpoint and `wanted`."""
    try:
        yield
    except errors_impl.NotFoundError as error:
        raise _explained(error, "a Variable name or other graph key that is missing", path, wanted) from None
    except errors_impl.InvalidArgumentError as error:
        raise _explained(error, "a mismatch between the current graph and the graph", path, wanted) from None


def _explained(
    error: errors_impl.OpError, cause: str, path: str, wanted: Callable[[], Iterable[Wanted]]
) -> errors_impl.OpError:
    kind: Any = type(error)
    return kind(
        error.node_def,
        error.op,
        f"Restoring from checkpoint failed. This is most likely due to {cause} from the checkpoint. Please ensure that you "
        f"have not altered the graph expected based on the checkpoint. Original error:\n\n{error.message}"
        f"{_differences(path, wanted)}",
    )


def _differences(path: str, wanted: Callable[[], Iterable[Wanted]]) -> str:
    try:
        reader = new_checkpoint_reader(path)
        shapes, types = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    except errors_impl.OpError:  # the error itself describes the damage
        return ""
    lines = [line for tensor in wanted() if (line := _difference(tensor, shapes, types))]
    if not lines:
        return ""
    more = f"\n  … and {len(lines) - _MOST} more" if len(lines) > _MOST else ""
    return f"\n\nDifferences between the graph and the checkpoint {path}:\n" + "\n".join(lines[:_MOST]) + more


def _difference(wanted: Wanted, shapes: Any, types: Any) -> str:
    name = wanted.name
    if name not in shapes:
        return f"  {name} is not in the checkpoint{nearest(name, shapes)}"
    if types[name].base_dtype != wanted.dtype.base_dtype:
        return f"  {name} is {wanted.dtype.base_dtype.name} in the graph and {types[name].name} in the checkpoint"
    if not wanted.shape.is_compatible_with(shapes[name]):
        return f"  {name} has shape {wanted.shape} in the graph and {TensorShape(shapes[name])} in the checkpoint"
    return ""


def wanted_by_saveables(saveables: Iterable[Any]) -> Iterator[Wanted]:
    """Yields the tensors that saveable objects restore."""
    for saveable in saveables:
        for spec in saveable.specs:
            yield Wanted(spec.name, spec.dtype, unknown_shape() if spec.slice_spec else spec.tensor.shape)


def wanted_by_operation(graph: Graph, name: str) -> Iterator[Wanted]:
    """Yields the tensors that a restore operation of a graph reads."""
    for op in _nearest(graph.get_operation_by_name(name), "RestoreV2"):
        names, parts = constant_value(op.inputs[1]), constant_value(op.inputs[2])
        for key, part, output in zip(() if names is None else names, parts, op.outputs, strict=False):
            yield Wanted(key.decode(), output.dtype, unknown_shape() if part else _variable_shape(output))


def has_equal_saver(graph: Graph, other: Graph, saver_def: Any) -> bool:
    """Returns whether the operations that a `SaverDef` names write and read the same tensors in both graphs."""
    try:
        return _saver_content(graph, saver_def) == _saver_content(other, saver_def)
    except KeyError:  # a graph lacks an operation of that name
        return False


def _saver_content(graph: Graph, saver_def: Any) -> list[Any]:
    graph.get_tensor_by_name(saver_def.filename_tensor_name)
    read = sorted(
        (name, dtype.name, str(shape)) for name, dtype, shape in wanted_by_operation(graph, saver_def.restore_op_name)
    )
    written = _nearest(graph.get_tensor_by_name(saver_def.save_tensor_name).op, "Save", "SaveSlices", "SaveV2")
    names = [constant_value(op.inputs[1]) for op in written]
    return [read, sorted(key for keys in names if keys is not None for key in keys)]


def _nearest(op: Any, *types: str) -> Iterator[Any]:
    """Yields the nearest operations of the given types that an operation depends on, including itself; does not search
    beyond them."""
    pending, seen = [op], set()
    while pending:
        op = pending.pop()
        if op in seen:
            continue
        seen.add(op)
        if op.type in types:
            yield op
        else:
            pending += [*op.control_inputs, *(tensor.op for tensor in op.inputs)]


def _variable_shape(value: Any) -> TensorShape:
    """Returns the static shape of the variable to which a value is assigned; unknown if there is none."""
    for op in value.consumers():
        if op.type == "Assign":
            return op.inputs[0].shape
        if op.type == "AssignVariableOp":
            return TensorShape(op.inputs[0].op.get_attr("shape"))
        if op.type == "Identity":
            return _variable_shape(op.outputs[0])
    return unknown_shape()
