"""Confusion matrices, and the adjustment of label and prediction shapes that metrics and losses share."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.constant_tensors import ones_like, zeros
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.array.shape_ops import rank, squeeze
from tinytf._src.ops.checks.check_ops import assert_less, assert_non_negative
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.dependencies import with_dependencies
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_max
from tinytf._src.ops.sparse.sparse_parts import sparse_add

__all__ = ["confusion_matrix", "remove_squeezable_dimensions"]


def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Returns labels and predictions, one without a last dimension of size 1 if that yields the expected difference of
    ranks.

    The difference is the rank of the predictions minus that of the labels.
    """
    with name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions = convert_to_tensor(predictions)
        labels = convert_to_tensor(labels)
        labels_rank, predictions_rank = labels.shape.ndims, predictions.shape.ndims
        if labels_rank is not None and predictions_rank is not None:
            difference = predictions_rank - labels_rank
            if difference == expected_rank_diff + 1:
                predictions = squeeze(predictions, [-1])
            elif difference == expected_rank_diff - 1:
                labels = squeeze(labels, [-1])
            return labels, predictions
        difference = rank(predictions) - rank(labels)
        if _may_end_in_one(predictions):
            predictions = squeezed_if(gen_ops.equal(expected_rank_diff + 1, difference), predictions)
        if _may_end_in_one(labels):
            labels = squeezed_if(gen_ops.equal(expected_rank_diff - 1, difference), labels)
        return labels, predictions


def _may_end_in_one(tensor: Tensor) -> bool:
    dims = tensor.shape.dims
    return dims is None or (bool(dims) and dims[-1].is_compatible_with(1))


def squeezed_if(condition: Tensor, tensor: Tensor) -> Tensor:
    """Returns `tensor`, without its last dimension (of size 1) if `condition` is true at run time."""
    return cond(condition, lambda: squeeze(tensor, [-1]), lambda: tensor)


@tf_export("math.confusion_matrix", "confusion_matrix")
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    weights: Any = None,
) -> Tensor:
    """Computes a confusion matrix: element [i, j] counts the examples of class i that were predicted as class j.

    A class out of range raises InvalidArgumentError, at run time unless the values are known.

    Args:
      labels: vector of class indices.
      predictions: vector of class indices.
      num_classes: optional int; defaults to the largest class index plus 1.
      dtype: dtype of the matrix.
      name: optional name of the name scope.
      weights: optional vector of example weights.

    Returns:
      A matrix [num_classes, num_classes] of `dtype`.

    Raises:
      ValueError: if the shapes of `predictions` and `weights` do not match.
    """
    with name_scope(name, "confusion_matrix", (predictions, labels, num_classes, weights)):
        labels, predictions = remove_squeezable_dimensions(
            convert_to_tensor(labels, name="labels"), convert_to_tensor(predictions, name="predictions")
        )
        predictions = cast(predictions, dtypes.int64)
        labels = cast(labels, dtypes.int64)
        check = assert_non_negative(labels, message="`labels` contains negative values")
        labels = with_dependencies([check], labels)
        check = assert_non_negative(predictions, message="`predictions` contains negative values")
        predictions = with_dependencies([check], predictions)
        if num_classes is None:
            num_classes = gen_ops.maximum(reduce_max(predictions), reduce_max(labels)) + 1
        else:
            limit = cast(num_classes, dtypes.int64)
            labels = with_dependencies([assert_less(labels, limit, message="`labels` out of bound")], labels)
            check = assert_less(predictions, limit, message="`predictions` out of bound")
            predictions = with_dependencies([check], predictions)
        if weights is not None:
            weights = convert_to_tensor(weights, name="weights")
            predictions.shape.assert_is_compatible_with(weights.shape)
            weights = cast(weights, dtype)
        extents = stack([num_classes, num_classes])
        indices = stack([labels, predictions], axis=1)
        values = ones_like(predictions, dtype) if weights is None else weights
        counts = SparseTensor(indices, values, cast(extents, dtypes.int64))
        return sparse_add(zeros(cast(extents, dtypes.int32), dtype), counts)
