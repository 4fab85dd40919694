"""`tf.estimator.experimental.InMemoryEvaluatorHook`: evaluations during a training, without checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.estimator.estimator import Estimator
from tinytf._src.estimator.model_evaluation import evaluation_hooks
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.ops import array_ops
from tinytf._src.ops.control_flow.dependencies import group
from tinytf._src.ops.state import state_ops
from tinytf._src.training.second_or_step_timer import SecondOrStepTimer
from tinytf._src.training.session_run_hook import SessionRunHook


@tf_export("estimator.experimental.InMemoryEvaluatorHook")
class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates the model with its current variables: at the start of the training, every `every_n_iter` steps, and at
    the end.

    Args:
      estimator: the `Estimator` that is trained.
      input_fn, steps, hooks, name: as of `Estimator.evaluate`.
      every_n_iter: int, number of steps between evaluations.

    Raises:
      ValueError: if `every_n_iter` is not positive, or in clusters; when the session is created, for models with their
        own saver, `init_fn` or saveable objects.
    """

    @called_by_users
    def __init__(
        self,
        estimator: Estimator,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Any = None,
        name: str | None = None,
        every_n_iter: int = 100,
    ) -> None:
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if estimator.config.num_ps_replicas > 0 or estimator.config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._evaluation = estimator._evaluation()
        self._input_fn = input_fn
        self._eval_dir = estimator.eval_dir(name)
        self._hooks = evaluation_hooks(hooks, steps)
        self._timer = SecondOrStepTimer(every_steps=every_n_iter)

    def begin(self) -> None:
        """Builds the model again, in a separate graph for evaluations."""
        self._timer.reset()
        self._steps = 0
        self._graph = Graph()
        with self._graph.as_default():
            self._ops = self._evaluation.build(self._input_fn, self._hooks, checkpoint_path=None)
            for custom, what in ((self._ops.scaffold.saver, "saver"), (self._ops.scaffold.init_fn, "init_fn")):
                if custom is not None:
                    raise ValueError(f"InMemoryEvaluator does not support custom {what}")
            self._eval_variables = _variables()
            self._fed = {name: array_ops.placeholder(v.dtype) for name, v in self._eval_variables.items()}

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Evaluates the initial state of the training."""
        if get_default_graph().get_collection(GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError("InMemoryEvaluator does not support saveables other than global variables.")
        self._trained = {name: v for name, v in _variables().items() if name in self._fed}
        with self._graph.as_default():
            self._feed_op = group([state_ops.assign(self._eval_variables[n], self._fed[n]) for n in self._trained])
        self._evaluate(session)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluates if the timer is due."""
        self._steps += 1
        if self._timer.should_trigger_for_step(self._steps):
            self._evaluate(run_context.session)

    def end(self, session: Any) -> None:
        """Evaluates the final state of the training."""
        self._evaluate(session)

    def _evaluate(self, train_session: Any) -> None:
        values = train_session.run(self._trained)

        def take_values(scaffold: Scaffold, session: Any) -> None:
            session.run(self._feed_op, feed_dict={self._fed[name]: value for name, value in values.items()})

        with self._graph.as_default():
            scaffold = Scaffold(init_fn=take_values, copy_from_scaffold=self._ops.scaffold)
            self._evaluation.run(self._ops._replace(scaffold=scaffold), None, self._eval_dir)
        self._timer.update_last_triggered_step(self._steps)


def _variables() -> dict[str, Any]:
    """Returns the global variables of the default graph by name."""
    return {v.name: v for v in get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)}
