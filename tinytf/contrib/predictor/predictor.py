"""What all predictors do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["Predictor"]


class Predictor:
    """A model as a function. Subclasses make the graph, the session, and the tensors that names stand for."""

    _graph: Any
    _session: Any
    _feed_tensors: dict[str, Any]
    _fetch_tensors: dict[str, Any]

    @property
    def graph(self) -> Any:
        """The graph that has the model."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session that has the values of its variables; who has no more use for the predictor closes it."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """What is fed for each name of the input."""
        return self._feed_tensors

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """What is fetched for each name of the output."""
        return self._fetch_tensors

    def __repr__(self) -> str:
        return f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors {self._fetch_tensors}"

    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the output's names for values of the input's; those that are missing, or None, are not fed.

        ValueError for names that the input does not have.
        """
        unexpected = set(input_dict) - set(self._feed_tensors)
        if unexpected:
            raise ValueError(f"Got unexpected keys in input_dict: {unexpected}\nexpected: {set(self._feed_tensors)}")
        feeds = {
            tensor: input_dict[key] for key, tensor in self._feed_tensors.items() if input_dict.get(key) is not None
        }
        return self._session.run(self._fetch_tensors, feeds)

    def _connect(self, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> None:
        """Lets names stand for the tensors that are called so in the graph."""
        self._feed_tensors = {key: self._graph.get_tensor_by_name(name) for key, name in inputs.items()}
        self._fetch_tensors = {key: self._graph.get_tensor_by_name(name) for key, name in outputs.items()}


def tensor_names(infos: Mapping[str, Any]) -> dict[str, str]:
    """The names of the tensors that the inputs, or outputs, of a `SignatureDef` are."""
    return {key: info.name for key, info in infos.items()}
