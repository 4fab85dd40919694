"""Weights that broadcast against values only along dimensions of size 1 (or as a scalar)."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import control_dependencies, name_scope
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.ops.array.filling import ones_like
from tinytf.ops.array.shape_ops import rank, shape
from tinytf.ops.control_flow.assertions import Assert
from tinytf.ops.control_flow.dependencies import no_op
from tinytf.ops.math.reductions import reduce_all

_PREFIX = "weights can not be broadcast to values."


def assert_broadcastable(weights: Any, values: Any) -> Operation:
    """An operation that fails unless `weights` is a scalar, or has the rank of `values` and in each dimension its size
    or 1. ValueError at once if the shapes are known not to fit."""
    with name_scope(None, "assert_broadcastable", (weights, values)):
        with name_scope(None, "weights", (weights,)) as scope:
            weights = convert_to_tensor(weights, name=scope)
            weights_shape = shape(weights, name="shape")
            weights_rank = rank(weights, name="rank")
        known_weights_rank = constant_value(weights_rank)
        with name_scope(None, "values", (values,)) as scope:
            values = convert_to_tensor(values, name=scope)
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
                for value_size, weight_size in zip(known_values, known_weights, strict=True):
                    if weight_size not in (1, value_size):
                        raise ValueError(
                            f"{_PREFIX} Mismatch at dim {list(known_values).index(value_size)}. "
                            f"values.shape={known_values} weights.shape={known_weights}."
                        )
                return no_op(name="static_dims_check_success")
        return _dynamic_check(weights, values, weights_shape, values_shape, weights_rank, values_rank)


def _dynamic_check(
    weights: Tensor,
    values: Tensor,
    weights_shape: Tensor,
    values_shape: Tensor,
    weights_rank: Tensor,
    values_rank: Tensor,
) -> Operation:
    is_scalar = gen_ops.equal(0, weights_rank, name="is_scalar")
    same_rank = gen_ops.equal(weights_rank, values_rank)
    # Compared behind the longer of both shapes, so that differing ranks do not fail here.
    length = gen_ops.maximum(gen_ops.maximum(weights_rank, values_rank), 1)
    padded = [
        gen_ops.pad_v2(s, gen_ops.pack([gen_ops.pack([0, length - r])]), 1)
        for s, r in ((weights_shape, weights_rank), (values_shape, values_rank))
    ]
    fits = gen_ops.logical_or(gen_ops.equal(padded[0], padded[1]), gen_ops.equal(padded[0], 1))
    valid = gen_ops.logical_or(is_scalar, gen_ops.logical_and(same_rank, reduce_all(fits)), name="is_valid_shape")
    data = [_PREFIX, "weights.shape=", weights.name, weights_shape, "values.shape=", values.name, values_shape]
    return Assert(valid, [*data, "is_scalar=", gen_ops.cast(is_scalar, "int32")], name="assert_shapes")


def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """`weights` in the shape of `values`, by the rule of `assert_broadcastable`."""
    with name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        # Equal shapes need no product.
        if weights.shape.is_fully_defined() and values.shape.is_fully_defined() and weights.shape == values.shape:
            return weights
        with control_dependencies((assert_broadcastable(weights, values),)):
            return gen_ops.mul(weights, ones_like(values), name=scope)
