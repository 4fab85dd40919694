"""Runs evaluations: restores a checkpoint, runs steps that update metrics, and returns the metrics' values."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from tinytf._src.exports import named
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.values import dtypes
from tinytf._src.monitored_session.feed_and_final_hooks import FinalOpsHook
from tinytf._src.monitored_session.monitored_session import MonitoredSession
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.monitored_session.session_creators import ChiefSessionCreator
from tinytf._src.ops import array_ops
from tinytf._src.ops.state import state_ops
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook
from tinytf._src.variables import initializers
from tinytf._src.variables import scope as variable_scope


@named("_StopAfterNEvalsHook")
class StopAfterNEvalsHook(SessionRunHook):
    """Requests a stop after `num_evals` steps (None: never). With `log_progress` it logs each tenth of the steps, or
    each step if there are fewer than 20."""

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals = num_evals
        self._log_progress = log_progress
        self._logged_each = 1 if num_evals is None or num_evals < 20 else num_evals // 10
        self._evals_completed: Any = None

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        """Sets the step counter's tensor, once the graph has it."""
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: Any) -> Any:
        """Fetches the step counter."""
        return SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Logs the progress and requests the stop."""
        done, wanted = run_values.results["evals_completed"], self._num_evals
        if self._log_progress:
            if wanted is None:
                tf_logging.info("Evaluation [%d]", done)
            elif done % self._logged_each == 0 or done == wanted:
                tf_logging.info("Evaluation [%d/%d]", done, wanted)
        if wanted is not None and done >= wanted:
            run_context.request_stop()


def get_or_create_eval_step() -> Any:
    """Returns the local variable that counts evaluation steps, created if missing. ValueError if the graph has
    several."""
    found = get_default_graph().get_collection(GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    return variable_scope.get_variable(
        "eval_step",
        shape=[],
        dtype=dtypes.int64,
        initializer=initializers.zeros_initializer(),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP],
    )


def with_count(eval_ops: Any, count: Any) -> Any:
    """Adds the step counter to the fetches of a step: a dict, a list or a single fetch."""
    if isinstance(eval_ops, dict):
        return {**eval_ops, "update_eval_step": count}
    return [*(eval_ops if isinstance(eval_ops, (list, tuple)) else [eval_ops]), count]


@called_by_users
def evaluate_once(
    checkpoint_path: str | None,
    master: str = "",
    scaffold: Scaffold | None = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    hooks: Iterable[SessionRunHook] | None = None,
    config: Any = None,
) -> Any:
    """Runs steps until a hook, usually a `StopAfterNEvalsHook`, or the end of the input stops them; then evaluates
    `final_ops`.

    Args:
      checkpoint_path: the checkpoint to restore; None: variables are initialized.
      master, scaffold, config: of the session. A `local_init_op` in the scaffold must initialize
        `get_or_create_eval_step()`.
      eval_ops: fetches of a step: a single one, a list or a dict; None: no steps are run.
      feed_dict: feeds of a step.
      final_ops, final_ops_feed_dict: fetches and feeds of the last run; None: no such run.
      hooks: `SessionRunHook`s of the session.

    Returns:
      The values of `final_ops`, or None.
    """
    step = get_or_create_eval_step()
    hooks = list(hooks or ())
    if eval_ops is not None:
        eval_ops = with_count(eval_ops, state_ops.assign_add(step, 1, use_locking=True))
        with control_dependencies(list(eval_ops.values()) if isinstance(eval_ops, dict) else eval_ops):
            completed = array_ops.identity(step.read_value())
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(completed)
    tf_logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = ChiefSessionCreator(
        scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config
    )
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    with MonitoredSession(session_creator=creator, hooks=[*hooks, final]) as session:
        while eval_ops is not None and not session.should_stop():
            session.run(eval_ops, feed_dict)
    tf_logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return final.final_ops_values
