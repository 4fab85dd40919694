"""Evaluation of each checkpoint that a training job writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import tinytf as tf
from tinytf.python.training.evaluation import _evaluate_once as evaluate_once
from tinytf.python.training.evaluation import _get_or_create_eval_step as get_or_create_eval_step
from tinytf.python.training.evaluation import _StopAfterNEvalsHook as StopAfterNEvalsHook
from tinytf.python.training.evaluation import with_count

__all__ = ["StopAfterNEvalsHook", "evaluate_once", "evaluate_repeatedly", "get_or_create_eval_step"]


def evaluate_repeatedly(
    checkpoint_dir: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60,
    hooks: Iterable[Any] | None = None,
    config: Any = None,
    max_number_of_evaluations: int | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Any:
    """Evaluates each new checkpoint in a directory as `evaluate_once` does.

    Args:
      checkpoint_dir: string, the directory.
      master: string, as in `evaluate_once`.
      scaffold: as in `evaluate_once`.
      eval_ops: as in `evaluate_once`.
      feed_dict: as in `evaluate_once`.
      final_ops: as in `evaluate_once`.
      final_ops_feed_dict: as in `evaluate_once`.
      eval_interval_secs: minimum number of seconds between the starts of two evaluations.
      hooks: as in `evaluate_once`.
      config: as in `evaluate_once`.
      max_number_of_evaluations: int, maximum number of evaluations; unlimited if None.
      timeout: seconds to wait for a checkpoint; unlimited if None.
      timeout_fn: called after a timeout; returns True to end the evaluation. It ends in any case if None.

    Returns:
      The values of `final_ops` after the last evaluation, None if there was none.
    """
    step = get_or_create_eval_step()
    hooks = list(hooks or ())
    if eval_ops is not None:
        completed = tf.assign_add(step, 1)
        eval_ops = with_count(eval_ops, completed)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(completed)
    final = tf.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    found = tf.train.checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn)
    for number, path in enumerate(found, start=1):
        creator = tf.train.ChiefSessionCreator(
            scaffold, master=master, config=config, checkpoint_filename_with_path=path
        )
        with tf.train.MonitoredSession(creator, hooks=[*hooks, final]) as session:
            _say("Starting")
            while eval_ops is not None and not session.should_stop():
                session.run(eval_ops, feed_dict)
            _say("Finished")
        if max_number_of_evaluations is not None and number >= max_number_of_evaluations:
            break
    return final.final_ops_values


def _say(what: str) -> None:
    tf.logging.info("%s evaluation at %s", what, time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
