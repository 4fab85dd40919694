"""The collection of losses, and the weighting and reduction that all losses share."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import add_to_collection, control_dependencies, get_collection, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.constant_tensors import ones_like, zeros_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.shape_ops import rank, size
from tinytf._src.ops.math.arithmetic import add_n, div_no_nan
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.ops.nn.weights_broadcast_ops import assert_broadcastable, broadcast_weights


@tf_export("losses.Reduction")
class Reduction:
    """The ways to reduce weighted losses to a scalar.

    `NONE` does not reduce, `SUM` adds, `MEAN` divides the sum by the sum of weights, `SUM_OVER_BATCH_SIZE` by the
    number of elements and `SUM_BY_NONZERO_WEIGHTS` by the number of nonzero weights.
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Returns all values."""
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
        """Raises ValueError unless `key` is one of the values."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def num_present(losses: Tensor, weights: Tensor, per_batch: bool = False) -> Tensor:
    """Returns the number of elements with a nonzero weight: a scalar, or one number per row if `per_batch` is True."""
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
    """Multiplies losses by weights, reduces them, and adds the result to a collection.

    Args:
      losses: tensor of losses.
      weights: tensor: a scalar, or of the rank of `losses` with each dimension equal to that of `losses` or 1.
      scope: optional name of the name scope.
      loss_collection: optional name of the collection.
      reduction: a value of `Reduction`.

    Returns:
      A tensor of the dtype of `losses`; a scalar unless `reduction` is NONE.

    Raises:
      ValueError: if `reduction` is unknown, or if `weights` cannot be broadcast.
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
    """Adds a loss to a collection.

    It does nothing in eager execution, where a collection would keep every value alive.

    Args:
      loss: tensor.
      loss_collection: optional name of the collection.
    """
    if loss_collection and not executing_eagerly():
        add_to_collection(loss_collection, loss)


@tf_export("losses.get_losses")
def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """Returns the losses of a collection.

    Args:
      scope: optional regular expression that names must match.
      loss_collection: name of the collection.

    Returns:
      A list of tensors.
    """
    return get_collection(loss_collection, scope)


@tf_export("losses.get_regularization_losses")
def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """Returns the losses of the collection REGULARIZATION_LOSSES.

    Args:
      scope: optional regular expression that names must match.

    Returns:
      A list of tensors.
    """
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


@tf_export("losses.get_regularization_loss")
def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """Returns the sum of the regularization losses, or 0 if there are none.

    Args:
      scope: optional regular expression that names must match.
      name: name of the operation.

    Returns:
      A scalar.
    """
    losses = get_regularization_losses(scope)
    if losses:
        return add_n(losses, name=name)
    return convert_to_tensor(0.0)


@tf_export("losses.get_total_loss")
@called_by_users
def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """Returns the sum of all losses.

    Args:
      add_regularization_losses: bool, whether regularization losses are included.
      name: name of the operation.
      scope: optional regular expression that names must match.

    Returns:
      A scalar.

    Raises:
      ValueError: if there are no losses.
    """
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses = losses + get_regularization_losses(scope=scope)
    return add_n(losses, name=name)
