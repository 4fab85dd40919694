"""Counts of true and false positives and negatives, and the precision and recall derived from them."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.values import dtypes
from tinytf._src.metrics.means import Measure
from tinytf._src.metrics.streams import collected, fitted, metric_variable, refuse_eager
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.shape_ops import rank
from tinytf._src.ops.checks.check_ops import assert_rank_in, assert_type
from tinytf._src.ops.math.arithmetic import div
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.ops.state.state_ops import assign_add
from tinytf._src.variables.scope import variable_scope

__all__ = [
    "false_negatives",
    "false_positives",
    "precision",
    "recall",
    "true_negatives",
    "true_positives",
]


def _booleans(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    return fitted(cast(predictions, dtypes.bool), cast(labels, dtypes.bool), weights)


def _counted(
    name: str | None,
    default_name: str,
    label: bool,
    prediction: bool,
    given: tuple[Any, Any, Any],
    metrics_collections: Any,
    updates_collections: Any,
) -> Measure:
    """Counts the elements with this label and this prediction, in a variable scope of its own."""
    refuse_eager(default_name)
    labels, predictions, weights = given
    with variable_scope(name, default_name, (predictions, labels, weights)):
        predictions, labels, weights = _booleans(labels, predictions, weights)
        found = gen_ops.logical_and(gen_ops.equal(labels, label), gen_ops.equal(predictions, prediction))
        assert_type(found, dtypes.bool)
        count = metric_variable([], dtypes.float32, name="count")
        values = cast(found, dtypes.float32)
        if weights is not None:
            with control_dependencies((assert_rank_in(weights, (0, rank(values))),)):
                weights = cast(weights, dtypes.float32)
                values = gen_ops.mul(values, weights)
        value = collected(gen_ops.identity(count), metrics_collections)
        return value, collected(assign_add(count, reduce_sum(values)), updates_collections)


@tf_export("metrics.true_positives")
@called_by_users
def true_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts the elements that are positive and predicted positive.

    Args:
      labels: tensor that is cast to bool; an element other than 0 is positive.
      predictions: tensor of the shape of `labels` that is cast to bool.
      weights: None, or a tensor of element weights: a scalar or of the rank of `labels`.
      metrics_collections: optional collection names to which the value is added.
      updates_collections: optional collection names to which the update is added.
      name: optional name of the variable scope.

    Returns:
      Two float32 scalars: the weighted count, and the count after the update that yields it.

    Raises:
      ValueError: if shapes do not match.
      RuntimeError: in eager execution.
    """
    given = (labels, predictions, weights)
    return _counted(name, "true_positives", True, True, given, metrics_collections, updates_collections)


@tf_export("metrics.true_negatives")
@called_by_users
def true_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts the elements that are negative and predicted negative.

    Args:
      labels, predictions, weights, metrics_collections, updates_collections, name: as in `true_positives`.

    Returns:
      Two float32 scalars: the weighted count, and the count after the update that yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    given = (labels, predictions, weights)
    return _counted(name, "true_negatives", False, False, given, metrics_collections, updates_collections)


@tf_export("metrics.false_positives")
@called_by_users
def false_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts the elements that are negative but predicted positive.

    Args:
      labels, predictions, weights, metrics_collections, updates_collections, name: as in `true_positives`.

    Returns:
      Two float32 scalars: the weighted count, and the count after the update that yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    given = (labels, predictions, weights)
    return _counted(name, "false_positives", False, True, given, metrics_collections, updates_collections)


@tf_export("metrics.false_negatives")
@called_by_users
def false_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Counts the elements that are positive but predicted negative.

    Args:
      labels, predictions, weights, metrics_collections, updates_collections, name: as in `true_positives`.

    Returns:
      Two float32 scalars: the weighted count, and the count after the update that yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    given = (labels, predictions, weights)
    return _counted(name, "false_negatives", True, False, given, metrics_collections, updates_collections)


@tf_export("metrics.precision")
@called_by_users
def precision(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the fraction of predicted positives that are positive.

    Args:
      labels, predictions, weights, metrics_collections, updates_collections, name: as in `true_positives`.

    Returns:
      Two float32 scalars: the precision, 0 if nothing was predicted positive, and the precision after the update that
        yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    refuse_eager("precision")
    with variable_scope(name, "precision", (predictions, labels, weights)):
        predictions, labels, weights = _booleans(labels, predictions, weights)
        right = true_positives(labels, predictions, weights)
        wrong = false_positives(labels, predictions, weights)
        return _share(right, wrong, metrics_collections, updates_collections)


@tf_export("metrics.recall")
@called_by_users
def recall(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the fraction of positives that are predicted positive.

    Args:
      labels, predictions, weights, metrics_collections, updates_collections, name: as in `true_positives`.

    Returns:
      Two float32 scalars: the recall, 0 if there was no positive, and the recall after the update that yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    refuse_eager("recall is not supported")
    with variable_scope(name, "recall", (predictions, labels, weights)):
        predictions, labels, weights = _booleans(labels, predictions, weights)
        right = true_positives(labels, predictions, weights)
        wrong = false_negatives(labels, predictions, weights)
        return _share(right, wrong, metrics_collections, updates_collections)


def _share(right: Measure, wrong: Measure, metrics_collections: Any, updates_collections: Any) -> Measure:
    """Returns right / (right + wrong), before and after the update."""

    def share(a: Any, b: Any, name: str) -> Any:
        return where(gen_ops.greater(a + b, 0), div(a, a + b), 0, name)

    value = collected(share(right[0], wrong[0], "value"), metrics_collections)
    return value, collected(share(right[1], wrong[1], "update_op"), updates_collections)
