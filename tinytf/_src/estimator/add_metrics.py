"""`tf.estimator.add_metrics`: an estimator with additional evaluation metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.arguments import fn_args, given_of
from tinytf._src.estimator.estimator import Estimator
from tinytf._src.estimator.estimator_spec import EstimatorSpec
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.platform.estimator_mode import ModeKeys

_ARGS = {"features", "labels", "predictions", "config"}


@tf_export("estimator.add_metrics")
@called_by_users
def add_metrics(estimator: Estimator, metric_fn: Callable[..., dict[str, Any]]) -> Estimator:
    """Returns an estimator with the same `model_dir` whose evaluations have additional metrics.

    Args:
      estimator: the `Estimator`; its metrics with the same names are replaced.
      metric_fn: takes any of `features`, `labels`, `predictions` and `config`; returns a dict of (value, update_op)
        pairs by name.

    Returns:
      A new `Estimator`.

    Raises:
      ValueError: if `metric_fn` has other arguments.
    """
    names = set(fn_args(metric_fn))
    if not names <= _ARGS:
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {sorted(names - _ARGS)}")

    def new_model_fn(features: Any, labels: Any, mode: Any, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = given_of(
            metric_fn,
            features=lambda: features,
            labels=lambda: labels,
            predictions=lambda: spec.predictions,
            config=lambda: config,
        )
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, **metric_fn(**given)})

    return Estimator(
        model_fn=new_model_fn,
        model_dir=estimator.model_dir,
        config=estimator.config,
        warm_start_from=estimator._warm_start_settings,
    )
