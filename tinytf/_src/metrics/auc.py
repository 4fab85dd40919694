"""The area under a ROC or precision-recall curve, approximated at thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.logs import tf_logging
from tinytf._src.metrics.means import Measure
from tinytf._src.metrics.streams import collected, refuse_eager
from tinytf._src.metrics.thresholds import EPSILON, Counts, counts_at_thresholds, even_thresholds
from tinytf._src.ops.array.constant_tensors import ones_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.math.arithmetic import div, div_no_nan
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.variables.scope import variable_scope

_SMOOTHING = 1.0e-6


@tf_export("metrics.auc")
@called_by_users
def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Sequence[float] | None = None,
) -> Measure:
    """Computes the approximate area under the ROC or precision-recall curve of a stream of predictions.

    Args:
      labels: tensor that is cast to bool; an element other than 0 is positive.
      predictions: float tensor of the shape of `labels`, with values in [0, 1].
      weights: None, or a tensor of example weights: a scalar, or of the rank of `labels` with each dimension equal to
        that of `labels` or 1.
      num_thresholds: int, number of evenly spaced thresholds if `thresholds` is None.
      metrics_collections: optional collection names to which the value is added.
      updates_collections: optional collection names to which the update is added.
      curve: "ROC" (true positive rate over false positive rate) or "PR" (precision over recall).
      name: optional name of the variable scope.
      summation_method: "trapezoidal", "minoring" or "majoring" uses the mean, the lower or the higher of the two end
        points of a segment as its height; "careful_interpolation" interpolates the true positives of a "PR" curve
        between thresholds, and is the same as "trapezoidal" for "ROC".
      thresholds: optional floats in [0, 1] that replace the evenly spaced thresholds; one below 0 and one above 1 are
        added.

    Returns:
      Two float32 scalars: the area, and the area after the update that yields it.

    Raises:
      ValueError: if `curve` or `summation_method` is unknown, or if shapes do not match.
      RuntimeError: in eager execution.
    """
    refuse_eager("auc")
    with variable_scope(name, "auc", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        if thresholds is None:
            limits = even_thresholds(num_thresholds)
        else:
            limits = [0.0 - EPSILON, *sorted(thresholds), 1.0 + EPSILON]
        values, updates = counts_at_thresholds(labels, predictions, limits, weights)
        last = num_thresholds - 1 if thresholds is None else len(limits) - 1  # also if there are too few

        def area(counts: Counts, name: str) -> Any:
            if curve == "PR" and summation_method == "trapezoidal":
                tf_logging.warning(
                    "Trapezoidal rule is known to produce incorrect PR-AUCs; "
                    'please switch to "careful_interpolation" instead.'
                )
            if curve == "PR" and summation_method == "careful_interpolation":
                return _interpolated(counts["tp"], counts["fp"], counts["fn"], last)
            return _sum_of_pieces(*_curve(curve, counts), last, summation_method, name)

        value = collected(area(values, "value"), metrics_collections)
        return value, collected(area(updates, "update_op"), updates_collections)


def _curve(curve: str, counts: Counts) -> tuple[Any, Any]:
    """Returns the x and y coordinates of the curve at each threshold."""
    tp, fn, tn, fp = counts["tp"], counts["fn"], counts["tn"], counts["fp"]
    recall = div(tp + _SMOOTHING, tp + fn + _SMOOTHING)
    if curve == "ROC":
        return div(fp, fp + tn + _SMOOTHING), recall
    return recall, div(tp + _SMOOTHING, tp + fp + _SMOOTHING)


def _sum_of_pieces(x: Any, y: Any, last: int, method: str, name: str) -> Any:
    if method not in ("trapezoidal", "careful_interpolation", "minoring", "majoring"):
        raise ValueError(f"Invalid summation_method: {method}")
    widths = x[:last] - x[1:]
    if method == "minoring":
        heights = gen_ops.minimum(y[:last], y[1:])
    elif method == "majoring":
        heights = gen_ops.maximum(y[:last], y[1:])
    else:
        heights = (y[:last] + y[1:]) / 2.0
    return reduce_sum(gen_ops.mul(widths, heights), name=name)


def _interpolated(tp: Any, fp: Any, fn: Any, last: int) -> Any:
    """Returns the area under a precision-recall curve, with true positives interpolated linearly in the number of
    predicted positives (Davis and Goadrich, The Relationship Between Precision-Recall and ROC Curves, 2006).
    """
    more = tp[:last] - tp[1:]
    positives = tp + fp
    slope = div_no_nan(more, gen_ops.maximum(positives[:last] - positives[1:], 0), name="prec_slope")
    intercept = tp[1:] - gen_ops.mul(slope, positives[1:])
    ratio = where(
        gen_ops.logical_and(positives[:last] > 0, positives[1:] > 0),
        div_no_nan(positives[:last], gen_ops.maximum(positives[1:], 0), name="recall_relative_ratio"),
        ones_like(positives[1:]),
    )
    pieces = div_no_nan(
        slope * (more + intercept * gen_ops.log(ratio)),
        gen_ops.maximum(tp[1:] + fn[1:], 0),
        name="pr_auc_increment",
    )
    return reduce_sum(pieces, name="interpolate_pr_auc")
