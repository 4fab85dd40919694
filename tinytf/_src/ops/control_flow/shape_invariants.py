"""Shape invariants: the static shapes that loop variables have in all iterations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values.constant_value import constant_value_as_shape
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape


def invariant_of(variable: Any, shape: Any = None) -> Any:
    """Returns the shape invariant of a tensor, or of each component of a composite one; defaults to its own shape.

    `shape` is a TensorShape, or a TypeSpec of the variable. Raises TypeError if that does not describe the variable.
    """
    if isinstance(shape, TypeSpec) and not (isinstance(variable, Tensor) and isinstance(shape, TensorSpec)):
        if not shape.is_compatible_with(variable):
            raise TypeError(f"TypeSpec {shape!r} is not compatible with {variable!r}")
        return [part.shape for part in nest.flatten(shape._component_specs)]
    if isinstance(variable, SparseTensor):
        return _of_sparse_tensor(variable, shape)
    if isinstance(variable, IndexedSlices):
        return _of_slices(variable, shape)
    if shape is None:
        return variable.shape
    if isinstance(shape, TensorSpec):
        if variable.dtype != shape.dtype:
            raise TypeError(f"TensorSpec {shape!r} is not compatible with {variable!r}")
        return shape.shape
    return shape


def _checked(shape: Any) -> TensorShape:
    if not isinstance(shape, TensorShape):
        raise TypeError(f"Expected shape to be a TypeSpec or TensorShape, got {shape!r}")
    return shape


def _of_sparse_tensor(variable: SparseTensor, shape: Any) -> list[TensorShape]:
    """Returns the invariants of a SparseTensor; `shape` is the shape of its vector `dense_shape`."""
    if shape is None:
        rank = variable.shape.ndims
    else:
        if _checked(shape).ndims not in (None, 1):
            raise ValueError("Expected a shape with 1 dimension")
        rank = None if shape.dims is None else shape.dims[0].value
    return [TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])]


def _of_slices(variable: IndexedSlices, shape: Any) -> list[TensorShape]:
    """Returns the invariants of IndexedSlices; `shape` is the shape of `values`."""
    if shape is None:
        rows = variable.indices.shape.merge_with(variable.values.shape[:1])
        whole = TensorShape([None]).concatenate(variable.values.shape[1:])
        if variable.dense_shape is not None:
            whole = whole.merge_with(constant_value_as_shape(variable.dense_shape))
    else:
        rows = _checked(shape)[:1]
        whole = TensorShape([None]).concatenate(shape[1:])
    tail = unknown_shape() if whole.dims is None else whole[1:]
    shapes = [rows.concatenate(tail), rows.with_rank(1)]
    return shapes if variable.dense_shape is None else [*shapes, TensorShape([whole.ndims])]


def _includes(invariant: TensorShape, shape: TensorShape) -> bool:
    """Returns whether `shape` is at least as specific as `invariant`."""
    if invariant.dims is None:
        return True
    if shape.dims is None or shape.ndims != invariant.ndims:
        return False
    return all(a is None or a == b for a, b in zip(invariant.as_list(), shape.as_list(), strict=True))


def set_invariants(first: Sequence[Tensor], variables: Sequence[Tensor], shapes: Any) -> None:
    """Sets the static shapes of the variables to the invariants. Raises ValueError if an initial value does not satisfy
    its invariant.
    """
    flat = nest.flatten(shapes)
    if not all(isinstance(shape, TensorShape) for shape in flat):
        raise ValueError("`shapes` must be a (possibly nested) list of shapes.")
    for value, variable, shape in zip(first, variables, flat):
        if not _includes(shape, value.shape):
            raise ValueError(
                f"The shape invariant specified for {value.name} is not compatible with the initial shape of the loop "
                f"variable. It enters the loop with shape {value.shape}, but the specified shape invariant is {shape}."
            )
        variable.set_shape(shape)


def check_invariant(variable: Tensor, value: Tensor) -> None:
    """Raises ValueError if a variable's value after an iteration does not satisfy the shape of the variable."""
    if not _includes(variable.shape, value.shape):
        first = variable.op.inputs[0].op.inputs[0]
        raise ValueError(
            f"Input tensor '{first.name}' enters the loop with shape {first.shape}, but has shape {value.shape} after one "
            "iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of tf.while_loop "
            "to specify a less-specific shape."
        )
