"""The collection of losses, and the weighting and reduction that all losses share."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import add_to_collection, control_dependencies, get_collection, name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.array.filling import ones_like, zeros_like
from tinytf.ops.array.gathering import where
from tinytf.ops.array.shape_ops import rank, size
from tinytf.ops.math.arithmetic import add_n, div_no_nan
from tinytf.ops.math.casting import cast
from tinytf.ops.math.ranges import range as range_of
from tinytf.ops.math.reductions import reduce_sum
from tinytf.ops.nn.weights_broadcast_ops import assert_broadcastable, broadcast_weights


@tf_export("losses.Reduction")
class Reduction:
    """How the weighted losses of the elements become one number, or not."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """The values."""
        return (
            cls.NONE,
            cls.SUM,
            cls.MEAN,
            cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )

    @classmethod
    def validate(cls, key: Any) -> None:
        """ValueError for what is no reduction."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def num_present(losses: Tensor, weights: Tensor, per_batch: bool = False) -> Tensor:
    """How many elements have a weight other than 0, a scalar (or, `per_batch`, one number per row)."""
    with name_scope(None, "num_present", (losses, weights)) as scope:
        weights = cast(weights, dtypes.float32)
        present = where(gen_ops.equal(weights, 0.0), zeros_like(weights), ones_like(weights))
        present = broadcast_weights(present, losses)
        if per_batch:
            return reduce_sum(present, axis=range_of(1, rank(present)), keepdims=True, name=scope)
        return reduce_sum(present, name=scope)


@tf_export("losses.compute_weighted_loss")
@called_by_users
def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """The losses times their weights, reduced to a scalar and added to a collection.

    Args:
      losses: one per element.
      weights: a scalar, or of the rank of `losses` with each dimension its size or 1.
      reduction: NONE, SUM, MEAN (by the sum of weights), SUM_OVER_BATCH_SIZE (by the number of elements) or
        SUM_BY_NONZERO_WEIGHTS (by the number of weights other than 0).

    Returns a tensor of the type of `losses`. ValueError for other reductions and weights that do not fit.
    """
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss", (losses, weights)):
        with control_dependencies((assert_broadcastable(weights, losses),)):
            losses = convert_to_tensor(losses)
            input_dtype = losses.dtype
            losses = cast(losses, dtypes.float32)
            weights = cast(weights, dtypes.float32)
            loss = gen_ops.mul(losses, weights)
            if reduction != Reduction.NONE:
                loss = reduce_sum(loss)
                if reduction == Reduction.MEAN:
                    loss = _safe_mean(loss, reduce_sum(ones_like(losses) * weights))
                elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
                    loss = _safe_mean(loss, num_present(losses, weights))
                elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                    with name_scope(None, "num_elements", (losses,)) as name:
                        count = cast(size(losses, name=name), losses.dtype)
                    loss = _safe_mean(loss, count)
            loss = cast(loss, input_dtype)
            add_loss(loss, loss_collection)
            return loss


def _safe_mean(total: Tensor, count: Tensor) -> Tensor:
    return div_no_nan(reduce_sum(total), count, name="value")


@tf_export("losses.add_loss")
def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Adds a loss to a collection, if one is named. Not in eager execution, where collections would keep every value."""
    if loss_collection and not executing_eagerly():
        add_to_collection(loss_collection, loss)


@tf_export("losses.get_losses")
def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """The losses of a collection, of those names that `scope` matches as a regular expression."""
    return get_collection(loss_collection, scope)


@tf_export("losses.get_regularization_losses")
def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The regularization losses, of those names that `scope` matches as a regular expression."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@tf_export("losses.get_regularization_loss")
def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the regularization losses; 0 if there are none."""
    losses = get_regularization_losses(scope)
    if losses:
        return add_n(losses, name=name)
    return convert_to_tensor(0.0)


@tf_export("losses.get_total_loss")
@called_by_users
def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """The sum of all losses, with the regularization losses unless they are not wanted; ValueError of none."""
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope=scope)
    return add_n(losses, name=name)
