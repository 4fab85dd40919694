"""The base class of predictors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["Predictor"]


class Predictor:
    """A model as a function. Subclasses create the graph and the session and call `_connect`."""

    _graph: Any
    _session: Any
    _feed_tensors: dict[str, Any]
    _fetch_tensors: dict[str, Any]

    @property
    def graph(self) -> Any:
        """The graph of the model."""
        return self._graph

    @property
    def session(self) -> Any:
        """The session with the values of the variables; the user of the predictor closes it."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """The tensors that are fed, by input name."""
        return self._feed_tensors

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """The tensors that are fetched, by output name."""
        return self._fetch_tensors

    def __repr__(self) -> str:
        return f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors {self._fetch_tensors}"

    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]:
        """Computes the outputs for some inputs.

        Args:
          input_dict: dict from input names to arrays. Inputs that are missing or None are not fed.

        Returns:
          A dict from output names to arrays.

        Raises:
          ValueError: if a name is not one of the inputs.
        """
        unexpected = set(input_dict) - set(self._feed_tensors)
        if unexpected:
            raise ValueError(f"Got unexpected keys in input_dict: {unexpected}\nexpected: {set(self._feed_tensors)}")
        feeds = {
            tensor: input_dict[key] for key, tensor in self._feed_tensors.items() if input_dict.get(key) is not None
        }
        return self._session.run(self._fetch_tensors, feeds)

    def _connect(self, inputs: Mapping[str, str], outputs: Mapping[str, str]) -> None:
        """Looks up the tensors of the graph for the input and output names."""
        self._feed_tensors = {key: self._graph.get_tensor_by_name(name) for key, name in inputs.items()}
        self._fetch_tensors = {key: self._graph.get_tensor_by_name(name) for key, name in outputs.items()}


def tensor_names(infos: Mapping[str, Any]) -> dict[str, str]:
    """Returns the tensor names of the inputs, or outputs, of a `SignatureDef`."""
    return {key: info.name for key, info in infos.items()}
