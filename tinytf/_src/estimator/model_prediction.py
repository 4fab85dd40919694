"""Predictions of an estimator's model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tinytf._src.estimator import prediction
from tinytf._src.estimator.model_graphs import ModelGraphs, building
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.monitored_session.monitored_session import MonitoredSession
from tinytf._src.monitored_session.session_creators import ChiefSessionCreator


class ModelPrediction:
    """Applies the model in new graphs. `master`, `session_config`: of their sessions."""

    def __init__(self, graphs: ModelGraphs, master: str, session_config: Any) -> None:
        self._graphs = graphs
        self._master = master
        self._session_config = session_config

    def run(
        self,
        input_fn: Callable[..., Any],
        keys: Any,
        hooks: list[Any],
        checkpoint_path: str | None,
        yield_single_examples: bool,
    ) -> Iterator[Any]:
        """Yields predictions until the input ends. Between them the program has its own default graph."""
        graph = Graph()
        with building(graph):
            self._graphs.begin()
            spec, input_hooks = self._graphs.to_predict(input_fn)
            if not checkpoint_path:
                self._graphs.start_warm()
            predictions = prediction.chosen(spec.predictions, keys)
            creator = ChiefSessionCreator(
                checkpoint_filename_with_path=checkpoint_path,
                master=self._master,
                scaffold=spec.scaffold,
                config=self._session_config,
            )
            all_hooks = [*input_hooks, *hooks, *spec.prediction_hooks]
            session = MonitoredSession(session_creator=creator, hooks=all_hooks)
        with prediction.InGraph(session, lambda: building(graph)):
            while not session.should_stop():
                with building(graph):
                    values = session.run(predictions)
                if yield_single_examples:
                    yield from prediction.examples(values)
                else:
                    yield values
