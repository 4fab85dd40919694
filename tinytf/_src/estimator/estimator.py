"""`tf.estimator.Estimator`: a model function, and a directory with its checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tinytf._src.estimator import exporting
from tinytf._src.estimator.arguments import checked_hooks
from tinytf._src.estimator.construction import check_overrides, complete_config, device_setter
from tinytf._src.estimator.estimator_spec import EstimatorSpec
from tinytf._src.estimator.model_dir import ModelDir
from tinytf._src.estimator.model_evaluation import ModelEvaluation, evaluation_hooks
from tinytf._src.estimator.model_functions import ModelFunctions
from tinytf._src.estimator.model_graphs import ModelGraphs, building
from tinytf._src.estimator.model_prediction import ModelPrediction
from tinytf._src.estimator.model_training import ModelTraining
from tinytf._src.estimator.run_config import RunConfig
from tinytf._src.estimator.warm_start import warm_start_settings
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import graph_mode
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform.deprecation import deprecated
from tinytf._src.platform.estimator_mode import ModeKeys
from tinytf._src.training.training_util import create_global_step


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
        check_overrides(type(self), Estimator)
        self._config = complete_config(config, model_dir)
        self._session_config = self._config.session_config
        tf_logging.info("Using config: %s", str(vars(self._config)))
        self._device_fn = self._config.device_fn or device_setter(self._config)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        self._dir = ModelDir(self._config.model_dir)
        self._functions = ModelFunctions(model_fn, params, self._config)
        self._warm_start_settings = warm_start_settings(warm_start_from)

    # -- Properties ----------------------------------------------------------------------------------------------------

    @property
    def model_dir(self) -> Any:
        """The directory of checkpoints, graphs and summaries."""
        return self._dir.path

    @property
    def config(self) -> RunConfig:
        """A copy of the `RunConfig`."""
        return self._functions.config()

    @property
    def params(self) -> Any:
        """A copy of the hyperparameters."""
        return self._functions.params()

    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """The model function, with the parameters features, labels, mode and config."""
        functions = self._functions

        def public_model_fn(features: Any, labels: Any, mode: Any, config: Any) -> EstimatorSpec:
            return functions.call_model_fn(features, labels, mode, config)

        return public_model_fn

    def eval_dir(self, name: str | None = None) -> str:
        """Returns the directory of the summaries of evaluations with that name; None: the unnamed ones."""
        return self._dir.of_evaluations(name)

    # -- Checkpoints ---------------------------------------------------------------------------------------------------

    @called_by_users
    def get_variable_value(self, name: str) -> Any:
        """Returns the value of a variable in the latest checkpoint, a NumPy array.

        Raises:
          ValueError: if there is no checkpoint.
        """
        return self._dir.value(name)

    @called_by_users
    def get_variable_names(self) -> list[str]:
        """Returns a list of the names of all variables in the latest checkpoint.

        Raises:
          ValueError: if there is no checkpoint.
        """
        return self._dir.names()

    @called_by_users
    def latest_checkpoint(self) -> str | None:
        """Returns the path prefix of the latest checkpoint; None if there is none."""
        return self._dir.latest()

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
        training = ModelTraining(self._graphs(), self._dir, self._config, self._session_config, self._device_fn)
        training.run(input_fn, hooks, steps, max_steps, saving_listeners)
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
        all_hooks = evaluation_hooks(hooks, steps)
        checkpoint_path = checkpoint_path or self._dir.latest_for("evaluate")
        evaluation = self._evaluation()
        with building(Graph()):
            ops = evaluation.build(input_fn, all_hooks, checkpoint_path)
            return evaluation.run(ops, checkpoint_path, self.eval_dir(name))

    def _evaluation(self) -> ModelEvaluation:
        return ModelEvaluation(self._graphs(), self._config.evaluation_master, self._session_config)

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
        checkpoint_path = checkpoint_path or self._dir.latest_for("predict")
        prediction = ModelPrediction(self._graphs(), self._config.master, self._session_config)
        yield from prediction.run(input_fn, predict_keys, all_hooks, checkpoint_path, yield_single_examples)

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
        path = checkpoint_path or exporting.checkpoint_to_export(self._dir, self._warm_start_settings)
        model = exporting.Model(self._graphs(), path, self._session_config, strip_default_attrs)
        with graph_mode():
            return exporting.export(model, export_dir_base, input_receiver_fn_map, assets_extra, as_text)

    # -- Graphs --------------------------------------------------------------------------------------------------------

    def _graphs(self) -> ModelGraphs:
        seed = self._config.tf_random_seed
        return ModelGraphs(self._functions, self._create_and_assert_global_step, seed, self._warm_start_settings)

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        """Creates the global step in a graph without one. Subclasses may override it."""
        return create_global_step(graph)


def _check_receiver_fn(function: Any) -> None:
    if not function:
        raise ValueError("An input_receiver_fn must be defined.")
