"""`tf.estimator.Estimator`: a model function, and a directory with its checkpoints."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf._src.checkpoint.checkpoint_reader import list_variables, load_variable
from tinytf._src.checkpoint.checkpoint_state import latest_checkpoint
from tinytf._src.estimator import evaluation_summaries, exporting, prediction
from tinytf._src.estimator.arguments import check_positive, checked_hooks, checked_listeners, fn_args, given_of
from tinytf._src.estimator.construction import check_model_fn, complete_config, device_setter
from tinytf._src.estimator.estimator_spec import EstimatorSpec
from tinytf._src.estimator.evaluation import StopAfterNEvalsHook, evaluate_once, get_or_create_eval_step
from tinytf._src.estimator.inputs import features_and_labels, features_to_predict
from tinytf._src.estimator.metric_ops import updates_and_values, with_loss_metric
from tinytf._src.estimator.run_config import RunConfig
from tinytf._src.estimator.task_types import TaskType
from tinytf._src.estimator.training import saved_global_step, train_model
from tinytf._src.estimator.warm_start import start_warm, warm_start_settings
from tinytf._src.exports import tf_export
from tinytf._src.framework.apply import random_seed
from tinytf._src.framework.context.execution import graph_mode
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.monitored_session.monitored_session import MonitoredSession
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.monitored_session.session_creators import ChiefSessionCreator
from tinytf._src.monitored_session.stop_at_step_hook import StopAtStepHook
from tinytf._src.ops.control_flow.dependencies import group
from tinytf._src.platform.deprecation import deprecated
from tinytf._src.platform.estimator_mode import ModeKeys
from tinytf._src.training.training_util import _get_or_create_global_step_read, create_global_step, get_global_step

_MAY_BE_OVERRIDDEN = {"model_fn", "_create_and_assert_global_step", "_export_all_saved_models"}


@tf_export("estimator.Estimator")
class Estimator:
    """Trains, evaluates, applies and exports a model that is defined by a function.

    Each method builds a new graph and restores variables from the latest checkpoint in `model_dir`.

    Args:
      model_fn: builds the model: takes `features`, and any of `labels`, `mode`, `params` and `config`; returns an
        `EstimatorSpec`.
      model_dir: directory of checkpoints, graphs and summaries; None: the config's, or else a new temporary one.
      config: a `RunConfig`; None: the defaults.
      params: hyperparameters, passed to `model_fn` and input functions as `params`. Copied.
      warm_start_from: initial values of variables, used while `model_dir` has no checkpoint: a checkpoint, a directory
        of checkpoints, a SavedModel, or `WarmStartSettings`.

    Input functions take any of `mode`, `params` and `config`. They return features, or a pair (features, labels); each
    is a tensor or a dict of tensors.

    Raises:
      ValueError: for a `model_fn` with other parameters, for conflicting directories, and for subclasses that override
        members.

    Example:
      estimator = tf.estimator.Estimator(model_fn, model_dir="/tmp/model")
      estimator.train(input_fn, max_steps=1000)
      metrics = estimator.evaluate(input_fn, steps=10)
    """

    @called_by_users
    def __init__(
        self,
        model_fn: Callable[..., EstimatorSpec],
        model_dir: Any = None,
        config: RunConfig | None = None,
        params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        self._assert_members_are_not_overridden()
        self._config = complete_config(config, model_dir)
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config
        tf_logging.info("Using config: %s", str(vars(self._config)))
        self._device_fn = self._config.device_fn or device_setter(self._config)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = warm_start_settings(warm_start_from)

    def _assert_members_are_not_overridden(self) -> None:
        kind = type(self)
        members = {name for name in dir(Estimator) if not name.startswith("__")} - _MAY_BE_OVERRIDDEN
        overridden = [
            name for name in vars(kind) if name in members and getattr(Estimator, name) != getattr(kind, name)
        ]
        if overridden:
            raise ValueError(
                f"Subclasses of Estimator cannot override members of Estimator. {kind} does override {overridden}"
            )

    # -- Properties ----------------------------------------------------------------------------------------------------

    @property
    def model_dir(self) -> Any:
        """The directory of checkpoints, graphs and summaries."""
        return self._model_dir

    @property
    def config(self) -> RunConfig:
        """A copy of the `RunConfig`."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> Any:
        """A copy of the hyperparameters."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """The model function, with the parameters features, labels, mode and config."""

        def public_model_fn(features: Any, labels: Any, mode: Any, config: Any) -> EstimatorSpec:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def eval_dir(self, name: str | None = None) -> str:
        """Returns the directory of the summaries of evaluations with that name; None: the unnamed ones."""
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    # -- Checkpoints ---------------------------------------------------------------------------------------------------

    @called_by_users
    def get_variable_value(self, name: str) -> Any:
        """Returns the value of a variable in the latest checkpoint, a NumPy array.

        Raises:
          ValueError: if there is no checkpoint.
        """
        self._check_trained()
        return load_variable(self._model_dir, name)

    @called_by_users
    def get_variable_names(self) -> list[str]:
        """Returns a list of the names of all variables in the latest checkpoint.

        Raises:
          ValueError: if there is no checkpoint.
        """
        self._check_trained()
        return [name for name, _ in list_variables(self._model_dir)]

    @called_by_users
    def latest_checkpoint(self) -> str | None:
        """Returns the path prefix of the latest checkpoint; None if there is none."""
        return latest_checkpoint(self._model_dir)

    def _check_trained(self) -> None:
        if not latest_checkpoint(self._model_dir):
            raise ValueError(f"Could not find trained model in model_dir: {self._model_dir}.")

    # -- Training ------------------------------------------------------------------------------------------------------

    @called_by_users
    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Any = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Any = None,
    ) -> Estimator:
        """Trains the model, continuing from the latest checkpoint.

        Args:
          input_fn: builds the input; see the class.
          hooks: `SessionRunHook`s, or None.
          steps: int, number of steps; None: until the input ends.
          max_steps: int, the global step to reach; if a checkpoint has it, nothing is done. Excludes `steps`.
          saving_listeners: `CheckpointSaverListener`s, or None.

        Returns:
          The estimator itself.

        Raises:
          ValueError: for numbers that are not positive, if both are given, and in evaluators and parameter servers.
          NanLossDuringTrainingError: if the loss becomes NaN.
        """
        if self._config.task_type in (TaskType.EVALUATOR, TaskType.PS):
            raise ValueError(
                "Train has been called wrong configuration. Please use tf.estimator.train_and_evaluate which calls proper "
                f"API according to given configuration. Current configuration: {self.config}."
            )
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        check_positive(steps, "steps")
        check_positive(max_steps, "max_steps")
        if max_steps is not None and max_steps <= saved_global_step(self._model_dir):
            tf_logging.info("Skipping training since max_steps has already saved.")
            return self
        all_hooks = checked_hooks(hooks)
        if steps is not None or max_steps is not None:
            all_hooks.append(StopAtStepHook(steps, max_steps))
        listeners = checked_listeners(saving_listeners)
        with _new_graph() as graph, graph.device(self._device_fn):
            random_seed.set_random_seed(self._config.tf_random_seed)
            self._create_and_assert_global_step(graph)
            _get_or_create_global_step_read(graph)
            features, labels = features_and_labels(self._call_input_fn(input_fn, ModeKeys.TRAIN))
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            if self._warm_start_settings:
                start_warm(self._warm_start_settings)
            loss = train_model(spec, self._config, self._session_config, all_hooks, listeners)
        tf_logging.info("Loss for final step: %s.", loss)
        return self

    # -- Evaluation ----------------------------------------------------------------------------------------------------

    @called_by_users
    def evaluate(
        self,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Any = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[Any, Any]:
        """Evaluates the model and writes its metrics as summaries to `eval_dir(name)`.

        Args:
          input_fn: builds the input; see the class.
          steps: int, number of steps; None: until the input ends.
          hooks: `SessionRunHook`s, or None.
          checkpoint_path: the checkpoint; None: the latest, or initial values if there is none.
          name: str, distinguishes several evaluations; None: unnamed.

        Returns:
          A dict with the metrics by name, "loss" and "global_step" included.

        Raises:
          ValueError: if `steps` is not positive, or the model has a metric named "loss" or "global_step".
        """
        all_hooks = self._evaluation_hooks(hooks, steps)
        checkpoint_path = checkpoint_path or self._newest("evaluate")
        with _new_graph():
            scaffold, update, values, all_hooks = self._evaluate_build_graph(input_fn, all_hooks, checkpoint_path)
            return self._evaluate_run(checkpoint_path, scaffold, update, values, all_hooks, self.eval_dir(name))

    def _evaluation_hooks(self, hooks: Any, steps: int | None) -> list[Any]:
        found = checked_hooks(hooks)
        check_positive(steps, "steps")
        return found if steps is None else [*found, StopAfterNEvalsHook(steps)]

    def _evaluate_build_graph(
        self, input_fn: Callable[..., Any], hooks: list[Any], checkpoint_path: str | None
    ) -> tuple[Scaffold, Any, dict[Any, Any], list[Any]]:
        """Builds the model in the default graph. Returns scaffold, update operation and values of metrics, and all
        hooks."""
        self._begin_graph()
        features, labels = features_and_labels(self._call_input_fn(input_fn, ModeKeys.EVAL))
        spec = self._call_model_fn(features, labels, ModeKeys.EVAL, self.config)
        update, values = updates_and_values(with_loss_metric(spec.eval_metric_ops, spec.loss))
        self._begin_warm(checkpoint_path)
        if GraphKeys.GLOBAL_STEP in values:
            raise ValueError(
                "Metric with name `global_step` is not allowed, because Estimator already defines a default metric with the "
                "same name."
            )
        values[GraphKeys.GLOBAL_STEP] = get_global_step()
        scaffold = spec.scaffold
        if scaffold.local_init_op:
            get_or_create_eval_step()  # must exist when `local_init_op` runs
            local_init_op = group(scaffold.local_init_op, Scaffold.default_local_init_op())
            scaffold = Scaffold(local_init_op=local_init_op, copy_from_scaffold=scaffold)
        return scaffold, update, values, [*hooks, *spec.evaluation_hooks]

    def _evaluate_run(
        self,
        checkpoint_path: str | None,
        scaffold: Scaffold,
        update_op: Any,
        values: dict[Any, Any],
        hooks: list[Any],
        output_dir: str,
    ) -> dict[Any, Any]:
        """Runs an evaluation and writes its results."""
        results = evaluate_once(
            checkpoint_path,
            master=self._config.evaluation_master,
            scaffold=scaffold,
            eval_ops=update_op,
            final_ops=values,
            hooks=hooks,
            config=self._session_config,
        )
        step = results[GraphKeys.GLOBAL_STEP]
        evaluation_summaries.write_results(output_dir, results, step)
        if checkpoint_path:
            evaluation_summaries.write_checkpoint_path(output_dir, checkpoint_path, step)
        return results

    # -- Predictions ---------------------------------------------------------------------------------------------------

    def predict(
        self,
        input_fn: Callable[..., Any],
        predict_keys: Any = None,
        hooks: Any = None,
        checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Generates predictions until the input ends. The graph is built when the first one is requested.

        Args:
          input_fn: builds the input; see the class. Labels are ignored.
          predict_keys: names of the predictions to yield; None: all.
          hooks: `SessionRunHook`s, or None.
          checkpoint_path: the checkpoint; None: the latest, or initial values if there is none.
          yield_single_examples: bool, whether to yield each example separately instead of whole batches.

        Yields:
          NumPy arrays, or dicts of them by name.

        Raises:
          ValueError: for unknown keys, and for predictions of different batch sizes.
          IndexError: for a scalar prediction that is to be split into examples.
        """
        all_hooks = checked_hooks(hooks)
        checkpoint_path = checkpoint_path or self._newest("predict")
        graph = Graph()
        with _building(graph):
            self._begin_graph()
            features = features_to_predict(self._call_input_fn(input_fn, ModeKeys.PREDICT))
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._begin_warm(checkpoint_path)
            predictions = prediction.chosen(spec.predictions, predict_keys)
            creator = ChiefSessionCreator(
                checkpoint_filename_with_path=checkpoint_path,
                master=self._config.master,
                scaffold=spec.scaffold,
                config=self._session_config,
            )
            session = MonitoredSession(session_creator=creator, hooks=[*all_hooks, *spec.prediction_hooks])
        # Between items the program has its own default graph.
        with prediction.InGraph(session, lambda: _building(graph)):
            while not session.should_stop():
                with _building(graph):
                    values = session.run(predictions)
                if yield_single_examples:
                    yield from prediction.examples(values)
                else:
                    yield values

    # -- Export --------------------------------------------------------------------------------------------------------

    @called_by_users
    def export_saved_model(
        self,
        export_dir_base: Any,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Any = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: Any = ModeKeys.PREDICT,
    ) -> bytes:
        """Exports the model as a SavedModel to a new subdirectory named by the current time in seconds.

        Args:
          export_dir_base: the parent directory.
          serving_input_receiver_fn: builds the input; returns a `ServingInputReceiver`.
          assets_extra: dict from paths below `assets.extra` to source files, or None.
          as_text: bool, whether the graph is written as text.
          checkpoint_path: the checkpoint; None: the latest.
          experimental_mode: the `ModeKeys` mode in which the model is built.

        Returns:
          The path of the new directory, bytes.

        Raises:
          ValueError: if there is no checkpoint, or it lacks variables.
        """
        _check_receiver_fn(serving_input_receiver_fn)
        receivers = {experimental_mode: serving_input_receiver_fn}
        return self._export_all_saved_models(export_dir_base, receivers, assets_extra, as_text, checkpoint_path)

    @deprecated(None, "This function has been renamed, use `export_saved_model` instead.")
    @called_by_users
    def export_savedmodel(
        self,
        export_dir_base: Any,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Any = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Like `export_saved_model` in mode PREDICT, but attrs with default values are kept unless
        `strip_default_attrs`."""
        _check_receiver_fn(serving_input_receiver_fn)
        receivers = {ModeKeys.PREDICT: serving_input_receiver_fn}
        return self._export_all_saved_models(
            export_dir_base, receivers, assets_extra, as_text, checkpoint_path, strip_default_attrs
        )

    @called_by_users
    def experimental_export_all_saved_models(
        self,
        export_dir_base: Any,
        input_receiver_fn_map: dict[Any, Callable[[], Any]],
        assets_extra: Any = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """Like `export_saved_model`, with one graph for each mode in `input_receiver_fn_map`, a dict of receiver
        functions."""
        return self._export_all_saved_models(
            export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path
        )

    def _export_all_saved_models(
        self,
        export_dir_base: Any,
        input_receiver_fn_map: dict[Any, Callable[[], Any]],
        assets_extra: Any = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = True,
    ) -> bytes:
        checkpoint_path = checkpoint_path or latest_checkpoint(self._model_dir)
        if not checkpoint_path:
            if not self._warm_start_settings:
                raise ValueError(f"Couldn't find trained model at {self._model_dir}.")
            checkpoint_path = exporting.checkpoint_of_warm_start(self._warm_start_settings)

        def make(mode: Any, receiver_fn: Callable[[], Any]) -> tuple[Any, EstimatorSpec]:
            self._create_and_assert_global_step(get_default_graph())
            random_seed.set_random_seed(self._config.tf_random_seed)
            receiver = receiver_fn()
            labels = getattr(receiver, "labels", None)
            return receiver, self._call_model_fn(receiver.features, labels, mode, self.config)

        with graph_mode():
            model = exporting.Model(make, checkpoint_path, self._session_config, strip_default_attrs)
            return exporting.export(model, export_dir_base, input_receiver_fn_map, assets_extra, as_text)

    # -- Helpers -------------------------------------------------------------------------------------------------------

    def _begin_graph(self) -> None:
        random_seed.set_random_seed(self._config.tf_random_seed)
        self._create_and_assert_global_step(get_default_graph())

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        """Creates the global step in a graph without one. Subclasses may override it."""
        return create_global_step(graph)

    def _begin_warm(self, checkpoint_path: str | None) -> None:
        if not checkpoint_path and self._warm_start_settings:
            start_warm(self._warm_start_settings)

    def _newest(self, purpose: str) -> str | None:
        """Returns the latest checkpoint; if there is none, logs that and returns None."""
        path = latest_checkpoint(self._model_dir)
        if not path:
            tf_logging.info(
                "Could not find trained model in model_dir: %s, running initialization to %s.", self._model_dir, purpose
            )
        return path

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: Any) -> Any:
        given = given_of(input_fn, mode=lambda: mode, params=lambda: self.params, config=lambda: self.config)
        with device("/cpu:0"):
            return input_fn(**given)

    def _call_model_fn(self, features: Any, labels: Any, mode: Any, config: Any) -> EstimatorSpec:
        if labels is not None and "labels" not in fn_args(self._model_fn):
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        given = given_of(
            self._model_fn,
            labels=lambda: labels,
            mode=lambda: mode,
            params=lambda: self.params,
            config=lambda: config,
        )
        tf_logging.info("Calling model_fn.")
        spec = self._model_fn(features=features, **given)
        tf_logging.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec


@contextmanager
def _building(graph: Graph) -> Iterator[Graph]:
    """Returns a context manager in which `graph` is the default graph, also in eager execution."""
    with graph_mode(), graph.as_default():
        yield graph


def _new_graph() -> AbstractContextManager[Graph]:
    return _building(Graph())


def _check_receiver_fn(function: Any) -> None:
    if not function:
        raise ValueError("An input_receiver_fn must be defined.")
