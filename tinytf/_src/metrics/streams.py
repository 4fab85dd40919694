"""Helpers of the streaming metrics: their variables, the check for eager execution, and shape adjustment of inputs."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import add_to_collections
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.shape_ops import expand_dims, rank, squeeze
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.nn.confusion_matrix import remove_squeezable_dimensions
from tinytf._src.variables.creation import make_variable
from tinytf._src.variables.modes import VariableAggregation, VariableSynchronization


def metric_variable(shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None) -> Any:
    """Creates an untrainable variable of zeros in the collections LOCAL_VARIABLES and METRIC_VARIABLES."""
    return make_variable(
        lambda: zeros(shape, dtype),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        validate_shape=validate_shape,
        synchronization=VariableSynchronization.ON_READ,
        aggregation=VariableAggregation.SUM,
        name=name,
    )


def refuse_eager(name: str) -> None:
    """Raises RuntimeError in eager execution, where there is no update operation to run again."""
    if executing_eagerly():
        raise RuntimeError(f"tf.metrics.{name} is not supported when eager execution is enabled.")


def collected(value: Any, collections: Any) -> Any:
    """Returns the value after adding it to the given collections, if any."""
    if collections:
        add_to_collections(collections, value)
    return value


def fitted(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Any, Any]:
    """Returns predictions, labels and weights with matching ranks.

    A last dimension of size 1 is removed from the predictions or the labels, and removed from or added to non-scalar
    weights. Labels and weights may be None. Raises ValueError if the shapes do not match.
    """
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = convert_to_tensor(weights)
    weights_rank, predictions_rank = weights.shape.ndims, predictions.shape.ndims
    if weights_rank == 0:
        return predictions, labels, weights
    if weights_rank is None or predictions_rank is None:
        return predictions, labels, _fitted_when_it_runs(weights, predictions)
    if weights_rank == predictions_rank + 1:
        weights = squeeze(weights, [-1])
    elif weights_rank == predictions_rank - 1:
        weights = expand_dims(weights, [-1])
    return predictions, labels, weights


def _fitted_when_it_runs(weights: Tensor, predictions: Tensor) -> Tensor:
    weights_rank = rank(weights)
    difference = weights_rank - rank(predictions)
    dims = weights.shape.dims
    may_end_in_one = dims is None or dims[-1].is_compatible_with(1)

    def smaller() -> Tensor:
        return squeeze(weights, [-1]) if may_end_in_one else weights

    def larger() -> Any:
        return cond(gen_ops.equal(difference, -1), lambda: expand_dims(weights, [-1]), lambda: weights)

    return cond(
        gen_ops.equal(weights_rank, 0), lambda: weights, lambda: cond(gen_ops.equal(difference, 1), smaller, larger)
    )
