"""`tf.contrib.eager.metrics`: metrics as objects, for graph mode and eager execution."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import tinytf as tf
from tinytf.python.eager.context import eager_mode
from tinytf.python.eager.function import defun
from tinytf.python.training.tracking.base import Trackable

__all__ = ["Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "Mean", "Metric", "SparseAccuracy"]


class Metric(Trackable):
    """Base class of metrics. Subclasses create variables in `build`, update them in `call` and compute the value in
    `result`.

    In graph mode a call returns tensors or an operation that perform the update when they run. The variables exist
    after the first call.

    Args:
      name: string, name of the metric and of its variable scope; the class name if None. Names must be unique within a
        graph: the variables of a second metric raise ValueError.
      use_global_variables: bool, whether the variables are global instead of local.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._built = False
        self._variables: list[Any] = []
        self._first_values: list[Any] = []
        self._collections = [
            tf.GraphKeys.GLOBAL_VARIABLES if use_global_variables else tf.GraphKeys.LOCAL_VARIABLES,
            tf.GraphKeys.METRIC_VARIABLES,
        ]
        name = name or type(self).__name__
        scope_name = re.sub("[^A-Za-z0-9.]", "_", name)
        with tf.variable_scope(scope_name, use_resource=True, reuse=False) as scope:
            self._scope = scope
        self._name = name + scope.name[scope.name.rfind(scope_name) + len(scope_name) :]
        self._make_variables = self.build
        self.build = self._build  # type: ignore[method-assign]
        self._where: Callable[[], Any] = eager_mode
        if not tf.executing_eagerly():
            self._where = tf.get_default_graph().as_default
            self.call = defun(self.call)  # type: ignore[method-assign]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the metric with the arguments; returns the result of `call`."""
        if not self._built:
            with tf.variable_scope(self._scope), self._where():
                self.build(*args, **kwargs)
        return self.call(*args, **kwargs)

    def _build(self, *args: Any, **kwargs: Any) -> None:
        """Replaces `build` on instances, so that users may call it before the first call, which then creates no
        variables."""
        self._make_variables(*args, **kwargs)
        self._built = True

    @property
    def name(self) -> str:
        """The name, without enclosing scopes."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables in the order of their creation."""
        return self._variables

    def init_variables(self) -> Any:
        """Resets the variables after the first call: at once in eager execution, else by the returned operation."""
        if not tf.executing_eagerly():
            return tf.group(*[variable.initializer for variable in self._variables])
        for variable, value in zip(self._variables, self._first_values, strict=True):
            variable.assign(value)
        return None

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Creates the variables with `add_variable`; called with the arguments of the first call. To be overridden."""
        raise NotImplementedError("Metrics must define a build() member function")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the variables. To be overridden."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        """Returns the value of the metric. To be overridden."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        """Returns the tensor of the value in graph mode, and the function `result` in eager execution."""
        return self.result if tf.executing_eagerly() else self.result()

    def aggregate(self, metrics: Sequence[Metric]) -> None:
        """Adds the variables of other metrics to the corresponding variables of this one.

        Raises:
          TypeError: if the metrics are of different classes.
          ValueError: if their variables have different names.
        """
        for other in metrics:
            if type(self) is not type(other):
                raise TypeError(f"All metrics must be the same type, '{type(self)}' != '{type(other)}'.")
        for i, variable in enumerate(self._variables):
            others = [other._variables[i] for other in metrics]
            if any(_last_part(other) != _last_part(variable) for other in others):
                raise ValueError("All metrics must have variables in the same order.")
            variable.assign_add(tf.add_n([other.read_value() for other in others]))

    def add_variable(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None) -> Any:
        """Returns a new variable of the metric. Raises RuntimeError outside `build`."""
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        variable = self._add_variable_with_custom_getter(
            name,
            shape,
            dtype,
            initializer,
            getter=tf.get_variable,
            overwrite=True,
            trainable=False,
            collections=None if tf.executing_eagerly() else self._collections,
            use_resource=True,
        )
        self._variables.append(variable)
        if tf.executing_eagerly():
            self._first_values.append(variable.read_value())
        return variable


def _last_part(variable: Any) -> str:
    return variable.name.rpartition("/")[2]


class Mean(Metric):
    """The weighted mean of all values.

    Args:
      name: as in `Metric`.
      dtype: dtype of the sums and of the result.
      use_global_variables: as in `Metric`.
    """

    def __init__(self, name: str | None = None, dtype: Any = tf.float64, use_global_variables: bool = False) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = dtype

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Creates the sums of values and of weights."""
        self.numer = self.add_variable("numer", (), self.dtype, tf.zeros_initializer())
        self.denom = self.add_variable("denom", (), self.dtype, tf.zeros_initializer())

    def call(self, values: Any, weights: Any = None) -> Any:
        """Adds `values` with `weights`, which must be broadcastable to them and default to 1. Returns the arguments."""
        given = values if weights is None else (values, weights)
        values = tf.cast(values, self.dtype)
        if weights is None:
            count = tf.cast(tf.size(values), self.dtype)
        else:
            weights = tf.cast(weights, self.dtype)
            count = tf.reduce_sum(weights)
            values = values * weights
        self.denom.assign_add(count)
        self.numer.assign_add(tf.reduce_sum(values))
        return given

    def result(self, write_summary: Any = True) -> Any:
        """Returns the mean, NaN before the first call. `write_summary` is ignored; no summary is written."""
        return self.numer / self.denom


class Accuracy(Mean):
    """The fraction of predictions that equal the labels."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Adds labels and predictions of the same shape and dtype. Returns the arguments."""
        return self._matched(labels, predictions, tf.equal(labels, predictions), weights)

    def _matched(self, labels: Any, predictions: Any, matches: Any, weights: Any) -> Any:
        super().call(tf.cast(matches, self.dtype), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)


class CategoricalAccuracy(Accuracy):
    """The fraction of predictions whose maximum along the last axis is at the index of the maximum of the labels."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Adds one-hot labels and predictions of the same shape. Returns the arguments."""
        labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
        labels.shape.assert_is_compatible_with(predictions.shape)
        matches = tf.equal(tf.argmax(labels, -1), tf.argmax(predictions, -1))
        return self._matched(labels, predictions, matches, weights)


class BinaryAccuracy(Accuracy):
    """The fraction of predictions that are on the same side of a threshold as the labels.

    Args:
      threshold: float; predictions above it count as 1, others as 0.
      name: as in `Metric`.
      dtype: as in `Mean`.
      use_global_variables: as in `Metric`.
    """

    def __init__(
        self,
        threshold: float,
        name: str | None = None,
        dtype: Any = tf.float64,
        use_global_variables: bool = False,
    ) -> None:
        super().__init__(name, dtype, use_global_variables)
        self.threshold = threshold

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Adds labels 0 or 1 and predictions of the same shape. Returns the arguments."""
        labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
        matches = tf.equal(labels, tf.cast(predictions > self.threshold, labels.dtype))
        return self._matched(labels, predictions, matches, weights)


class SparseAccuracy(Accuracy):
    """The fraction of predictions whose maximum along the last axis is at the index given by the label."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Adds integer labels, and predictions with one more axis. Returns the arguments."""
        labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
        matches = tf.equal(tf.argmax(predictions, -1), tf.cast(labels, tf.int64))
        return self._matched(labels, predictions, matches, weights)
