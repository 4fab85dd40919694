"""Counts of true and false positives and negatives at thresholds, and the metrics derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.metrics.means import Measure
from tinytf._src.metrics.streams import collected, fitted, metric_variable, refuse_eager
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.array.shape_ops import expand_dims, reshape, shape
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.checks.check_ops import assert_greater_equal, assert_less_equal
from tinytf._src.ops.math.arithmetic import abs, div
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import cumsum
from tinytf._src.ops.math.reductions import argmax, argmin, reduce_min, reduce_sum
from tinytf._src.ops.nn.weights_broadcast_ops import broadcast_weights
from tinytf._src.ops.state.state_ops import assign_add
from tinytf._src.variables.scope import variable_scope

__all__ = [
    "false_negatives_at_thresholds",
    "false_positives_at_thresholds",
    "precision_at_thresholds",
    "recall_at_thresholds",
    "sensitivity_at_specificity",
    "specificity_at_sensitivity",
    "true_negatives_at_thresholds",
    "true_positives_at_thresholds",
]

# Counted quantities in graph order: the variable's name, and whether label and prediction are positive.
_COUNTS = {
    "tp": ("true_positives", True, True),
    "fn": ("false_negatives", True, False),
    "tn": ("true_negatives", False, False),
    "fp": ("false_positives", False, True),
}
_ALL = tuple(_COUNTS)
Counts = dict[str, Any]

# Moves the end thresholds just outside [0, 1] and keeps denominators above 0.
EPSILON = 1e-7


def even_thresholds(number: int, last: float = 1.0 + EPSILON) -> list[float]:
    """Returns `number` evenly spaced thresholds from 0 to 1; the first is just below 0, the last is `last`."""
    return [0.0 - EPSILON, *((i + 1) * 1.0 / (number - 1) for i in range(number - 2)), last]


def counts_at_thresholds(
    labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any = None, includes: Any = _ALL
) -> tuple[Counts, Counts]:
    """Returns variables with the count vectors at each threshold, and their updates. Predictions must be in [0, 1]."""
    message = "predictions must be in [0, 1]"
    checks = [
        assert_greater_equal(predictions, cast(0.0, predictions.dtype), message=message),
        assert_less_equal(predictions, cast(1.0, predictions.dtype), message=message),
    ]
    with control_dependencies(checks):
        predictions, labels, weights = fitted(cast(predictions, dtypes.float32), cast(labels, dtypes.bool), weights)
    return counts_of(labels, predictions, thresholds, weights, includes)


def counts_of(
    labels: Any, predictions: Any, thresholds: Sequence[float], weights: Any = None, includes: Any = _ALL
) -> tuple[Counts, Counts]:
    """Does the same as `counts_at_thresholds`, for tensors of matching shapes."""
    number = len(thresholds)
    column = reshape(predictions, [-1, 1])
    row = reshape(cast(labels, dtypes.bool), [1, -1])
    elements: Any = column.shape.as_list()[0]
    if elements is None:
        elements = shape(column)[0]
    limits = gen_ops.tile(expand_dims(constant(thresholds), [1]), stack([1, elements]))
    predicted = {True: gen_ops.greater(gen_ops.tile(transpose(column), [number, 1]), limits)}
    if "fn" in includes or "tn" in includes:
        predicted[False] = gen_ops.logical_not(predicted[True])
    labelled = {True: gen_ops.tile(row, [number, 1])}
    if "fp" in includes or "tn" in includes:
        labelled[False] = gen_ops.logical_not(labelled[True])
    if weights is not None:
        weights = broadcast_weights(cast(weights, dtypes.float32), predictions)
        weights = gen_ops.tile(reshape(weights, [1, -1]), [number, 1])
        limits.shape.assert_is_compatible_with(weights.shape)
    values, updates = {}, {}
    for key, (name, label, prediction) in _COUNTS.items():
        if key in includes:
            values[key] = metric_variable([number], dtypes.float32, name=name)
            found = cast(gen_ops.logical_and(labelled[label], predicted[prediction]), dtypes.float32)
            if weights is not None:
                found *= weights
            updates[key] = assign_add(values[key], reduce_sum(found, 1))
    return values, updates


def _one_count(
    key: str, name: str | None, given: tuple[Any, Any, Any, Any], metrics_collections: Any, updates_collections: Any
) -> Measure:
    scope = _COUNTS[key][0]
    refuse_eager(f"{scope}_at_thresholds")
    labels, predictions, thresholds, weights = given
    with variable_scope(name, scope, (predictions, labels, weights)):
        values, updates = counts_at_thresholds(labels, predictions, thresholds, weights, (key,))
        value = collected(gen_ops.identity(values[key]), metrics_collections)
        return value, collected(updates[key], updates_collections)


@tf_export("metrics.true_positives_at_thresholds")
@called_by_users
def true_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts the elements that are positive and predicted positive at each threshold.

    Args:
      labels: tensor that is cast to bool; an element other than 0 is positive.
      predictions: float tensor of that shape in [0, 1]; an element above a threshold is positive at that threshold.
      thresholds: list or tuple of floats.
      weights, metrics_collections, updates_collections, name: as in `mean`.

    Returns:
      Two float32 vectors with one element per threshold: the counts, and the counts after the update that yields them.

    Raises:
      ValueError: if shapes do not match. RuntimeError: in eager execution.
    """
    given = (labels, predictions, thresholds, weights)
    return _one_count("tp", name, given, metrics_collections, updates_collections)


