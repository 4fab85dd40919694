"""`tf.contrib.training`: training operations, loops that train and evaluate, hyperparameters, waiting for checkpoints."""

from __future__ import annotations

from tinytf.contrib.training.evaluation import (
    StopAfterNEvalsHook,
    evaluate_once,
    evaluate_repeatedly,
    get_or_create_eval_step,
)
from tinytf.contrib.training.hparams import HParams, parse_values
from tinytf.contrib.training.summary_at_end_hook import SummaryAtEndHook
from tinytf.contrib.training.training import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
    train,
)
from tinytf.python.training.checkpoint_utils import checkpoints_iterator, wait_for_new_checkpoint

__all__ = [
    "HParams",
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "add_gradients_summaries",
    "checkpoints_iterator",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "multiply_gradients",
    "parse_values",
    "train",
    "wait_for_new_checkpoint",
]
