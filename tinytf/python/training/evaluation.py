"""TensorFlow's path to the evaluation of one checkpoint."""

from tinytf._src.estimator.evaluation import StopAfterNEvalsHook as _StopAfterNEvalsHook
from tinytf._src.estimator.evaluation import evaluate_once as _evaluate_once
from tinytf._src.estimator.evaluation import get_or_create_eval_step as _get_or_create_eval_step
from tinytf._src.estimator.evaluation import with_count as with_count

__all__ = ["_StopAfterNEvalsHook", "_evaluate_once", "_get_or_create_eval_step"]
