"""The graphs of a model: one for each training, evaluation, prediction or export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from tinytf._src.checkpoint.warm_starting import WarmStartSettings
from tinytf._src.estimator.estimator_spec import EstimatorSpec
from tinytf._src.estimator.inputs import features_and_labels, features_to_predict
from tinytf._src.estimator.model_functions import ModelFunctions
from tinytf._src.estimator.warm_start import start_warm
from tinytf._src.framework.apply import random_seed
from tinytf._src.framework.context.execution import graph_mode
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.platform.estimator_mode import ModeKeys
from tinytf._src.training.session_run_hook import SessionRunHook


@contextmanager
def building(graph: Graph) -> Iterator[Graph]:
    """Returns a context manager in which `graph` is the default graph, also in eager execution."""
    with graph_mode(), graph.as_default():
        yield graph


class BuiltModel(NamedTuple):
    """A model, and the hooks that start its input in a session."""

    spec: EstimatorSpec
    input_hooks: list[SessionRunHook]


class ModelGraphs:
    """Builds the model in the default graph.

    `functions`: the functions of the program. `create_step(graph)`: creates the global step. `seed`: of the graphs.
    `warm_start`: initial values of variables that are not restored, or None.
    """

    def __init__(
        self,
        functions: ModelFunctions,
        create_step: Callable[[Graph], Any],
        seed: int | None,
        warm_start: WarmStartSettings | None,
    ) -> None:
        self._functions = functions
        self._create_step = create_step
        self._seed = seed
        self._warm_start = warm_start

    def begin(self) -> None:
        """Sets the seed, and creates the global step."""
        random_seed.set_random_seed(self._seed)
        self._create_step(get_default_graph())

    def with_labels(self, input_fn: Callable[..., Any], mode: Any) -> BuiltModel:
        """Builds input and model for a training or an evaluation."""
        found = features_and_labels(self._functions.call_input_fn(input_fn, mode))
        spec = self._functions.call_model_fn(found.features, found.labels, mode, self._functions.config())
        return BuiltModel(spec, found.hooks)

    def to_predict(self, input_fn: Callable[..., Any]) -> BuiltModel:
        """Builds input and model for predictions."""
        found = features_to_predict(self._functions.call_input_fn(input_fn, ModeKeys.PREDICT))
        spec = self._functions.call_model_fn(found.features, None, ModeKeys.PREDICT, self._functions.config())
        return BuiltModel(spec, found.hooks)

    def to_export(self, receiver_fn: Callable[[], Any], mode: Any) -> tuple[Any, EstimatorSpec]:
        """Builds the receiver of the exported model's input, and the model."""
        self._create_step(get_default_graph())
        random_seed.set_random_seed(self._seed)
        receiver = receiver_fn()
        labels = getattr(receiver, "labels", None)
        spec = self._functions.call_model_fn(receiver.features, labels, mode, self._functions.config())
        return receiver, spec

    def start_warm(self) -> None:
        """Makes the variables start with the values of `warm_start`, if it is given."""
        if self._warm_start:
            start_warm(self._warm_start)