@tf_export("metrics.true_negatives_at_thresholds")
@called_by_users
def true_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts true negatives at each threshold; used like `true_positives_at_thresholds`."""
    given = (labels, predictions, thresholds, weights)
    return _one_count("tn", name, given, metrics_collections, updates_collections)


@tf_export("metrics.false_positives_at_thresholds")
@called_by_users
def false_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts false positives at each threshold; used like `true_positives_at_thresholds`."""
    given = (labels, predictions, thresholds, weights)
    return _one_count("fp", name, given, metrics_collections, updates_collections)


@tf_export("metrics.false_negatives_at_thresholds")
@called_by_users
def false_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts false negatives at each threshold; used like `true_positives_at_thresholds`."""
    given = (labels, predictions, thresholds, weights)
    return _one_count("fn", name, given, metrics_collections, updates_collections)


@tf_export("metrics.precision_at_thresholds")
@called_by_users
def precision_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the precision at each threshold; used like `true_positives_at_thresholds`."""
    refuse_eager("precision_at_thresholds")
    given = (labels, predictions, thresholds, weights)
    return _share("precision", "fp", name, given, metrics_collections, updates_collections)


@tf_export("metrics.recall_at_thresholds")
@called_by_users
def recall_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the recall at each threshold; used like `true_positives_at_thresholds`."""
    refuse_eager("recall_at_thresholds")
    given = (labels, predictions, thresholds, weights)
    return _share("recall", "fn", name, given, metrics_collections, updates_collections)


def _share(
    what: str,
    wrong: str,
    name: str | None,
    given: tuple[Any, Any, Any, Any],
    metrics_collections: Any,
    updates_collections: Any,
) -> Measure:
    """Returns tp / (tp + wrong), before and after the update."""
    labels, predictions, thresholds, weights = given
    with variable_scope(name, f"{what}_at_thresholds", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(labels, predictions, thresholds, weights, ("tp", wrong))

        def share(counts: Counts, which: str) -> Any:
            return div(counts["tp"], EPSILON + counts["tp"] + counts[wrong], name=f"{what}_{which}")

        value = collected(share(values, "value"), metrics_collections)
        return value, collected(share(updates, "update_op"), updates_collections)


@tf_export("metrics.sensitivity_at_specificity")
@called_by_users
def sensitivity_at_specificity(
    labels: Any,
    predictions: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the sensitivity (recall) at the threshold whose specificity is closest to `specificity`.

    Args:
      specificity: float from 0 to 1. num_thresholds: int, number of evenly spaced thresholds that are tried.
      Others: as in `true_positives_at_thresholds`.

    Returns:
      Two float32 scalars: the sensitivity, and the sensitivity after the update that yields it.

    Raises:
      ValueError: if `specificity` is not in [0, 1] or shapes do not match. RuntimeError: in eager execution.
    """
    refuse_eager("sensitivity_at_specificity")
    if specificity < 0 or specificity > 1:
        raise ValueError("`specificity` must be in the range [0, 1].")
    with variable_scope(name, "sensitivity_at_specificity", (predictions, labels, weights)):
        values, updates = counts_at_thresholds(labels, predictions, even_thresholds(num_thresholds), weights)

        def sensitivity(counts: Counts, name: str) -> Any:
            specificities = div(counts["tn"], counts["tn"] + counts["fp"] + EPSILON)
            index = cast(argmin(abs(specificities - specificity), 0), dtypes.int32)
            return div(counts["tp"][index], counts["tp"][index] + counts["fn"][index] + EPSILON, name)

        value = collected(sensitivity(values, "value"), metrics_collections)
        return value, collected(sensitivity(updates, "update_op"), updates_collections)


@tf_export("metrics.specificity_at_sensitivity")
@called_by_users
def specificity_at_sensitivity(
    labels: Any,
    predictions: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the specificity at the threshold of the closest sensitivity; used like `sensitivity_at_specificity`."""
    refuse_eager("specificity_at_sensitivity")
    if sensitivity < 0 or sensitivity > 1:
        raise ValueError("`sensitivity` must be in the range [0, 1].")
    with variable_scope(name, "specificity_at_sensitivity", (predictions, labels, weights)):
        thresholds = even_thresholds(num_thresholds, 1.0 - EPSILON)
        values, updates = counts_at_thresholds(labels, predictions, thresholds, weights)

        def specificity(counts: Counts, name: str) -> Any:
            sensitivities = div(counts["tp"], counts["tp"] + counts["fn"] + EPSILON)
            least = reduce_min(abs(sensitivities - sensitivity))
            closest = cast(gen_ops.equal(abs(sensitivities - sensitivity), least), dtypes.int64)
            index = cast(argmax(cumsum(closest), 0), dtypes.int32)
            return div(counts["tn"][index], counts["tn"][index] + counts["fp"][index] + EPSILON, name)

        value = collected(specificity(values, "value"), metrics_collections)
        return value, collected(specificity(updates, "update_op"), updates_collections)
