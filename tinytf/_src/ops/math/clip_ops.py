"""Clipping of values and of norms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.constant_tensors import ones_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.array.shape_ops import rank, size
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of
from tinytf._src.ops.math.reductions import reduce_sum


def _values(t: Any) -> Any:
    return t.values if isinstance(t, IndexedSlices) else t


def _in_form_of(t: Any, values: Tensor) -> Any:
    """Returns the values as IndexedSlices if `t` is one."""
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


@tf_export("clip_by_value")
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Clips values to a range.

    Args:
      t: tensor or IndexedSlices.
      clip_value_min, clip_value_max: numbers or tensors that broadcast to the shape of `t`.
      name: optional name of the operation.

    Returns:
      An object of the kind of `t`.

    Raises:
      ValueError: if the bounds would change the shape of `t`.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as scope:
        values = convert_to_tensor(_values(t), name="t")
        below = gen_ops.minimum(values, clip_value_max)
        values.shape.merge_with(below.shape)
        clipped = gen_ops.maximum(below, clip_value_min, name=scope)
        values.shape.merge_with(clipped.shape)
        return _in_form_of(t, clipped)


@tf_export("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """Scales a tensor down so that its Euclidean norm does not exceed a limit.

    Args:
      t: tensor or IndexedSlices.
      clip_norm: positive scalar, the maximum norm.
      axes: optional int or list of ints along which norms are computed; defaults to all axes.
      name: optional name of the operation.

    Returns:
      An object of the kind of `t`.
    """
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as scope:
        values = convert_to_tensor(_values(t), name="t")
        squares = reduce_sum(values * values, axes, keepdims=True)
        positive = squares > 0
        # Where the sum is 0 the root is taken of 1, because the gradient of the root is infinite at 0.
        safe = where(positive, squares, ones_like(squares))
        norm = where(positive, gen_ops.sqrt(safe), squares)
        scaled = values * clip_norm
        values.shape.merge_with(scaled.shape)
        clipped = gen_ops.identity(scaled / gen_ops.maximum(norm, clip_norm), name=scope)
        return _in_form_of(t, clipped)


@tf_export("clip_by_average_norm")
def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Tensor:
    """Scales a tensor down so that its Euclidean norm divided by its number of elements does not exceed `clip_norm`.

    Args:
      t: tensor.
      clip_norm: positive scalar.
      name: optional name of the operation.

    Returns:
      A tensor like `t`.
    """
    with name_scope(name, "clip_by_average_norm", [t, clip_norm]) as scope:
        t = convert_to_tensor(t, name="t")
        count = cast(size(t), dtypes.float32)
        inverse = gen_ops.rsqrt(reduce_sum(t * t, range_of(rank(t))))
        scaled = t * clip_norm
        return gen_ops.identity(scaled * gen_ops.minimum(inverse * count, constant(1.0) / clip_norm), name=scope)


def _as_list(t_list: Any) -> list[Any]:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")
    return list(t_list)


@tf_export("linalg.global_norm", "global_norm")
@called_by_users
def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """Computes the Euclidean norm of all tensors of a list taken together.

    Args:
      t_list: list or tuple of tensors, IndexedSlices and None; None is ignored.
      name: optional name of the name scope.

    Returns:
      A floating-point scalar.

    Raises:
      TypeError: if `t_list` is not a sequence.
    """
    t_list = _as_list(t_list)
    with name_scope(name, "global_norm", t_list):
        values = [None if t is None else convert_to_tensor(_values(t), name=f"t_{i}") for i, t in enumerate(t_list)]
        halves = []
        for value in values:
            if value is not None:
                with colocate_with(value):
                    halves.append(gen_ops.l2_loss(value))
        half = reduce_sum(stack(halves))
        return gen_ops.sqrt(half * constant(2.0, dtype=half.dtype), name="global_norm")


@tf_export("clip_by_global_norm")
@called_by_users
def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Tensor]:
    """Scales the tensors of a list down by one factor so that their global norm does not exceed a limit.

    Args:
      t_list: list or tuple of tensors, IndexedSlices and None; None stays None.
      clip_norm: positive scalar, the maximum norm.
      use_norm: optional scalar, the global norm if it is known already.
      name: optional name of the name scope.

    Returns:
      A pair: the list of scaled tensors, which are NaN if the norm is not finite, and the norm.

    Raises:
      TypeError: if `t_list` is not a sequence.
    """
    t_list = _as_list(t_list)
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as scope:
        inverse = 1.0 / use_norm
        finite_scale = clip_norm * gen_ops.minimum(inverse, constant(1.0, dtype=use_norm.dtype) / clip_norm)
        finite = gen_ops.is_finite(use_norm)
        scale = where(finite, finite_scale, constant(float("nan"), dtype=use_norm.dtype))
        values = [None if t is None else convert_to_tensor(_values(t), name=f"t_{i}") for i, t in enumerate(t_list)]
        clipped: list[Any] = []
        for i, (t, value) in enumerate(zip(t_list, values, strict=True)):
            if value is None:
                clipped.append(None)
                continue
            with colocate_with(value):
                clipped.append(_in_form_of(t, gen_ops.identity(value * scale, name=f"{scope}_{i}")))
        return clipped, use_norm
