"""Means over classes."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.error_traceback import called_by_users
from tinytf.measures.means import Measure
from tinytf.measures.streams import collected, metric_variable, refuse_eager
from tinytf.ops.array.filling import ones, ones_like
from tinytf.ops.array.gathering import where
from tinytf.ops.array.shape_ops import reshape, size
from tinytf.ops.math.arithmetic import div, div_no_nan
from tinytf.ops.math.casting import cast
from tinytf.ops.math.reductions import reduce_mean, reduce_sum
from tinytf.ops.nn.confusion_matrix import confusion_matrix
from tinytf.ops.state.scatter_updates import scatter_add
from tinytf.ops.state.state_ops import assign_add
from tinytf.variables.scope import variable_scope


def _flat(tensor: Any) -> Any:
    return reshape(tensor, [-1]) if tensor.get_shape().ndims > 1 else tensor


@tf_export("metrics.mean_per_class_accuracy")
@called_by_users
def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """The mean, over classes, of the part of their elements that is predicted right.

    Args:
      labels, predictions: tensors of class numbers, of one shape and known rank.
      num_classes: how many classes there are.
      weights: None, or a tensor of the shape of the labels.
      metrics_collections, updates_collections, name: as of `mean`.

    Returns the float32 scalar that `mean` would, and the accuracies of the classes, a vector, after the update that yields
    it. RuntimeError in eager execution.
    """
    refuse_eager("mean_per_class_accuracy")
    with variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = _flat(cast(labels, dtypes.int64))
        predictions = _flat(predictions)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        total = metric_variable([num_classes], dtypes.float32, name="total")
        count = metric_variable([num_classes], dtypes.float32, name="count")
        seen = ones([size(labels)], dtypes.float32)
        if labels.dtype != predictions.dtype:
            predictions = cast(predictions, labels.dtype)
        correct = cast(gen_ops.equal(predictions, labels), dtypes.float32)
        if weights is not None:
            weights = cast(_flat(weights), dtypes.float32)
            correct *= weights
            seen *= weights
        updated_total = scatter_add(total, labels, seen)
        updated_count = scatter_add(count, labels, correct)
        per_class = div_no_nan(count, gen_ops.maximum(total, 0), name=None)
        value = collected(reduce_mean(per_class, name="mean_accuracy"), metrics_collections)
        update = div_no_nan(updated_count, gen_ops.maximum(updated_total, 0), name="update_op")
        return value, collected(update, updates_collections)


@tf_export("metrics.mean_iou")
@called_by_users
def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """The mean, over classes that occur, of how many elements label and prediction share, by how many either has.

    Arguments as of `mean_per_class_accuracy`. Returns the float32 scalar, and the float64 confusion matrix after the update
    that yields it.
    """
    refuse_eager("mean_iou")
    with variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        matrix, update = _confusions(labels, predictions, num_classes, weights)
        value = collected(_intersections_over_unions(matrix), metrics_collections)
        return value, collected(update, updates_collections)


def _confusions(labels: Any, predictions: Any, num_classes: int, weights: Any) -> tuple[Any, Any]:
    """A variable with the confusion matrix of what was seen, and its update."""
    total = metric_variable([num_classes, num_classes], dtypes.float64, name="total_confusion_matrix")
    predictions = cast(predictions, dtypes.int64)
    labels = cast(labels, dtypes.int64)
    classes = cast(num_classes, dtypes.int64)
    predictions, labels = _flat(predictions), _flat(labels)
    if weights is not None:
        weights = _flat(weights)
    batch = confusion_matrix(labels, predictions, classes, weights=weights, dtype=dtypes.float64)
    return total, assign_add(total, batch)


def _intersections_over_unions(matrix: Any) -> Any:
    predicted = cast(reduce_sum(matrix, 0), dtypes.float32)
    labelled = cast(reduce_sum(matrix, 1), dtypes.float32)
    shared = cast(gen_ops.diag_part(matrix), dtypes.float32)
    either = predicted + labelled - shared
    classes = reduce_sum(cast(gen_ops.not_equal(either, 0), dtypes.float32))
    either = where(gen_ops.greater(either, 0), either, ones_like(either))
    ratios = div(shared, either)
    return where(gen_ops.greater(classes, 0), reduce_sum(ratios, name="mean_iou") / classes, 0)
