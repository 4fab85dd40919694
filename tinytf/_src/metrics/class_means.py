"""Metrics that are averaged over classes."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values import dtypes
from tinytf._src.metrics.means import Measure
from tinytf._src.metrics.streams import collected, metric_variable, refuse_eager
from tinytf._src.ops.array.constant_tensors import ones, ones_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.shape_ops import reshape, size
from tinytf._src.ops.math.arithmetic import div, div_no_nan
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_mean, reduce_sum
from tinytf._src.ops.nn.confusion_matrix import confusion_matrix
from tinytf._src.ops.state.scatter_updates import scatter_add
from tinytf._src.ops.state.state_ops import assign_add
from tinytf._src.variables.scope import variable_scope


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
    """Computes the mean over classes of the fraction of each class's examples that is predicted correctly.

    Args:
      labels: tensor of class indices, of known rank.
      predictions: tensor of class indices, of the shape of `labels`.
      num_classes: int, number of classes.
      weights: None, or a tensor of example weights of the shape of `labels`.
      metrics_collections: optional collection names to which the value is added.
      updates_collections: optional collection names to which the update is added.
      name: optional name of the variable scope.

    Returns:
      The mean as a float32 scalar, and a float32 vector of the accuracies per class after the update that yields it.

    Raises:
      ValueError: if the shapes of `labels` and `predictions` do not match.
      RuntimeError: in eager execution.
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
    """Computes the mean intersection over union (IoU) over the classes that occur.

    The IoU of a class is the number of examples that have it as both label and prediction, divided by the number that
    have it as either.

    Args:
      labels, predictions, num_classes, weights: as in `mean_per_class_accuracy`.
      metrics_collections, updates_collections, name: as in `mean_per_class_accuracy`.

    Returns:
      The mean IoU as a float32 scalar, and the float64 confusion matrix after the update that yields it.

    Raises:
      ValueError: if the shapes of `labels` and `predictions` do not match.
      RuntimeError: in eager execution.
    """
    refuse_eager("mean_iou")
    with variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        matrix, update = _confusions(labels, predictions, num_classes, weights)
        value = collected(_intersections_over_unions(matrix), metrics_collections)
        return value, collected(update, updates_collections)


def _confusions(labels: Any, predictions: Any, num_classes: int, weights: Any) -> tuple[Any, Any]:
    """Returns a variable that accumulates the confusion matrix, and its update with this batch."""
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
