"""Evaluation metrics, with the loss among them."""

from __future__ import annotations

from typing import Any

from tinytf._src.metrics.means import mean
from tinytf._src.ops.control_flow.dependencies import group

LOSS_METRIC = "loss"


def with_loss_metric(metrics: dict[Any, Any], loss: Any) -> dict[Any, Any]:
    """Adds the mean of the loss to the metrics and returns them. ValueError if there is a metric with that name."""
    if LOSS_METRIC in metrics:
        raise ValueError(
            f'Metric with name "{LOSS_METRIC}" is not allowed, because Estimator already defines a default metric with the '
            "same name."
        )
    metrics[LOSS_METRIC] = mean(loss)
    return metrics


def updates_and_values(metrics: dict[Any, Any]) -> tuple[Any, dict[Any, Any]]:
    """Returns the operation that updates all metrics, and their values, ordered by name."""
    ordered = sorted(metrics.items())
    update = group(*(pair[1] for _, pair in ordered)) if ordered else None
    return update, {name: pair[0] for name, pair in ordered}
