"""`tf.contrib.eager.metrics`: figures that sum up what calls give them, with and without graphs."""

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
    """A figure over many calls. A subclass makes its variables in `build`, changes them in `call`, and computes the figure
    from them in `result`.

    Where graphs are built, a call gives tensors (or an operation) whose running makes the changes; the variables are
    there after the first call.

    Args:
      name: of the metric and of the scope of its variables; that of the class when None. A graph has room for one metric of
        a name: the variables of another one raise ValueError.
      use_global_variables: whether the variables are global ones rather than local ones.
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
        """Takes in what it is given, see `call`. Returns what `call` returns."""
        if not self._built:
            with tf.variable_scope(self._scope), self._where():
                self.build(*args, **kwargs)
        return self.call(*args, **kwargs)

    def _build(self, *args: Any, **kwargs: Any) -> None:
        """What `build` is on instances, so that programs may call it themselves: the first call then makes no variables."""
        self._make_variables(*args, **kwargs)
        self._built = True

    @property
    def name(self) -> str:
        """The name, before which the scope around it is not told."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables, in the order in which they were added."""
        return self._variables

    def init_variables(self) -> Any:
        """Starts anew, after the first call: at once, or by the operation that it returns where graphs are built."""
        if not tf.executing_eagerly():
            return tf.group(*[variable.initializer for variable in self._variables])
        for variable, value in zip(self._variables, self._first_values, strict=True):
            variable.assign(value)
        return None

    def build(self, *args: Any, **kwargs: Any) -> None:
        """To be defined: makes the variables with `add_variable`. Gets the arguments of the first call."""
        raise NotImplementedError("Metrics must define a build() member function")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """To be defined: changes the variables."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        """To be defined: the figure so far."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        """Where graphs are built the figure's tensor, else the function that gives it."""
        return self.result if tf.executing_eagerly() else self.result()

    def aggregate(self, metrics: Sequence[Metric]) -> None:
        """Adds what others have taken in. TypeError for metrics of another class, ValueError for other variables."""
        for other in metrics:
            if type(self) is not type(other):
                raise TypeError(f"All metrics must be the same type, '{type(self)}' != '{type(other)}'.")
        for i, variable in enumerate(self._variables):
            others = [other._variables[i] for other in metrics]
            if any(_last_part(other) != _last_part(variable) for other in others):
                raise ValueError("All metrics must have variables in the same order.")
            variable.assign_add(tf.add_n([other.read_value() for other in others]))

    def add_variable(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None) -> Any:
        """A new variable of the metric. RuntimeError outside `build`."""
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
    """The mean of all values, each with a weight.

    Args:
      dtype: type of the sums and of the result.
      The others are those of Metric.
    """

    def __init__(self, name: str | None = None, dtype: Any = tf.float64, use_global_variables: bool = False) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = dtype

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the sums of the values and of the weights."""
        self.numer = self.add_variable("numer", (), self.dtype, tf.zeros_initializer())
        self.denom = self.add_variable("denom", (), self.dtype, tf.zeros_initializer())

    def call(self, values: Any, weights: Any = None) -> Any:
        """Takes in `values`; `weights` (1 each when None) must broadcast to them. Returns the arguments."""
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
        """The mean so far; not a number before the first call. No summary is written, whatever `write_summary` says."""
        return self.numer / self.denom


class Accuracy(Mean):
    """How often predictions are the labels."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Takes in labels and predictions of the same shape and type. Returns the arguments."""
        return self._matched(labels, predictions, tf.equal(labels, predictions), weights)

    def _matched(self, labels: Any, predictions: Any, matches: Any, weights: Any) -> Any:
        super().call(tf.cast(matches, self.dtype), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)


class CategoricalAccuracy(Accuracy):
    """How often the largest of the predictions is at the place of the largest label, along the last axis."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Takes in one-hot labels and predictions of the same shape. Returns the arguments."""
        labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
        labels.shape.assert_is_compatible_with(predictions.shape)
        matches = tf.equal(tf.argmax(labels, -1), tf.argmax(predictions, -1))
        return self._matched(labels, predictions, matches, weights)


class BinaryAccuracy(Accuracy):
    """How often predictions are on the labels' side of a threshold.

    Args:
      threshold: predictions above it stand for 1, others for 0.
      The others are those of Mean.
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
        """Takes in labels that are 0 or 1, and predictions of the same shape. Returns the arguments."""
        labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
        matches = tf.equal(labels, tf.cast(predictions > self.threshold, labels.dtype))
        return self._matched(labels, predictions, matches, weights)


class SparseAccuracy(Accuracy):
    """How often the largest of the predictions, along the last axis, is at the place that the label tells."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Takes in integer labels, and predictions with one more axis. Returns the arguments."""
        labels, predictions = tf.convert_to_tensor(labels), tf.convert_to_tensor(predictions)
        matches = tf.equal(tf.argmax(predictions, -1), tf.cast(labels, tf.int64))
        return self._matched(labels, predictions, matches, weights)
