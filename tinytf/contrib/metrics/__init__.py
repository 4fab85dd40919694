"""`tf.contrib.metrics`: streaming metrics, most of them `tf.metrics` under older names, with predictions
before labels."""

from __future__ import annotations

import tinytf as tf
from tinytf.contrib.metrics.aggregation import aggregate_metric_map, aggregate_metrics
from tinytf.contrib.metrics.classification import accuracy, f1_score
from tinytf.contrib.metrics.dynamic_auc import streaming_dynamic_auc
from tinytf.contrib.metrics.histogram_auc import auc_using_histogram
from tinytf.contrib.metrics.moments import streaming_covariance, streaming_pearson_correlation
from tinytf.contrib.metrics.placements import auc_with_confidence_intervals
from tinytf.contrib.metrics.precision_recall import (
    precision_at_recall,
    precision_recall_at_equal_thresholds,
    recall_at_precision,
)
from tinytf.contrib.metrics.rates import (
    streaming_curve_points,
    streaming_false_negative_rate,
    streaming_false_negative_rate_at_thresholds,
    streaming_false_negatives_at_thresholds,
    streaming_false_positive_rate,
    streaming_false_positive_rate_at_thresholds,
    streaming_false_positives_at_thresholds,
    streaming_true_negatives_at_thresholds,
    streaming_true_positives_at_thresholds,
)
from tinytf.contrib.metrics.renamed import (
    streaming_accuracy,
    streaming_auc,
    streaming_false_negatives,
    streaming_false_positives,
    streaming_mean,
    streaming_mean_absolute_error,
    streaming_mean_cosine_distance,
    streaming_mean_iou,
    streaming_mean_relative_error,
    streaming_mean_squared_error,
    streaming_mean_tensor,
    streaming_percentage_less,
    streaming_precision,
    streaming_precision_at_thresholds,
    streaming_recall,
    streaming_recall_at_thresholds,
    streaming_root_mean_squared_error,
    streaming_sensitivity_at_specificity,
    streaming_specificity_at_sensitivity,
    streaming_true_negatives,
    streaming_true_positives,
)
from tinytf.contrib.metrics.streams import cohen_kappa, count, streaming_concat
from tinytf.contrib.metrics.top_k import (
    sparse_recall_at_top_k,
    streaming_recall_at_k,
    streaming_sparse_average_precision_at_k,
    streaming_sparse_average_precision_at_top_k,
    streaming_sparse_precision_at_k,
    streaming_sparse_precision_at_top_k,
    streaming_sparse_recall_at_k,
)
from tinytf.python.missing import no_other_names

confusion_matrix = tf.confusion_matrix
set_difference = tf.sets.set_difference
set_intersection = tf.sets.set_intersection
set_size = tf.sets.set_size
set_union = tf.sets.set_union

__all__ = [
    "accuracy",
    "aggregate_metric_map",
    "aggregate_metrics",
    "auc_using_histogram",
    "auc_with_confidence_intervals",
    "cohen_kappa",
    "confusion_matrix",
    "count",
    "f1_score",
    "precision_at_recall",
    "precision_recall_at_equal_thresholds",
    "recall_at_precision",
    "set_difference",
    "set_intersection",
    "set_size",
    "set_union",
    "sparse_recall_at_top_k",
    "streaming_accuracy",
    "streaming_auc",
    "streaming_concat",
    "streaming_covariance",
    "streaming_curve_points",
    "streaming_dynamic_auc",
    "streaming_false_negative_rate",
    "streaming_false_negative_rate_at_thresholds",
    "streaming_false_negatives",
    "streaming_false_negatives_at_thresholds",
    "streaming_false_positive_rate",
    "streaming_false_positive_rate_at_thresholds",
    "streaming_false_positives",
    "streaming_false_positives_at_thresholds",
    "streaming_mean",
    "streaming_mean_absolute_error",
    "streaming_mean_cosine_distance",
    "streaming_mean_iou",
    "streaming_mean_relative_error",
    "streaming_mean_squared_error",
    "streaming_mean_tensor",
    "streaming_pearson_correlation",
    "streaming_percentage_less",
    "streaming_precision",
    "streaming_precision_at_thresholds",
    "streaming_recall",
    "streaming_recall_at_k",
    "streaming_recall_at_thresholds",
    "streaming_root_mean_squared_error",
    "streaming_sensitivity_at_specificity",
    "streaming_sparse_average_precision_at_k",
    "streaming_sparse_average_precision_at_top_k",
    "streaming_sparse_precision_at_k",
    "streaming_sparse_precision_at_top_k",
    "streaming_sparse_recall_at_k",
    "streaming_specificity_at_sensitivity",
    "streaming_true_negatives",
    "streaming_true_negatives_at_thresholds",
    "streaming_true_positives",
    "streaming_true_positives_at_thresholds",
]
__getattr__ = no_other_names(__name__)
