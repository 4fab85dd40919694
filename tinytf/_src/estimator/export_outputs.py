"""`tf.estimator.export.ExportOutput` and subclasses: outputs of an exported model, and their signatures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors import constant_op
from tinytf._src.framework.values import dtypes
from tinytf._src.saved_model import constants, signatures


@tf_export("estimator.export.ExportOutput")
class ExportOutput(ABC):
    """Base class of the outputs of an exported model."""

    @abstractmethod
    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns the `SignatureDef` from inputs to these outputs.

        Args:
          receiver_tensors: dict of input tensors by name.

        Raises:
          ValueError: if the inputs do not fit this kind of outputs.
        """


@tf_export("estimator.export.ClassificationOutput")
class ClassificationOutput(ExportOutput):
    """Outputs of a classifier: scores, classes, or both.

    Args:
      scores: float tensor of shape [batch, n], or None.
      classes: string tensor of shape [batch, n], or None.

    Raises:
      ValueError: for tensors of other dtypes, and if both are None.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is not None and not (isinstance(scores, Tensor) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (isinstance(classes, Tensor) and classes.dtype == dtypes.string):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores = scores
        self._classes = classes

    @property
    def scores(self) -> Any:
        """The tensor of scores, or None."""
        return self._scores

    @property
    def classes(self) -> Any:
        """The tensor of classes, or None."""
        return self._classes

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns the signature from a string tensor of serialized `Example`s to classes and scores; see the base
        class."""
        examples = _only_examples(receiver_tensors, "Classification")
        return signatures.classification_signature_def(examples, self.classes, self.scores)


@tf_export("estimator.export.RegressionOutput")
class RegressionOutput(ExportOutput):
    """Output of a regression model.

    Args:
      value: float tensor of shape [batch].

    Raises:
      ValueError: for another value.
    """

    def __init__(self, value: Any) -> None:
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    @property
    def value(self) -> Any:
        """The output tensor."""
        return self._value

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns the signature from a string tensor of serialized `Example`s to the output; see the base class."""
        return signatures.regression_signature_def(_only_examples(receiver_tensors, "Regression"), self.value)


@tf_export("estimator.export.PredictOutput")
class PredictOutput(ExportOutput):
    """Arbitrary output tensors.

    Args:
      outputs: dict of tensors by name, or a single tensor, which is named "output".

    Raises:
      ValueError: for values that are not tensors.
    """

    def __init__(self, outputs: Any) -> None:
        self._outputs = _tensors_by_key(outputs, "output", "Prediction")

    @property
    def outputs(self) -> dict[str, Any]:
        """A dict of the output tensors by name."""
        return self._outputs

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns the signature from the input tensors to the outputs; see the base class."""
        return signatures.predict_signature_def(receiver_tensors, self.outputs)


class _SupervisedOutput(ExportOutput):
    """Loss, predictions and metrics of a model that is exported with labels."""

    method_name: str

    def __init__(self, loss: Any = None, predictions: Any = None, metrics: Any = None) -> None:
        self.loss = None if loss is None else _prefixed(_tensors_by_key(loss, "loss", "loss"), "loss")
        self.predictions = (
            None
            if predictions is None
            else _prefixed(_tensors_by_key(predictions, "predictions", "predictions"), "predictions")
        )
        self.metrics = None if metrics is None else _metric_tensors(metrics)

    def as_signature_def(self, receiver_tensors: Any) -> Any:
        """Returns the signature from the input tensors to loss, predictions and metrics."""
        return signatures.supervised_signature_def(
            self.method_name, receiver_tensors, self.loss, self.predictions, self.metrics
        )


class TrainOutput(_SupervisedOutput):
    """Outputs of a model exported for training."""

    method_name = constants.SUPERVISED_TRAIN_METHOD_NAME


class EvalOutput(_SupervisedOutput):
    """Outputs of a model exported for evaluation."""

    method_name = constants.SUPERVISED_EVAL_METHOD_NAME


def _only_examples(receiver_tensors: Any, kind: str) -> Any:
    tensors = list(receiver_tensors.values())
    if len(tensors) != 1 or tensors[0].dtype != dtypes.string:
        raise ValueError(f"{kind} input must be a single string Tensor; got {receiver_tensors}")
    return tensors[0]


def _key(key: Any, what: str) -> str:
    if isinstance(key, tuple):
        key = "/".join(key)
    if not isinstance(key, str):
        raise ValueError(f"{what} output key must be a string; got {key}.")
    return key


def _tensors_by_key(outputs: Any, single: str, what: str) -> dict[str, Any]:
    found = {}
    for key, value in (outputs if isinstance(outputs, dict) else {single: outputs}).items():
        name = _key(key, what)
        if not isinstance(value, Tensor):
            raise ValueError(f"{what} output value must be a Tensor; got {value}.")
        found[name] = value
    return found


def _with_prefix(key: str, prefix: str) -> str:
    return key if key.startswith(prefix) else f"{prefix}/{key}"


def _prefixed(outputs: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {_with_prefix(key, prefix): value for key, value in outputs.items()}


def _metric_tensors(metrics: Any) -> dict[str, Any]:
    found = {}
    for given, (value, update) in (metrics if isinstance(metrics, dict) else {"metrics": metrics}).items():
        key = _with_prefix(_key(given, "metrics"), "metrics")
        if not isinstance(value, Tensor):
            raise ValueError(f"{key} output value must be a Tensor; got {value}.")
        if not isinstance(update, (Tensor, Operation)):
            raise ValueError(f"{key} update_op must be a Tensor or Operation; got {update}.")
        found[f"{key}/value"] = value
        if isinstance(update, Operation):  # signatures can only name tensors
            with control_dependencies([update]):
                update = constant_op.constant([], name="metric_op_wrapper")
        found[f"{key}/update_op"] = update
    return found


@called_by_users
def checked_export_outputs(export_outputs: Any, predictions: Any) -> dict[str, ExportOutput]:
    """Returns the outputs by signature name. None means the predictions under the default name; a single output is also
    put under the default name.

    TypeError for objects that are not outputs, ValueError for several outputs without a default.
    """
    default = constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    if export_outputs is None:
        export_outputs = {default: PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    if not all(isinstance(output, ExportOutput) for output in export_outputs.values()):
        raise TypeError(f"Values in export_outputs must be ExportOutput objects. Given: {export_outputs}")
    if len(export_outputs) == 1:
        export_outputs.setdefault(default, *export_outputs.values())
    if len(export_outputs) > 1 and default not in export_outputs:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as the default.  Do this by naming one of "
            "them with signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return export_outputs
