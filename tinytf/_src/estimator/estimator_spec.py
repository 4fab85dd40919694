"""`tf.estimator.EstimatorSpec`: the result of a model function."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src.estimator.arguments import checked_hooks
from tinytf._src.estimator.export_outputs import checked_export_outputs
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values.tensor_like import is_dense_tensor_like
from tinytf._src.monitored_session.scaffold import Scaffold
from tinytf._src.ops import array_ops
from tinytf._src.platform.estimator_mode import ModeKeys
from tinytf._src.training.session_run_hook import SessionRunHook
from tinytf._src.variables.variable import Variable


class _EstimatorSpec(NamedTuple):
    mode: Any
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    export_outputs: Any
    training_chief_hooks: tuple[SessionRunHook, ...]
    training_hooks: tuple[SessionRunHook, ...]
    scaffold: Scaffold
    evaluation_hooks: tuple[SessionRunHook, ...]
    prediction_hooks: tuple[SessionRunHook, ...]


@tf_export("estimator.EstimatorSpec")
class EstimatorSpec(_EstimatorSpec):
    """Operations and tensors of the default graph that define a model in one mode. A named tuple.

    Args:
      mode: a `ModeKeys` mode.
      predictions: a tensor, or a dict of tensors; required in mode PREDICT.
      loss: a tensor with one element, reshaped to a scalar; required in modes TRAIN and EVAL.
      train_op: an operation, tensor or variable that runs a training step; required in mode TRAIN.
      eval_metric_ops: dict of pairs (value, update_op) by name.
      export_outputs: dict of `tf.estimator.export.ExportOutput`s by signature name; None: made of `predictions`.
      training_chief_hooks: `SessionRunHook`s of the training, for the chief only.
      training_hooks, evaluation_hooks, prediction_hooks: `SessionRunHook`s of each activity.
      scaffold: a `tf.train.Scaffold`; None: a default one.

    Raises:
      ValueError: if a required argument is missing, the loss has several elements, or a tensor is of another graph.
      TypeError: for arguments of other types.
    """

    __slots__ = ()

    @called_by_users
    def __new__(
        cls,
        mode: Any,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        export_outputs: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
        evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ) -> EstimatorSpec:
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = checked_export_outputs(export_outputs, predictions)
        training_hooks = _checked_hooks(training_hooks)
        evaluation_hooks = _checked_hooks(evaluation_hooks)
        prediction_hooks = _checked_hooks(prediction_hooks)
        training_chief_hooks = _checked_hooks(training_chief_hooks)
        eval_metric_ops = _checked_metrics(eval_metric_ops)
        scaffold = scaffold or Scaffold()
        if not isinstance(scaffold, Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls,
            mode,
            predictions,
            loss,
            train_op,
            eval_metric_ops,
            export_outputs,
            training_chief_hooks,
            training_hooks,
            scaffold,
            evaluation_hooks,
            prediction_hooks,
        )

    def _replace(self, **kwds: Any) -> EstimatorSpec:
        """Returns a copy with some fields replaced. ValueError for another mode."""
        if kwds.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(*map(kwds.pop, self._fields, list(self)))


def _check_graph(value: Any, what: str, key: Any = None) -> None:
    if not executing_eagerly() and value.graph is not get_default_graph():
        name = value.name if key is None else f"{key}: {value.name}"
        raise ValueError(
            f'{what} with "{name}" must be from the default graph. Possible causes of this error include: \n\n1) {what} was '
            "created outside the context of the default graph.\n\n2) The object passed through to EstimatorSpec was not "
            'created in the most recent call to "model_fn".'
        )


def _check_tensor(value: Any, what: str) -> Any:
    if not is_dense_tensor_like(value):
        raise TypeError(f"{what} must be Tensor, given: {value}")
    return value


def _checked_train_op(train_op: Any, mode: Any) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not (isinstance(train_op, Operation) or is_dense_tensor_like(train_op)):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    if isinstance(train_op, Variable):
        train_op = train_op.op
    _check_graph(train_op, "train_op")
    return train_op


def _checked_loss(loss: Any, mode: Any) -> Any:
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    shape = _check_tensor(loss, "loss").get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    if not shape.is_compatible_with([]):
        loss = array_ops.reshape(loss, [])
    _check_graph(loss, "loss")
    return loss


def _checked_predictions(predictions: Any, mode: Any) -> Any:
    what = "prediction values"
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if not isinstance(predictions, dict):
        _check_graph(_check_tensor(predictions, "predictions"), what)
        return predictions
    checked = {key: _check_tensor(value, f"predictions[{key}]") for key, value in predictions.items()}
    for key, value in checked.items():
        _check_graph(value, what, key)
    return checked


def _checked_hooks(hooks: Any) -> tuple[SessionRunHook, ...]:
    return tuple(checked_hooks(hooks, "All hooks must be SessionRunHook instances"))


def _checked_metrics(metrics: Any) -> dict[Any, Any]:
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    for key, value in metrics.items():
        if not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                f"Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {value} for key: {key}"
            )
    for key, value in metrics.items():
        for part in nest.flatten(value):
            _check_graph(part, "eval_metric_ops", key)
    return metrics
