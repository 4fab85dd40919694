"""The namespace `tf.losses`: losses of predictions and labels, which are weighted, reduced and collected."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.constant_tensors import ones_like, zeros_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.shape_ops import rank, shape, squeeze
from tinytf._src.ops.math.arithmetic import abs, div_no_nan
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.ops.nn.confusion_matrix import remove_squeezable_dimensions, squeezed_if
from tinytf._src.ops.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from tinytf._src.ops.nn.loss_collection import Reduction, add_loss, compute_weighted_loss, num_present
from tinytf._src.ops.nn.weights_broadcast_ops import assert_broadcastable


def _check(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"{name} must not be None.")


def _same_shape(predictions: Any, labels: Any) -> tuple[Tensor, Tensor]:
    predictions = cast(predictions, dtypes.float32)
    labels = cast(labels, dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return predictions, labels


@tf_export("losses.absolute_difference")
@called_by_users
def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes the loss `|predictions - labels|`. Weights, reduction and result are as in `compute_weighted_loss`.

    Raises ValueError if `labels` or `predictions` is None, or if their shapes differ.
    """
    _check(labels=labels, predictions=predictions)
    with name_scope(scope, "absolute_difference", (predictions, labels, weights)) as scope:
        predictions, labels = _same_shape(predictions, labels)
        losses = abs(gen_ops.sub(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.mean_squared_error")
@called_by_users
def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes the loss `(predictions - labels)**2`; used like `absolute_difference`."""
    _check(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_squared_error", (predictions, labels, weights)) as scope:
        predictions, labels = _same_shape(predictions, labels)
        losses = gen_ops.squared_difference(predictions, labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.mean_pairwise_squared_error")
@called_by_users
def mean_pairwise_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
) -> Tensor:
    """Computes the mean squared difference of the errors of two elements of a row, summed over all rows.

    `weights` is a scalar or broadcasts to the rank of `labels`; otherwise used like `absolute_difference`.
    """
    _check(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_pairwise_squared_error", (predictions, labels, weights)) as scope:
        weights = cast(weights, dtypes.float32)
        labels = cast(labels, dtypes.float32)
        with control_dependencies((assert_broadcastable(weights, labels),)):
            predictions = cast(predictions, dtypes.float32)
            predictions.shape.assert_is_compatible_with(labels.shape)
            differences = gen_ops.sub(predictions, labels)
            axes = range_of(1, rank(differences))
            squares = reduce_sum(gen_ops.square(differences), axis=axes, keepdims=True)
            present = num_present(differences, weights, per_batch=True)
            of_squares = 2.0 * div_no_nan(squares, gen_ops.maximum(present - 1, 0), name="value")
            total = reduce_sum(differences, axis=axes, keepdims=True)
            square = gen_ops.square(total)
            pairs = gen_ops.maximum(gen_ops.mul(present, present - 1), 0)
            of_sums = 2.0 * div_no_nan(square, pairs, name="value")
            loss = reduce_sum(gen_ops.mul(of_squares - of_sums, weights))
            mean_loss = where(reduce_sum(present) > 0, loss, zeros_like(loss), name="value")
            add_loss(mean_loss, loss_collection)
            return mean_loss


@tf_export("losses.huber_loss")
@called_by_users
def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes half the squared error up to `delta` and a linear loss beyond; used like `absolute_difference`."""
    _check(labels=labels, predictions=predictions)
    with name_scope(scope, "huber_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _same_shape(predictions, labels)
        error = abs(gen_ops.sub(predictions, labels))
        quadratic = gen_ops.minimum(error, delta)
        linear = gen_ops.sub(error, quadratic)
        half = convert_to_tensor(0.5, dtype=quadratic.dtype)
        losses = gen_ops.add(gen_ops.mul(half, gen_ops.mul(quadratic, quadratic)), gen_ops.mul(delta, linear))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.log_loss")
@called_by_users
def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes `-labels * log(p + epsilon) - (1 - labels) * log(1 - p + epsilon)`; used like `absolute_difference`."""
    _check(labels=labels, predictions=predictions)
    with name_scope(scope, "log_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _same_shape(predictions, labels)
        positive = gen_ops.neg(gen_ops.mul(labels, gen_ops.log(predictions + epsilon)))
        negative = gen_ops.mul(1 - labels, gen_ops.log(1 - predictions + epsilon))
        losses = positive - negative
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.hinge_loss")
@called_by_users
def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes `max(0, 1 - logits * (2 * labels - 1))` for labels 0 and 1; used like `absolute_difference`."""
    _check(labels=labels, logits=logits)
    with name_scope(scope, "hinge_loss", (logits, labels, weights)) as scope:
        logits, labels = _same_shape(logits, labels)
        ones = ones_like(labels)
        signs = gen_ops.sub(2 * labels, ones)
        losses = gen_ops.relu(gen_ops.sub(ones, gen_ops.mul(signs, logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.cosine_distance")
@called_by_users
def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: Any = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
    dim: Any = None,
) -> Tensor:
    """Computes `1 - sum(labels * predictions)` of unit vectors along `axis`; otherwise used like `absolute_difference`.

    `dim` is a deprecated name of `axis`. Raises ValueError if no axis is given.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    _check(labels=labels, predictions=predictions)
    with name_scope(scope, "cosine_distance_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _same_shape(predictions, labels)
        losses = 1 - reduce_sum(gen_ops.mul(predictions, labels), axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.sigmoid_cross_entropy")
@called_by_users
def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes `nn.sigmoid_cross_entropy_with_logits`; used like `absolute_difference`.

    `label_smoothing` is a float from 0 to 1 that moves labels towards 1/2.
    """
    _check(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(scope, "sigmoid_cross_entropy_loss", (logits, multi_class_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        labels = cast(multi_class_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.softmax_cross_entropy")
@called_by_users
def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes `nn.softmax_cross_entropy_with_logits`; used like `absolute_difference`.

    `label_smoothing`, from 0 to 1, moves labels towards a uniform distribution. The weights have no class dimension.
    """
    _check(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, "softmax_cross_entropy_loss", (logits, onehot_labels, weights)) as scope:
        logits = convert_to_tensor(logits)
        labels = cast(onehot_labels, logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = cast(shape(labels)[-1], logits.dtype)
            missing = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + missing
        labels = gen_ops.stop_gradient(labels, name="labels_stop_gradient")
        losses = softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.sparse_softmax_cross_entropy")
@called_by_users
def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Computes `nn.sparse_softmax_cross_entropy_with_logits`, with class indices as labels; used like
    `absolute_difference`.

    `labels` and `weights` may have an additional last dimension of size 1.
    """
    _check(labels=labels, logits=logits)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", (logits, labels, weights)) as scope:
        labels, logits, weights = _without_squeezable(labels, logits, weights)
        losses = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def _without_squeezable(labels: Any, logits: Any, weights: Any) -> tuple[Tensor, Any, Any]:
    """Returns labels, logits and weights without surplus last dimensions of size 1."""
    labels, logits = remove_squeezable_dimensions(labels, logits, expected_rank_diff=1)
    if weights is None:
        return labels, logits, None
    weights = convert_to_tensor(weights)
    labels_rank, weights_rank = labels.shape.ndims, weights.shape.ndims
    if labels_rank is not None and weights_rank is not None:
        if weights_rank == labels_rank + 1:
            weights = squeeze(weights, [-1])
        return labels, logits, weights
    rank_diff = rank(weights) - rank(labels)
    if weights_rank is None or (weights_rank > 0 and weights.shape.dims[-1].is_compatible_with(1)):
        weights = squeezed_if(gen_ops.equal(1, rank_diff), weights)
    return labels, logits, weights


tf_export("losses").namespace(__doc__)
