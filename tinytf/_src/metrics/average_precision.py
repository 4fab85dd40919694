"""The mean average precision of the k highest-scoring classes."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.metrics.labels import at_k_name, expanded_labels, labels_in_range, repeated
from tinytf._src.metrics.means import Measure
from tinytf._src.metrics.streams import collected, metric_variable, refuse_eager
from tinytf._src.metrics.top_k import found_per_set
from tinytf._src.ops.array.constant_tensors import ones_like, zeros_like
from tinytf._src.ops.array.gathering import where_v2
from tinytf._src.ops.array.shape_ops import expand_dims, shape, size
from tinytf._src.ops.math.arithmetic import div, div_no_nan
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import cumsum
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.ops.nn.nn_ops import top_k
from tinytf._src.ops.nn.weights_broadcast_ops import broadcast_weights
from tinytf._src.ops.sparse.set_ops import set_size
from tinytf._src.ops.state.state_ops import assign_add


@tf_export("metrics.average_precision_at_k")
@called_by_users
def average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the mean, over examples, of the average precision of the `k` highest-scoring classes.

    The average precision of an example is the mean of the precision at each of its correctly predicted ranks, relative
    to the number of labels that `k` predictions can hit.

    Args:
      labels: int64 tensor or SparseTensor of shape [D1, …, DN, labels per example], or tensor of shape [D1, …, DN] with
        one label per example. Values that are not class indices never match.
      predictions: float tensor of shape [D1, …, DN, number of classes].
      k: int, number of classes considered; at least 1.
      weights: None, or a tensor of example weights: a scalar, or of rank N with each dimension equal to that of the
        examples or 1.
      metrics_collections: optional collection names to which the value is added.
      updates_collections: optional collection names to which the update is added.
      name: optional name of the name scope.

    Returns:
      Two float64 scalars: the mean, and the mean after the update that yields it.

    Raises:
      ValueError: if `k` is less than 1, or if shapes do not match.
      RuntimeError: in eager execution.
    """
    refuse_eager("sparse_average_precision_at_k")
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with name_scope(name, at_k_name("average_precision", k), (predictions, labels, weights)) as scope:
        _, best = top_k(predictions, k)
        labels = labels_in_range(labels, cast(shape(predictions)[-1], dtypes.int64))
        return mean_average_precision(labels, best, weights, metrics_collections, updates_collections, scope)


@tf_export("metrics.sparse_average_precision_at_k")
@called_by_users
def sparse_average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Deprecated alias of `average_precision_at_k`."""
    return average_precision_at_k(labels, predictions, k, weights, metrics_collections, updates_collections, name)


def mean_average_precision(
    labels: Any,
    predictions_idx: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes `average_precision_at_k` of class indices that are already the best ones, ordered by falling score."""
    with name_scope(name, "average_precision_at_top_k", (predictions_idx, labels, weights)) as scope:
        precision = _average_precision(labels, predictions_idx)
        if weights is not None:
            weights = broadcast_weights(cast(weights, dtypes.float64), precision)
            precision = gen_ops.mul(precision, weights)
        with name_scope(None, "max", (precision,)) as max_scope:
            most = metric_variable([], dtypes.float64, name=max_scope)
            if weights is None:
                batch_most = cast(size(precision, name="batch_max"), dtypes.float64)
            else:
                batch_most = reduce_sum(weights, name="batch_max")
            updated_most = assign_add(most, batch_most, name="update")
        with name_scope(None, "total", (precision,)) as total_scope:
            total = metric_variable([], dtypes.float64, name=total_scope)
            updated_total = assign_add(total, reduce_sum(precision, name="batch_total"), name="update")
        value = collected(div_no_nan(total, most, name="mean"), metrics_collections)
        update = div_no_nan(updated_total, updated_most, name=scope)
        return value, collected(update, updates_collections)


def _average_precision(labels: Any, predictions_idx: Any) -> Any:
    """Returns the average precision per example: float64, of the shape of the predictions without the last
    dimension.
    """
    with name_scope(None, "average_precision", (predictions_idx, labels)) as scope:
        best = cast(predictions_idx, dtypes.int64, name="predictions_idx")
        if best.shape.ndims == 0:
            raise ValueError("The rank of predictions_idx must be at least 1.")
        k = best.shape.as_list()[-1]
        if k is None:
            raise ValueError("The last dimension of predictions_idx must be set.")
        labels = expanded_labels(labels, best)
        best_per_k = expand_dims(best, -1, name="predictions_idx_per_k")
        labels_per_k = repeated(labels, multiple=k, dim=-1, name="labels_per_k")
        right = found_per_set("true_positive", labels_per_k, best_per_k, name="relevant_per_k")
        right_so_far = cumsum(right, axis=-1, name="tp_per_k")
        all_so_far = cumsum(ones_like(right), axis=-1, name="retrieved_per_k")
        precisions = div(cast(right_so_far, dtypes.float64), cast(all_so_far, dtypes.float64), name="precision_per_k")
        of_right = gen_ops.mul(precisions, cast(right, dtypes.float64), name="relevant_precision_per_k")
        total = reduce_sum(of_right, axis=(-1,), name="precision_sum")
        return div(total, cast(_most_right(labels, k), dtypes.float64), name=scope)


def _most_right(labels: Any, k: int) -> Any:
    """Returns how many of `k` predictions can be correct, per example."""
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with name_scope(None, "num_relevant", (labels,)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return gen_ops.minimum(set_size(labels), k, name=scope)
        are_classes = where_v2(gen_ops.greater_equal(labels, 0), ones_like(labels), zeros_like(labels))
        return gen_ops.minimum(reduce_sum(are_classes, axis=-1), k, name=scope)
