"""Precision and recall of the k highest-scoring classes."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.metrics.labels import at_k_name, expanded_labels, only_class
from tinytf._src.metrics.means import Measure
from tinytf._src.metrics.streams import collected, metric_variable, refuse_eager
from tinytf._src.ops.math.arithmetic import div
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.ops.nn.nn_ops import top_k
from tinytf._src.ops.nn.weights_broadcast_ops import assert_broadcastable
from tinytf._src.ops.sparse.set_ops import set_difference, set_intersection, set_size
from tinytf._src.ops.state.state_ops import assign_add

__all__ = [
    "precision_at_k",
    "precision_at_top_k",
    "recall_at_k",
    "recall_at_top_k",
    "sparse_precision_at_k",
]


def found_per_set(
    what: str, labels: Any, predictions: Any, class_id: int | None = None, weights: Any = None, name: str | None = None
) -> Any:
    """Counts the classes of each set that are a "true_positive", a "false_positive" or a "false_negative".

    The result is float64, of the shape of the labels without their last dimension.
    """
    with name_scope(name, f"{what}s", (predictions, labels, weights)):
        if class_id is not None:
            labels, predictions = only_class(labels, class_id), only_class(predictions, class_id)
        if what == "true_positive":
            found = set_intersection(predictions, labels)
        else:
            found = set_difference(predictions, labels, aminusb=what == "false_positive")
        counts = cast(set_size(found), dtypes.float64)
        if weights is not None:
            with control_dependencies((assert_broadcastable(weights, counts),)):
                weights = cast(weights, dtypes.float64)
                counts = gen_ops.mul(counts, weights)
        return counts


def _counted(
    what: str, labels: Any, predictions: Any, k: int | None, class_id: int | None, weights: Any
) -> tuple[Any, Any]:
    """Returns a variable that accumulates the sum of `found_per_set`, and its update."""
    with name_scope(None, at_k_name(what, k, class_id), (predictions, labels, weights)) as scope:
        found = found_per_set(what, labels, predictions, class_id, weights)
        total = cast(reduce_sum(found), dtypes.float64)
        variable = metric_variable([], dtypes.float64, name=scope)
        return variable, assign_add(variable, total, name="update")


def _at_top_k(
    what: str,
    wrong: str,
    labels: Any,
    predictions_idx: Any,
    k: int | None,
    class_id: int | None,
    weights: Any,
    metrics_collections: Any,
    updates_collections: Any,
    name: str | None,
) -> Measure:
    """Returns tp / (tp + wrong), before and after the update."""
    with name_scope(name, at_k_name(what, k, class_id), (predictions_idx, labels, weights)) as scope:
        labels = expanded_labels(labels, predictions_idx)
        best = cast(predictions_idx, dtypes.int64)
        tp, updated_tp = _counted("true_positive", labels, best, k, class_id, weights)
        other, updated_other = _counted(wrong, labels, best, k, class_id, weights)
        value = collected(div(tp, gen_ops.add(tp, other), name=scope), metrics_collections)
        update = div(updated_tp, gen_ops.add(updated_tp, updated_other), name="update")
        return value, collected(update, updates_collections)


@tf_export("metrics.precision_at_top_k")
@called_by_users
def precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the fraction of the predicted classes that are labels.

    Args:
      labels: int64 tensor or SparseTensor of shape [D1, …, DN, labels per example], or tensor of shape [D1, …, DN] with
        one label per example.
      predictions_idx: integer tensor of class indices, of shape [D1, …, DN, k].
      k: optional int that is used in names only.
      class_id: optional int, the only class that is counted; all classes count if None.
      weights: None, or a tensor of example weights: a scalar, or of rank N with each dimension equal to that of the
        examples or 1.
      metrics_collections: optional collection names to which the value is added.
      updates_collections: optional collection names to which the update is added.
      name: optional name of the name scope.

    Returns:
      Two float64 scalars: the precision, and the precision after the update that yields it.

    Raises:
      ValueError: if shapes do not match.
      RuntimeError: in eager execution.
    """
    refuse_eager("precision_at_top_k")
    given = (labels, predictions_idx, k, class_id, weights, metrics_collections, updates_collections, name)
    return _at_top_k("precision", "false_positive", *given)


@tf_export("metrics.recall_at_top_k")
@called_by_users
def recall_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the fraction of the labels that are among the predicted classes.

    Args:
      labels, predictions_idx, k, class_id, weights: as in `precision_at_top_k`.
      metrics_collections, updates_collections, name: as in `precision_at_top_k`.

    Returns:
      Two float64 scalars: the recall, and the recall after the update that yields it.
    """
    given = (labels, predictions_idx, k, class_id, weights, metrics_collections, updates_collections, name)
    return _at_top_k("recall", "false_negative", *given)


@tf_export("metrics.precision_at_k")
@called_by_users
def precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes `precision_at_top_k` of the `k` classes with the highest predictions.

    Args:
      predictions: float tensor of shape [D1, …, DN, number of classes].
      k: int, number of classes predicted per example.
      Others: as in `precision_at_top_k`.

    Returns:
      Two float64 scalars: the precision, and the precision after the update that yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    refuse_eager("sparse_precision_at_k")
    with name_scope(name, at_k_name("precision", k, class_id), (predictions, labels, weights)) as scope:
        _, best = top_k(predictions, k)
        return precision_at_top_k(
            labels, best, k, class_id, weights, metrics_collections, updates_collections, name=scope
        )


@tf_export("metrics.sparse_precision_at_k")
@called_by_users
def sparse_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Deprecated alias of `precision_at_k`."""
    return precision_at_k(labels, predictions, k, class_id, weights, metrics_collections, updates_collections, name)


@tf_export("metrics.recall_at_k")
@called_by_users
def recall_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes `recall_at_top_k` of the `k` classes with the highest predictions.

    Args:
      predictions: float tensor of shape [D1, …, DN, number of classes].
      k: int, number of classes predicted per example.
      Others: as in `recall_at_top_k`.

    Returns:
      Two float64 scalars: the recall, and the recall after the update that yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    refuse_eager("recall_at_k")
    with name_scope(name, at_k_name("recall", k, class_id), (predictions, labels, weights)) as scope:
        _, best = top_k(predictions, k)
        return recall_at_top_k(labels, best, k, class_id, weights, metrics_collections, updates_collections, name=scope)
