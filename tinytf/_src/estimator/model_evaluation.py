"""Evaluations of an estimator's model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tinytf._src.estimator import evaluation_summaries
from tinytf._src.estimator.arguments import check_positive, checked_hooks
from tinytf._src.estimator.evaluation import StopAfterNEvalsHook, evaluate_once, get_or_create_eval_step
from tinytf._src.estimator.metric_ops import updates_and_values, with_loss_metric
from tinytf._src.estimator.model_graphs import ModelGraphs
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.ops.control_flow.dependencies import group
from tinytf._src.platform.estimator_mode import ModeKeys
from tinytf._src.training.training_util import get_global_step


def evaluation_hooks(hooks: Any, steps: int | None) -> list[Any]:
    """Returns the program's hooks, and the one that stops after a number of steps. TypeError for objects that are not
    hooks, ValueError for a number that is not positive."""
    found = checked_hooks(hooks)
    check_positive(steps, "steps")
    return found if steps is None else [*found, StopAfterNEvalsHook(steps)]


class EvaluationOps(NamedTuple):
    """An evaluation in a graph."""

    scaffold: Scaffold
    update: Any  # the operation that updates the metrics
    values: dict[Any, Any]  # the metrics' values by name
    hooks: list[Any]


class ModelEvaluation:
    """Builds and runs evaluations. `master`, `session_config`: of their sessions."""

    def __init__(self, graphs: ModelGraphs, master: str, session_config: Any) -> None:
        self._graphs = graphs
        self._master = master
        self._session_config = session_config

    def build(self, input_fn: Callable[..., Any], hooks: list[Any], checkpoint_path: str | None) -> EvaluationOps:
        """Builds the evaluation in the default graph. ValueError if the model has a metric of a reserved name."""
        self._graphs.begin()
        spec, input_hooks = self._graphs.with_labels(input_fn, ModeKeys.EVAL)
        update, values = updates_and_values(with_loss_metric(spec.eval_metric_ops, spec.loss))
        if not checkpoint_path:
            self._graphs.start_warm()
        if GraphKeys.GLOBAL_STEP in values:
            raise ValueError(
                "Metric with name `global_step` is not allowed, because Estimator already defines a default metric with the "
                "same name."
            )
        values[GraphKeys.GLOBAL_STEP] = get_global_step()
        all_hooks = [*input_hooks, *hooks, *spec.evaluation_hooks]
        return EvaluationOps(_with_all_initialized(spec.scaffold), update, values, all_hooks)

    def run(self, ops: EvaluationOps, checkpoint_path: str | None, output_dir: str) -> dict[Any, Any]:
        """Runs the evaluation, and writes its results to a directory. Returns them."""
        results = evaluate_once(
            checkpoint_path,
            master=self._master,
            scaffold=ops.scaffold,
            eval_ops=ops.update,
            final_ops=ops.values,
            hooks=ops.hooks,
            config=self._session_config,
        )
        step = results[GraphKeys.GLOBAL_STEP]
        evaluation_summaries.write_results(output_dir, results, step)
        if checkpoint_path:
            evaluation_summaries.write_checkpoint_path(output_dir, checkpoint_path, step)
        return results


def _with_all_initialized(scaffold: Scaffold) -> Scaffold:
    """Returns a scaffold whose `local_init_op` also initializes the count of steps."""
    if not scaffold.local_init_op:
        return scaffold
    get_or_create_eval_step()  # must exist when `local_init_op` runs
    local_init_op = group(scaffold.local_init_op, Scaffold.default_local_init_op())
    return Scaffold(local_init_op=local_init_op, copy_from_scaffold=scaffold)
