"""An evaluation: steps that update metrics, on the values of one checkpoint, and what the metrics are then."""

from __future__ import annotations

import time
from typing import Any

from tinytf.framework import dtypes, tf_logging
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.name_scope import control_dependencies
from tinytf.monitoring.feed_and_final_hooks import FinalOpsHook
from tinytf.monitoring.monitored_session import MonitoredSession
from tinytf.monitoring.scaffold import Scaffold
from tinytf.monitoring.session_creators import ChiefSessionCreator
from tinytf.ops import array_ops
from tinytf.ops.state import state_ops
from tinytf.training.session_run_hook import SessionRunArgs, SessionRunHook
from tinytf.variables import initializers
from tinytf.variables import scope as variable_scope


class StopAfterEvalsHook(SessionRunHook):
    """Requests the stop after so many steps, and says in the log how far it is: each tenth, or each step of few."""

    def __init__(self, num_evals: int) -> None:
        self._num_evals = num_evals
        self._logged_each = 1 if num_evals < 20 else num_evals // 10
        self.evals_completed: Any = None  # the tensor that counts; set when the graph has it

    def before_run(self, run_context: Any) -> Any:
        """Asks for the count."""
        return SessionRunArgs({"evals_completed": self.evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Looks at it."""
        done = run_values.results["evals_completed"]
        if done % self._logged_each == 0 or done == self._num_evals:
            tf_logging.info("Evaluation [%d/%d]", done, self._num_evals)
        if done >= self._num_evals:
            run_context.request_stop()


def get_or_create_eval_step() -> Any:
    """The local variable that counts the steps of an evaluation. ValueError if the graph has several."""
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


def evaluate_once(
    checkpoint_path: str | None,
    master: str,
    scaffold: Scaffold,
    update_op: Any,
    final_ops: dict[Any, Any],
    hooks: list[SessionRunHook],
    config: Any,
) -> dict[Any, Any]:
    """Runs `update_op` until a hook, or the end of the input, stops it; the values of `final_ops` then."""
    step = get_or_create_eval_step()
    updates = [update_op, state_ops.assign_add(step, 1, use_locking=True)]
    with control_dependencies(updates):
        completed = array_ops.identity(step.read_value())
    for hook in hooks:
        if isinstance(hook, StopAfterEvalsHook):
            hook.evals_completed = completed
    tf_logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.localtime()))
    creator = ChiefSessionCreator(
        scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config
    )
    final = FinalOpsHook(final_ops)
    with MonitoredSession(session_creator=creator, hooks=[*hooks, final]) as session:
        while not session.should_stop():
            session.run(updates)
    tf_logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime()))
    return final.final_ops_values
