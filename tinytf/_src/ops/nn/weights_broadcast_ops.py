"""Weights that are scalars, or broadcast to values only along dimensions of size 1."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.ops.array.constant_tensors import ones_like
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import expand_dims, rank, shape, size
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.dependencies import no_op
from tinytf._src.ops.sparse.set_ops import set_difference

__all__ = ["assert_broadcastable", "broadcast_weights"]

_PREFIX = "weights can not be broadcast to values."


def assert_broadcastable(weights: Any, values: Any) -> Operation:
    """Creates an operation that fails unless `weights` is a scalar, or has the rank of `values` and in each dimension
    its size or 1.

    Raises ValueError if the static shapes do not match.
    """
    with name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        with name_scope(None, "weights", (weights,)) as weights_scope:
            weights = convert_to_tensor(weights, name=weights_scope)
            weights_shape = shape(weights, name="shape")
            weights_rank = rank(weights, name="rank")
        known_weights_rank = constant_value(weights_rank)
        with name_scope(None, "values", (values,)) as values_scope:
            values = convert_to_tensor(values, name=values_scope)
            values_shape = shape(values, name="shape")
            values_rank = rank(values, name="rank")
        known_values_rank = constant_value(values_rank)
        if known_weights_rank is not None and known_values_rank is not None:
            if known_weights_rank == 0:
                return no_op(name="static_scalar_check_success")
            if known_weights_rank != known_values_rank:
                raise ValueError(
                    f"{_PREFIX} values.rank={known_values_rank}. weights.rank={known_weights_rank}. "
                    f"values.shape={values.shape}. weights.shape={weights.shape}."
                )
            known_weights, known_values = constant_value(weights_shape), constant_value(values_shape)
            if known_weights is not None and known_values is not None:
                for dim, (value_size, weight_size) in enumerate(zip(known_values, known_weights, strict=True)):
                    if weight_size not in (1, value_size):
                        raise ValueError(
                            f"{_PREFIX} Mismatch at dim {dim}. "
                            f"values.shape={known_values} weights.shape={known_weights}."
                        )
                return no_op(name="static_dims_check_success")
        ranks = (weights_rank, values_rank)
        return _checked_when_it_runs(scope, weights, values, weights_shape, values_shape, ranks)


def _checked_when_it_runs(
    scope: str | None,
    weights: Tensor,
    values: Tensor,
    weights_shape: Tensor,
    values_shape: Tensor,
    ranks: tuple[Any, Any],
) -> Operation:
    weights_rank, values_rank = ranks
    is_scalar = gen_ops.equal(0, weights_rank, name="is_scalar")
    data = [_PREFIX, "weights.shape=", weights.name, weights_shape, "values.shape=", values.name, values_shape]
    data += ["is_scalar=", is_scalar]
    valid = cond(
        is_scalar,
        lambda: is_scalar,
        lambda: _fits(weights_rank, weights_shape, values_rank, values_shape),
        name="is_valid_shape",
    )
    return Assert(valid, data, name=scope)


def _fits(weights_rank: Any, weights_shape: Any, values_rank: Any, values_shape: Any) -> Tensor:
    """Returns whether non-scalar weights have the rank of the values and matching sizes."""
    shapes = (weights_rank, weights_shape, values_rank, values_shape)
    with name_scope(None, "has_valid_nonscalar_shape", shapes) as scope:
        same_rank = gen_ops.equal(values_rank, weights_rank, name="is_same_rank")
        return cond(same_rank, lambda: _sizes_fit(weights_shape, values_shape), lambda: same_rank, name=scope)


def _sizes_fit(weights_shape: Any, values_shape: Any) -> Tensor:
    """Returns whether each size of the weights is that of the values or 1, by a set difference with these two."""
    with name_scope(None, "has_invalid_dims", (weights_shape, values_shape)) as scope:
        sizes = expand_dims(values_shape, -1)
        valid = concat((sizes, ones_like(sizes)), axis=1)
        invalid = set_difference(expand_dims(weights_shape, -1), valid)
        return gen_ops.equal(0, size(invalid.values, name="num_invalid_dims"), name=scope)


def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """Returns `weights` broadcast to the shape of `values`, by the rule of `assert_broadcastable`."""
    with name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        if weights.shape.is_fully_defined() and values.shape.is_fully_defined() and weights.shape == values.shape:
            return weights  # No product is needed.
        with control_dependencies((assert_broadcastable(weights, values),)):
            return gen_ops.mul(weights, ones_like(values), name=scope)
